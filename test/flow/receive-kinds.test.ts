// Every kind of received message becomes one message of the instance and one complete event, with people named by phone number.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { withPersonIds } from '../../src/chats/rules.ts'
import type { EventData } from '../../src/contract/events.ts'
import type { RouteId } from '../../src/contract/routes.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { NetworkSession } from '../../src/network/network.ts'
import { type Answer, callRoute } from '../support/gateway.ts'
import { openPortSession } from '../support/port-session.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'

const NUMBERS = { pn: '55119333300', lid: '55119444400' } as const
const jidOf = (number: string) => `${number}@s.whatsapp.net`

describe('every kind of received message', () => {
  let sandbox: SandboxWorld
  before(async () => {
    sandbox = await startSandboxWorld()
  })
  after(() => sandbox.stop())

  for (const addressing of ['pn', 'lid'] as const)
    describe(`received messages (${addressing})`, () => {
      const number = (last: number) => `${NUMBERS[addressing]}${String(last).padStart(2, '0')}`
      const [OWNER, BOB, CAROL] = [number(1), number(2), number(3)]
      let line: PairedInstance
      let bob: ReturnType<typeof withPersonIds>
      let session: NetworkSession | undefined
      before(async () => {
        await sandbox.setAddressing(addressing)
        await sandbox.world.phone(BOB, 'Bob')
        await sandbox.world.phone(CAROL, 'Carol')
        const { phone } = await sandbox.world.get(`/phones/${BOB}`, answers.phone)
        bob = withPersonIds({ jid: jidOf(BOB), lid: `${phone.lid}@lid`, phone: BOB, pushName: 'Bob' })
        line = await sandbox.pair(OWNER)
      })
      after(() => session?.close())

      /** What the phone sent or did, as the instance lists it. */
      const does = async (
        action: string,
        body: Record<string, unknown>,
        phone = BOB,
      ): Promise<Answer['json']> => {
        const { messageId } = await sandbox.world.post(`/phones/${phone}/${action}`, body)
        const message = await sandbox.message(line, String(messageId))
        await isTold(message)
        return message
      }
      /** The event holds everything that the message holds, so that a receiver needs no further request. */
      const isTold = async ({
        messageId,
        direction,
        type,
        groupJid,
        number: to,
        content,
      }: Answer['json']) => {
        const events = await sandbox.events(line, messageId)
        const [upsert, ...others] = events.filter(({ event }) => event === 'messages.upsert')
        assert.deepEqual(others, [])
        const { from, text, media, quoted, interactiveReplyId, ...rest } = content
        const data = upsert?.data as EventData<'messages.upsert'>
        assert.deepEqual(
          [data.chat, data.direction, data.type, data.from, data.text, data.quoted, data.interactiveReplyId],
          [groupJid ?? jidOf(to), direction, type, from, text, quoted, interactiveReplyId],
        )
        assert.deepEqual(data.content, rest)
        assert.equal(data.status, direction === 'incoming' ? 'delivered' : 'sent')
        const { downloadPath, ...described } = data.media ?? { downloadPath: null }
        assert.deepEqual(data.media === null ? null : described, media)
        if (media?.sha256)
          assert.equal(downloadPath, `/messages/${messageId}/media?instanceName=${line.name}`)
        assert.doesNotMatch(
          JSON.stringify(upsert),
          /mediaKey|directPath/,
          'the event contains no keys of a file',
        )
      }
      const receives = async (body: Record<string, unknown>): Promise<Answer['json']> => {
        const message = await does('send', { to: OWNER, ...body })
        const { direction, number: from, groupJid, status, content } = message
        assert.deepEqual([direction, from, groupJid, status], ['incoming', BOB, null, 'delivered'])
        assert.deepEqual(content.from, bob)
        return message
      }
      const sends = async (id: RouteId, body: Record<string, unknown>): Promise<string> => {
        const { messageId } = await sandbox.api(id, {
          body: { instanceName: line.name, number: BOB, delay: 0, ...body },
        })
        await sandbox.world.shown(BOB, messageId)
        // The outcome is stored after that, and changes the chat.
        await sandbox.message(line, messageId, ({ status }) => !['queued', 'sending'].includes(status))
        return messageId
      }
      const unread = async (jid = bob.jid) => ((await sandbox.chat(line, jid))?.unreadCount ?? 0) as number

      test('text is listed as a message and as the last message of its chat', async () => {
        const { type, content, messageId } = await receives({ text: 'olá 🌎\n"tudo bem?"' })
        assert.deepEqual(
          [type, content.text, content.quoted, content.media],
          ['text', 'olá 🌎\n"tudo bem?"', null, null],
        )
        const chat = await sandbox.chat(line, bob.jid)
        assert.deepEqual(
          [chat.phone, chat.isGroup, chat.lastMessageText, chat.unreadCount, chat.pushName],
          [BOB, false, 'olá 🌎\n"tudo bem?"', 1, 'Bob'],
        )
        assert.equal((await sandbox.rows(line, messageId)).length, 1)
        assert.equal((await sandbox.api('getMessage', { params: { messageId } })).message.type, 'text')
      })

      test('a reply names the message it answers', async () => {
        const question = await sends('sendText', { message: 'well?' })
        const { content } = await receives({ text: 'yes', quoted: question })
        assert.equal(content.text, 'yes')
        assert.deepEqual(content.quoted, { messageId: question, text: 'well?', participant: jidOf(OWNER) })
      })

      test('image, video, audio and document are described, and their bytes can be downloaded', async () => {
        session ??= await openPortSession(sandbox.world, CAROL)
        for (const kind of ['image', 'video', 'audio', 'document'] as const) {
          const bytes = randomBytes(20_000)
          const { type, content, messageId } = await receives({
            media: {
              type: kind,
              base64: bytes.toString('base64'),
              mimetype: `${kind}/x-test`,
              caption: 'see',
              fileName: 'f.bin',
            },
          })
          const sha256 = createHash('sha256').update(bytes).digest('hex')
          assert.deepEqual([type, content.text], [kind, kind === 'audio' ? null : 'see'])
          assert.deepEqual(
            [content.media.kind, content.media.mimetype, content.media.sizeBytes, content.media.sha256],
            [kind, `${kind}/x-test`, bytes.length, sha256],
          )
          assert.equal(content.media.fileName, kind === 'document' ? 'f.bin' : null)
          assert.doesNotMatch(JSON.stringify(content), /mediaKey|directPath/, 'the keys of a file are shown')
          const kept = await sandbox.app.store.db
            .selectFrom('messages')
            .select('media_reference')
            .where('id', '=', messageId)
            .executeTakeFirstOrThrow()
          const fetched = await session.downloadMedia(JSON.parse(kept.media_reference ?? 'null'))
          assert.ok(fetched && Buffer.from(fetched).equals(bytes), kind)
          const served = await callRoute(sandbox.app.url, 'getMessageMedia', {
            key: sandbox.key,
            params: { messageId },
          })
          assert.ok(served.bytes.equals(bytes), `${kind} over the API`)
          assert.equal(served.headers.get('content-type'), `${kind}/x-test`)
        }
      })

      test('location, contact card and poll are described', async () => {
        const spot = { latitude: 1.5, longitude: -2.5, name: 'here', address: 'there' }
        const { type, content } = await receives({ location: spot })
        const { latitude, longitude, name, address } = content
        assert.deepEqual([type, { latitude, longitude, name, address }], ['location', spot])
        const card = await receives({ contact: { name: 'Zoe', number: CAROL } })
        assert.equal(card.type, 'contact')
        assert.deepEqual(
          card.content.contacts.map((each: { name: string; phones: { phone: string }[] }) => [
            each.name,
            each.phones[0]?.phone,
          ]),
          [['Zoe', CAROL]],
        )
        const poll = await receives({
          poll: { name: 'Lunch?', options: ['rice', 'beans'], selectableCount: 1 },
        })
        assert.equal(poll.type, 'poll')
        assert.deepEqual(
          [poll.content.pollName, poll.content.options, poll.content.selectableCount],
          ['Lunch?', ['rice', 'beans'], 1],
        )
      })

      test('an order and a product keep what a shop needs', async () => {
        const order = {
          orderId: '118944',
          token: 'AR4x',
          itemCount: 2,
          total: '149.90',
          currency: 'BRL',
          title: 'Padaria',
        }
        const ordered = await receives({ order: { ...order, message: 'without onions' } })
        const { text, orderId, token, itemCount, total, currency, title, seller } = ordered.content
        assert.deepEqual([ordered.type, text], ['order', 'without onions'])
        assert.deepEqual({ orderId, token, itemCount, total, currency, title }, { ...order, total: '149.9' })
        assert.equal(seller, jidOf(OWNER))
        assert.equal((await sandbox.chat(line, bob.jid)).lastMessageText, 'without onions')

        const product = {
          productId: '7',
          title: 'Shoe',
          price: '49.99',
          currency: 'USD',
          retailerId: 'SKU-7',
        }
        const shared = await receives({ product: { ...product, message: 'Still there?' } })
        assert.deepEqual([shared.type, shared.content.text], ['product', 'Still there?'])
        assert.deepEqual(
          ['productId', 'title', 'price', 'currency', 'retailerId', 'business'].map(
            (name) => shared.content[name],
          ),
          ['7', 'Shoe', '49.99', 'USD', 'SKU-7', jidOf(OWNER)],
        )
      })

      test('wrapped and unknown content is listed as a message too', async () => {
        const arrives = (content: Record<string, unknown>) => does('send-content', { to: OWNER, content })
        const sticker = await arrives({
          stickerMessage: { mimetype: 'image/webp', fileLength: 10, isAnimated: true },
        })
        assert.deepEqual(
          [sticker.type, sticker.content.media.kind, sticker.content.animated],
          ['sticker', 'sticker', true],
        )
        const image = { imageMessage: { mimetype: 'image/jpeg', caption: 'once' } }
        const once = await arrives({ viewOnceMessageV2: { message: image } })
        assert.deepEqual([once.type, once.content.text, once.content.viewOnce], ['image', 'once', true])
        const fading = await arrives({ ephemeralMessage: { message: { conversation: 'soon gone' } } })
        assert.deepEqual([fading.type, fading.content.text], ['text', 'soon gone'])
        const odd = await arrives({ groupInviteMessage: { groupJid: '1@g.us', caption: 'join' } })
        assert.deepEqual([odd.type, odd.content.text], ['unsupported', 'join'])
      })

      test('a vote names the chosen options, and a withdrawn vote names none', async () => {
        const messageId = await sends('sendPoll', {
          pollName: 'Day?',
          options: ['Mon', 'Tue', 'Wed'],
          selectableCount: 2,
        })
        for (const options of [['Mon', 'Wed'], []]) {
          const vote = await does('vote', { messageId, options })
          assert.equal(vote.type, 'poll_vote')
          assert.deepEqual([vote.content.targetMessageId, vote.content.options], [messageId, options])
          assert.deepEqual(vote.content.from, bob)
        }
      })

      test('the advertisement that a person tapped is part of the message and of its event', async () => {
        const ad = { sourceId: '1202', ctwaClid: 'ARB-click', title: 'Sale' }
        const { content } = await receives({ text: 'Is this available?', ad })
        const { sourceType, sourceId, ctwaClid, title, conversion } = content.referral
        assert.deepEqual(
          [sourceType, sourceId, ctwaClid, title, conversion.source],
          ['ad', '1202', 'ARB-click', 'Sale', 'FB_Ads'],
        )
      })

      test('a vote in a received poll names the chosen options', async () => {
        const poll = { name: 'Where?', options: ['here', 'there'], selectableCount: 1 }
        const { messageId } = await receives({ poll })
        const vote = await does('vote', { messageId, options: ['there'] })
        assert.deepEqual([vote.content.targetMessageId, vote.content.options], [messageId, ['there']])
      })

      const editedEvents = async (messageId: string) =>
        (await sandbox.events(line, messageId)).filter(({ event }) => event === 'messages.edited').length

      test('reaction, edit and delete name their message and are not messages of the chat', async () => {
        const target = await sends('sendText', { message: 'nice' })
        const own = (await receives({ text: 'orignal' })).messageId
        const before = await sandbox.chat(line, bob.jid)
        for (const emoji of ['🎉', '']) {
          const { type, content } = await does('react', { messageId: target, emoji })
          assert.deepEqual(
            [type, content.targetMessageId, content.emoji, content.removed],
            ['reaction', target, emoji || null, emoji === ''],
          )
        }
        for (const plain of [false, true]) {
          const edit = await does('edit', { messageId: own, text: 'original', plain })
          assert.deepEqual(
            [edit.type, edit.content.targetMessageId, edit.content.text],
            ['edit', own, 'original'],
          )
          assert.equal(await editedEvents(edit.messageId), 1)
        }
        const deletion = await does('delete', { messageId: own })
        assert.deepEqual([deletion.type, deletion.content.targetMessageId], ['delete', own])
        const after = await sandbox.chat(line, bob.jid)
        assert.equal(after.unreadCount, before.unreadCount)
        assert.equal(after.lastMessageTimestamp, before.lastMessageTimestamp)
      })

      test('taps on buttons and lists carry the chosen id in the same form', async () => {
        const button = { buttonId: 'yes', buttonText: { displayText: 'Yes!' } }
        const question = await sends('sendButton', { interactive: { body: 'Sure?', buttons: [button] } })
        const tap = await does('tap', { messageId: question, buttonId: 'yes' })
        assert.deepEqual(
          [tap.type, tap.content.interactiveReplyId, tap.content.text, tap.content.quoted.messageId],
          ['button_reply', 'yes', 'Yes!', question],
        )
        const sections = [{ title: 'S', rows: [{ rowId: 'r1', title: 'Coffee' }] }]
        const menu = await sends('sendList', { interactive: { text: 'Menu', buttonText: 'Open', sections } })
        const row = await does('tap', { messageId: menu, rowId: 'r1' })
        assert.deepEqual(
          [row.type, row.content.interactiveReplyId, row.content.text, row.content.quoted.messageId],
          ['list_reply', 'r1', 'Coffee', menu],
        )
        for (const content of [
          { templateButtonReplyMessage: { selectedId: 'yes', selectedDisplayText: 'Yes' } },
          { buttonsResponseMessage: { selectedButtonId: 'yes', selectedDisplayText: 'Yes', type: 1 } },
        ]) {
          const old = await does('send-content', { to: OWNER, content })
          assert.deepEqual([old.type, old.content.interactiveReplyId], ['button_reply', 'yes'])
        }
      })

      test('a message typed on the owner’s phone is an outgoing message of its chat', async () => {
        const before = await unread()
        const message = await does('send', { to: BOB, text: 'from my phone' }, OWNER)
        assert.deepEqual(
          [message.direction, message.type, message.number, message.content.text],
          ['outgoing', 'text', BOB, 'from my phone'],
        )
        assert.equal(message.content.from.phone, OWNER)
        const chat = await sandbox.chat(line, bob.jid)
        assert.deepEqual([chat.lastMessageText, chat.unreadCount], ['from my phone', before])
      })

      test('a group message names its author and its group', async () => {
        const { group } = answers.group.parse(
          await sandbox.world.post('/groups', { subject: 'Team', members: [OWNER, CAROL], admin: BOB }),
        )
        for (const text of ['first', 'second']) {
          const message = await does('send', { to: group.jid, text })
          assert.deepEqual(
            [message.direction, message.groupJid, message.number, message.content.text],
            ['incoming', group.jid, null, text],
          )
          assert.deepEqual(message.content.from, bob)
        }
        assert.equal((await does('send', { to: group.jid, text: 'mine' }, OWNER)).direction, 'outgoing')
        const chat = await sandbox.chat(line, group.jid)
        assert.deepEqual([chat.isGroup, chat.unreadCount, chat.lastMessageText], [true, 2, 'mine'])
      })

      test('a connection that breaks in between loses and duplicates nothing', async () => {
        const before = await unread()
        const sent: string[] = []
        for (let count = 0; count < 6; count += 1) {
          const { messageId } = await sandbox.world.post(`/phones/${BOB}/send`, {
            to: OWNER,
            text: `part ${count}`,
          })
          sent.push(String(messageId))
          if (count === 2) await sandbox.world.post('/faults', { number: OWNER, kind: 'disconnect' })
        }
        for (const id of sent) await sandbox.message(line, id)
        await receives({ text: 'the last' })
        for (const id of sent) assert.equal((await sandbox.rows(line, id)).length, 1)
        assert.equal(await unread(), before + sent.length + 1)
      })

      test('a message that cannot be decrypted is requested again and arrives once', async () => {
        const { group } = answers.group.parse(
          await sandbox.world.post('/groups', { subject: 'Again', members: [OWNER], admin: BOB }),
        )
        await does('send', { to: group.jid, text: 'with a key' })
        await sandbox.app.store.db
          .deleteFrom('session_keys')
          .where('instance_id', '=', line.id)
          .where('kind', 'in', ['session', 'sender-key'])
          .execute()
        await sandbox.api('restartInstance', { query: { instanceName: line.name } })
        for (const to of [OWNER, group.jid]) {
          const { content, messageId } = await does('send', { to, text: `to ${to}` })
          assert.equal(content.text, `to ${to}`)
          assert.equal((await sandbox.rows(line, messageId)).length, 1)
          const receipts = await sandbox.world.frames(`id=${messageId}&tag=receipt`)
          assert.ok(
            receipts.some(({ attributes }) => attributes.type === 'retry'),
            'it could be read at once',
          )
        }
      })
    })
})
