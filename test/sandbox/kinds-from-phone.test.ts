import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  decryptPollVote,
  downloadMediaMessage,
  generateWAMessageFromContent,
  jidNormalizedUser,
  proto,
  sha256,
  type WAMessage,
} from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client, plainDispatcher } from './support/client.ts'
import { bizFlow, bizList, flow } from './support/content.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const BOB_JID = `${BOB}@s.whatsapp.net`

for (const addressing of ['pn', 'lid'] as const)
  describe(`actions on a phone reach the client (${addressing})`, () => {
    let world: World
    let client: Client
    let bobLid: string
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      await world.phone(BOB, 'Bob')
      bobLid = (await world.get(`/phones/${BOB}`, answers.phone)).phone.lid
      client = await new Client(world).pair(ALICE)
    })
    after(async () => {
      await client.end()
      await world.stop()
    })

    const sends = async (body: Record<string, unknown>) =>
      client.message(await world.send(BOB, { to: ALICE, ...body }))
    const does = async (action: string, body: Record<string, unknown>) =>
      client.message(String((await world.post(`/phones/${BOB}/${action}`, body))['messageId']))
    const relays = async (content: proto.IMessage, additionalNodes: ReturnType<typeof bizFlow>) => {
      const message = generateWAMessageFromContent(BOB_JID, content, { userJid: client.creds.me?.id ?? '' })
      const messageId = message.key.id ?? ''
      await client.socket.relayMessage(BOB_JID, message.message ?? {}, { messageId, additionalNodes })
      await world.shown(BOB, messageId)
      return messageId
    }

    test('the path of a file ends in a query, to which clients append parameters', async () => {
      const base64 = Buffer.from('%PDF-1.4').toString('base64')
      const { message } = await sends({ media: { type: 'document', base64, mimetype: 'application/pdf' } })
      const { directPath, url, fileEncSha256 } = message?.documentMessage ?? {}
      const hash = Buffer.from(fileEncSha256 ?? '').toString('base64url')
      assert.ok(url?.endsWith(directPath ?? '-'), url ?? '')
      const file = await fetch(`${world.sandbox.url}${directPath}&hash=${hash}&mms-type=document`)
      assert.equal(file.status, 200)
      assert.deepEqual(sha256(Buffer.from(await file.arrayBuffer())), Buffer.from(fileEncSha256 ?? ''))
    })

    test('a text carries the sender in both forms', async () => {
      const message = await sends({ text: 'oi' })
      const lid = `${bobLid}@lid`
      const [remote, alternative] = addressing === 'lid' ? [lid, BOB_JID] : [BOB_JID, lid]
      assert.equal(message.message?.conversation, 'oi')
      assert.deepEqual([message.key.remoteJid, message.key.remoteJidAlt], [remote, alternative])
      assert.equal(message.pushName, 'Bob')
      assert.equal(await client.upsertType(message.key.id ?? ''), 'notify')
    })

    test('image, video, audio and document arrive with the same bytes', async () => {
      for (const type of ['image', 'video', 'audio', 'document'] as const) {
        const bytes = randomBytes(30_000)
        const media = { type, base64: bytes.toString('base64'), caption: 'see', fileName: 'f.bin' }
        const message = await sends({ media })
        const options = { options: { dispatcher: plainDispatcher() } as unknown as RequestInit }
        const got = await downloadMediaMessage(message, 'buffer', options)
        assert.ok(got.equals(bytes), type)
        const part = message.message?.[`${type}Message`] as { caption?: string } | undefined
        assert.equal(part?.caption, type === 'audio' ? undefined : 'see')
      }
    })

    test('location, contact card and reply arrive', async () => {
      const spot = { latitude: 1.5, longitude: 2.5, name: 'here', address: 'there' }
      const { locationMessage } = (await sends({ location: spot })).message ?? {}
      assert.deepEqual(
        [locationMessage?.degreesLatitude, locationMessage?.degreesLongitude, locationMessage?.name],
        [1.5, 2.5, 'here'],
      )
      const card = (await sends({ contact: { name: 'Zoe', number: BOB } })).message?.contactMessage
      assert.match(card?.vcard ?? '', new RegExp(`FN:Zoe\n.*waid=${BOB}`))
      const sent = await client.socket.sendMessage(BOB_JID, { text: 'well?' })
      const quoted = (await world.shown(BOB, sent?.key.id ?? '')).id
      const reply = (await sends({ text: 'yes', quoted })).message?.extendedTextMessage
      assert.deepEqual([reply?.text, reply?.contextInfo?.stanzaId], ['yes', quoted])
      assert.equal(reply?.contextInfo?.quotedMessage?.extendedTextMessage?.text, 'well?')
    })

    test('taps on a button, a list row and a carousel card arrive with the tapped id', async () => {
      const buttons = [flow('quick_reply', { display_text: 'Yes', id: 'yes' })]
      const native = { body: { text: 'b' }, nativeFlowMessage: { messageVersion: 1, buttons } }
      const cards = { carouselMessage: { messageVersion: 1, cards: [native] }, body: { text: 'c' } }
      for (const interactiveMessage of [native, cards]) {
        const messageId = await relays({ interactiveMessage }, bizFlow())
        const tap = (await does('tap', { messageId, buttonId: 'yes' })).message?.interactiveResponseMessage
        const params = JSON.parse(tap?.nativeFlowResponseMessage?.paramsJson ?? '{}') as { id?: string }
        assert.deepEqual([params.id, tap?.body?.text, tap?.contextInfo?.stanzaId], ['yes', 'Yes', messageId])
      }
      const listMessage = {
        title: 't',
        buttonText: 'Open',
        listType: 1,
        sections: [{ title: 'S', rows: [{ rowId: 'r1', title: 'Row' }] }],
      }
      const messageId = await relays({ listMessage }, bizList())
      const row = (await does('tap', { messageId, rowId: 'r1' })).message?.listResponseMessage
      assert.deepEqual([row?.singleSelectReply?.selectedRowId, row?.title], ['r1', 'Row'])
      const wrong = await world.ask('POST', `/phones/${BOB}/tap`, { messageId, rowId: 'r2' })
      assert.deepEqual([wrong.status, wrong.body['reason']], [404, 'option_not_found'])
    })

    test('polls and votes arrive, and the vote can be decrypted', async () => {
      const own = await sends({ poll: { name: 'Q', options: ['a', 'b'] } })
      assert.equal(own.message?.pollCreationMessageV3?.name, 'Q')
      const poll = await client.socket.sendMessage(BOB_JID, {
        poll: { name: 'Lunch?', values: ['rice', 'beans'], selectableCount: 1 },
      })
      const pollId = (await world.shown(BOB, poll?.key.id ?? '')).id
      const vote = await does('vote', { messageId: pollId, options: ['beans'] })
      assert.deepEqual(openVote(client, poll, vote), ['beans'])
      assert.deepEqual((await world.shown(BOB, pollId)).poll?.votes, { [BOB]: ['beans'] })
    })

    test('reactions, edits and deletions name their target', async () => {
      const sent = await client.socket.sendMessage(BOB_JID, { text: 'nice' })
      const messageId = (await world.shown(BOB, sent?.key.id ?? '')).id
      await does('react', { messageId, emoji: '🎉' })
      const reactions = await client.wait('messages.reaction', ([event]) => event?.key.id === messageId)
      assert.deepEqual([reactions[0]?.reaction.text, reactions[0]?.key.fromMe], ['🎉', true])
      const own = await sends({ text: 'orignal' })
      const id = own.key.id ?? ''
      const secretEdit = await does('edit', { messageId: id, text: 'original' })
      const { secretEncryptedMessage } = secretEdit.message ?? {}
      assert.deepEqual(
        [secretEncryptedMessage?.targetMessageKey?.id, secretEncryptedMessage?.secretEncType],
        [id, proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT],
      )
      assert.equal((await world.shown(BOB, id)).text, 'original')
      await does('edit', { messageId: id, text: 'original', plain: true })
      const edits = await client.wait('messages.update', (all) =>
        all.some(({ key, update }) => key.id === id && update.message?.editedMessage),
      )
      assert.equal(edits[0]?.update.message?.editedMessage?.message?.conversation, 'original')
      await does('delete', { messageId: id })
      await client.wait('messages.update', (all) =>
        all.some(({ key, update }) => key.id === id && update.message === null),
      )
    })

    test('send-content sends any content, for instance a forged key share, which the library ignores', async () => {
      const content = {
        protocolMessage: {
          type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE,
          appStateSyncKeyShare: { keys: [{ keyId: { keyId: 'AAAA' }, keyData: { keyData: 'BBBB' } }] },
        },
      }
      const before = client.creds.myAppStateKeyId
      await does('send-content', { to: ALICE, content })
      assert.equal(client.creds.myAppStateKeyId, before)
      const templateButtonReplyMessage = { selectedId: 'yes', selectedDisplayText: 'Yes' }
      const { message } = await does('send-content', { to: ALICE, content: { templateButtonReplyMessage } })
      assert.equal(message?.templateButtonReplyMessage?.selectedId, 'yes')
    })

    test('typing, read and played reach the client', async () => {
      await world.post(`/phones/${BOB}/typing`, { chat: ALICE, state: 'recording' })
      const typing = await client.wait('presence.update', ({ presences }) =>
        Object.values(presences).some((presence) => presence.lastKnownPresence === 'recording'),
      )
      assert.equal(typing.id, addressing === 'lid' ? `${bobLid}@lid` : BOB_JID)
      const sent = await client.socket.sendMessage(BOB_JID, { text: 'read me' })
      const id = sent?.key.id ?? ''
      const status = (wanted: proto.WebMessageInfo.Status) =>
        client.wait('messages.update', (all) =>
          all.some(({ key, update }) => key.id === id && update.status === wanted),
        )
      await status(proto.WebMessageInfo.Status.DELIVERY_ACK)
      await world.post(`/phones/${BOB}/read`, { chat: ALICE })
      await status(proto.WebMessageInfo.Status.READ)
      await world.post(`/phones/${BOB}/read`, { chat: ALICE, messageId: id, played: true })
      await status(proto.WebMessageInfo.Status.PLAYED)
      assert.equal((await world.shown(BOB, id)).status, 'played')
    })

    test('a message sent from the account’s own phone reaches its linked device as fromMe', async () => {
      const id = await world.send(ALICE, { to: BOB, text: 'from my phone' })
      const { key, message } = await client.message(id)
      assert.deepEqual([key.fromMe, message?.conversation], [true, 'from my phone'])
      assert.equal(key.remoteJid, addressing === 'lid' ? `${bobLid}@lid` : BOB_JID)
      assert.equal((await world.shown(BOB, id)).text, 'from my phone')
    })

    test('typing and read receipts of the client reach the phone, and the client can subscribe to its presence', async () => {
      await client.socket.sendPresenceUpdate('composing', BOB_JID)
      const { typing } = await world.get(`/phones/${BOB}/typing?waitMs=20000`, answers.typing)
      assert.deepEqual([typing[0]?.from, typing[0]?.state], [ALICE, 'typing'])
      const message = await sends({ text: 'seen?' })
      await client.socket.readMessages([message.key])
      const path = `/phones/${BOB}/messages/${message.key.id}?status=read&waitMs=20000`
      assert.equal((await world.get(path, answers.message)).message.status, 'read')
      await client.socket.presenceSubscribe(BOB_JID)
      await client.wait('presence.update', ({ presences }) =>
        Object.values(presences).some((presence) => presence.lastKnownPresence === 'available'),
      )
    })
  })

/** Tries both forms of the two addresses, because a vote uses the addressing of the network. */
function openVote(client: Client, poll: WAMessage | undefined, vote: WAMessage): string[] {
  const me = [client.creds.me?.id, client.creds.me?.lid].map((jid) => jidNormalizedUser(jid))
  const voters = [vote.key.remoteJid ?? '', vote.key.remoteJidAlt ?? '']
  const update = vote.message?.pollUpdateMessage?.vote
  for (const pollCreatorJid of me)
    for (const voterJid of voters)
      try {
        const opened = decryptPollVote(update ?? {}, {
          pollCreatorJid,
          voterJid,
          pollMsgId: poll?.key.id ?? '',
          pollEncKey: poll?.message?.messageContextInfo?.messageSecret ?? new Uint8Array(),
        })
        const chosen = new Set(
          (opened.selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex')),
        )
        return ['rice', 'beans'].filter((option) => chosen.has(sha256(Buffer.from(option)).toString('hex')))
      } catch {}
  return []
}
