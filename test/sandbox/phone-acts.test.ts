// What phones and clients do to messages and with rarer kinds, in both directions: pins, forwards, disappearing messages,
// events, invitations, deletions by an admin, video notes and stickers.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type AnyMessageContent,
  downloadMediaMessage,
  generateWAMessageFromContent,
  proto,
  type WAMessage,
} from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client, plainDispatcher } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const CAROL = '5511900000003'
const DAY = 86_400
const jid = (number: string) => `${number}@s.whatsapp.net`

for (const addressing of ['pn', 'lid'] as const)
  describe(`acts of phone and client (${addressing})`, () => {
    let world: World
    let client: Client
    let group: string
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      for (const [number, name] of [
        [ALICE, 'Alice'],
        [BOB, 'Bob'],
        [CAROL, 'Carol'],
      ] as const)
        await world.phone(number, name)
      const made = await world.post('/groups', { subject: 'Team', members: [ALICE, CAROL], admin: BOB })
      group = answers.group.parse(made).group.jid
      client = await new Client(world).pair(ALICE)
    })
    after(async () => {
      await client.end()
      await world.stop()
    })

    const does = async (action: string, body: Record<string, unknown>) =>
      client.message(String((await world.post(`/phones/${BOB}/${action}`, body))['messageId']))
    const sends = async (content: AnyMessageContent, to = jid(BOB)): Promise<WAMessage> => {
      const sent = await client.socket.sendMessage(to, content)
      assert.ok(sent)
      return sent
    }
    const shown = (message: WAMessage | undefined, number = BOB) => world.shown(number, message?.key.id ?? '')
    const chatOf = async (number: string, chat: string) =>
      (await world.get(`/phones/${number}/chats`, answers.chats)).chats.find((entry) => entry.chat === chat)

    test('a client pins a message on the phone and unpins it', async () => {
      const sent = await sends({ text: 'the address' })
      const pin = await sends({ pin: sent.key, type: proto.PinInChat.Type.PIN_FOR_ALL, time: DAY })
      const shownPin = await shown(pin)
      assert.deepEqual([shownPin.kind, shownPin.target, shownPin.seconds], ['pin', sent.key.id, DAY])
      assert.equal((await shown(sent)).pinnedUntil, shownPin.timestamp + DAY)
      await shown(await sends({ pin: sent.key, type: proto.PinInChat.Type.UNPIN_FOR_ALL }))
      assert.equal((await shown(sent)).pinnedUntil, undefined)
    })

    test('a phone pins a message at the client and unpins it', async () => {
      const messageId = await world.send(BOB, { to: ALICE, text: 'pin me' })
      const pinned = (await does('pin', { messageId, seconds: 7 * DAY })).message
      const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type
      assert.deepEqual(
        [pinned?.pinInChatMessage?.key?.id, pinned?.pinInChatMessage?.type],
        [messageId, PIN_FOR_ALL],
      )
      assert.equal(pinned?.messageContextInfo?.messageAddOnDurationInSecs, 7 * DAY)
      assert.ok((await world.shown(BOB, messageId)).pinnedUntil)
      const unpinned = (await does('pin', { messageId, seconds: null })).message
      assert.equal(unpinned?.pinInChatMessage?.type, UNPIN_FOR_ALL)
      assert.equal((await world.shown(BOB, messageId)).pinnedUntil, undefined)
    })

    test('a message of another person is forwarded with a mark, a sent one without', async () => {
      const theirs = await client.message(await world.send(BOB, { to: ALICE, text: 'pass it on' }))
      const forwarded = await client.socket.sendMessage(jid(CAROL), { forward: theirs })
      const atCarol = await shown(forwarded, CAROL)
      assert.deepEqual([atCarol.text, atCarol.forwarded], ['pass it on', true])
      const sent = await sends({ text: 'further' })
      await shown(sent)
      const copy = (await does('forward', { messageId: sent.key.id, to: ALICE })).message?.extendedTextMessage
      assert.deepEqual(
        [copy?.text, copy?.contextInfo?.isForwarded, copy?.contextInfo?.forwardingScore],
        ['further', true, 1],
      )
      const messageId = await world.send(BOB, { to: ALICE, text: 'mine' })
      const own = (await does('forward', { messageId, to: group })).message?.extendedTextMessage
      assert.deepEqual([own?.text, own?.contextInfo?.isForwarded ?? false], ['mine', false])
      const reaction = await world.post(`/phones/${BOB}/react`, { messageId, emoji: '👍' })
      const refused = await world.ask('POST', `/phones/${BOB}/forward`, {
        messageId: reaction['messageId'],
        to: CAROL,
      })
      assert.deepEqual([refused.status, refused.body['reason']], [400, 'invalid_request'])
    })

    test('a client switches disappearing messages on, and both sides send with the expiration', async () => {
      const setting = await shown(await sends({ disappearingMessagesInChat: DAY }))
      assert.deepEqual([setting.kind, setting.seconds], ['disappearing', DAY])
      assert.equal((await chatOf(BOB, ALICE))?.disappearingSeconds, DAY)
      assert.equal((await chatOf(ALICE, BOB))?.disappearingSeconds, DAY)
      const sent = await client.socket.sendMessage(
        jid(BOB),
        { text: 'soon gone' },
        { ephemeralExpiration: DAY },
      )
      assert.equal((await shown(sent)).expiresAfterSeconds, DAY)
      const answer = await client.message(await world.send(BOB, { to: ALICE, text: 'too' }))
      assert.equal(answer.message?.extendedTextMessage?.contextInfo?.expiration, DAY)
    })

    test('a phone switches disappearing messages off, which the client learns', async () => {
      await world.post(`/phones/${BOB}/disappearing`, { chat: ALICE, seconds: 7 * DAY })
      await client.wait('chats.update', (all) => all.some((chat) => chat.ephemeralExpiration === 7 * DAY))
      await world.post(`/phones/${BOB}/disappearing`, { chat: ALICE, seconds: 0 })
      await client.wait('chats.update', (all) => all.some((chat) => chat.ephemeralExpiration === null))
      assert.equal((await chatOf(BOB, ALICE))?.disappearingSeconds, 0)
      const wrong = await world.ask('POST', `/phones/${BOB}/disappearing`, { chat: ALICE, seconds: 5 })
      assert.equal(wrong.status, 400)
    })

    test('in a group the phone sets how long messages are kept for the group', async () => {
      await world.post(`/phones/${BOB}/disappearing`, { chat: group, seconds: DAY })
      await client.chatNews(group, (chat) => chat.ephemeralExpiration === DAY)
      assert.equal((await chatOf(CAROL, group))?.disappearingSeconds, DAY)
      const text = (await client.message(await world.send(BOB, { to: group, text: 'x' }))).message
      assert.equal(text?.extendedTextMessage?.contextInfo?.expiration, DAY)
      await world.post(`/phones/${BOB}/disappearing`, { chat: group, seconds: 0 })
    })

    test('events arrive in both directions with time and place', async () => {
      const startsAt = '2030-01-02T10:00:00.000Z'
      const endsAt = '2030-01-02T12:00:00.000Z'
      const sent = await sends({
        event: {
          name: 'Lunch',
          description: 'bring food',
          startDate: new Date(startsAt),
          endDate: new Date(endsAt),
          location: { name: 'Park', degreesLatitude: 1, degreesLongitude: 2 },
        },
      })
      const atBob = await shown(sent)
      assert.deepEqual([atBob.kind, atBob.text], ['event', 'Lunch'])
      const event = { name: 'Lunch', description: 'bring food', startsAt, endsAt, place: 'Park' }
      assert.deepEqual(atBob.event, { ...event, canceled: false })
      const id = await world.send(BOB, { to: ALICE, event })
      const { message } = await client.message(id)
      assert.deepEqual(
        [message?.eventMessage?.name, message?.eventMessage?.location?.name],
        ['Lunch', 'Park'],
      )
      assert.equal(Number(message?.eventMessage?.startTime), Date.parse(startsAt) / 1000)
      assert.equal(message?.messageContextInfo?.messageSecret?.length, 32)
      const wrong = await world.ask('POST', `/phones/${BOB}/send`, {
        to: ALICE,
        event: { name: 'x', startsAt: 'soon' },
      })
      assert.deepEqual(
        [wrong.status, (wrong.body['details'] as { path: string }[])[0]?.path],
        [400, 'event.startsAt'],
      )
    })

    test('the phone shows a personal invitation that a client sends', async () => {
      // The library's own content for invitations fails for a group without a picture.
      const groupInviteMessage = {
        groupJid: group,
        groupName: 'Team',
        inviteCode: 'abc',
        inviteExpiration: 1_900_000_000,
        caption: 'join us',
      }
      const userJid = client.creds.me?.id ?? ''
      const sent = generateWAMessageFromContent(jid(BOB), { groupInviteMessage }, { userJid })
      await client.socket.relayMessage(jid(BOB), sent.message ?? {}, { messageId: sent.key.id ?? '' })
      const atBob = await shown(sent)
      assert.deepEqual([atBob.kind, atBob.text], ['groupInvite', 'join us'])
      assert.deepEqual(atBob.groupInvite, { jid: group, subject: 'Team', expiresAt: 1_900_000_000 })
    })

    test('an admin deletes the message of a member, and a member cannot', async () => {
      const sent = await sends({ text: 'unwanted' }, group)
      const messageId = (await shown(sent)).id
      await shown(sent, CAROL)
      const refused = await world.ask('POST', `/phones/${CAROL}/delete`, { messageId })
      assert.deepEqual([refused.status, refused.body['reason']], [409, 'not_own_message'])
      const revoke = await does('delete', { messageId })
      const frames = await world.frames(`id=${revoke.key.id}&number=${ALICE}&tag=message`)
      assert.equal(frames[0]?.attributes['edit'], '8')
      await client.wait('messages.update', (all) =>
        all.some(({ key, update }) => key.id === messageId && update.message === null),
      )
      await world.shown(CAROL, revoke.key.id ?? '')
      assert.equal((await world.shown(CAROL, messageId)).deleted, true)
    })

    test('a client that is an admin deletes the message of a phone', async () => {
      const body = { change: 'promote', members: [ALICE] }
      await world.post(`/groups/${group}/members`, body)
      const theirs = await client.message(await world.send(CAROL, { to: group, text: 'spam' }))
      await shown(await sends({ delete: theirs.key }, group), CAROL)
      assert.equal((await world.shown(CAROL, theirs.key.id ?? '')).deleted, true)
    })

    test('video notes and stickers arrive in both directions with the same bytes', async () => {
      const bytes = randomBytes(20_000)
      const download = { options: { dispatcher: plainDispatcher() } as unknown as RequestInit }
      const note = await shown(await sends({ video: bytes, ptv: true, jpegThumbnail: '' }))
      assert.deepEqual([note.kind, note.media?.videoNote], ['video', true])
      const sticker = await shown(await sends({ sticker: bytes }))
      assert.equal(sticker.kind, 'sticker')
      for (const { id } of [note, sticker])
        assert.deepEqual(await world.bytes(`/phones/${BOB}/messages/${id}/media`), bytes)
      const base64 = bytes.toString('base64')
      for (const [media, part] of [
        [{ type: 'video', videoNote: true, seconds: 3, base64 }, 'ptvMessage'],
        [{ type: 'sticker', base64 }, 'stickerMessage'],
      ] as const) {
        const message = await client.message(await world.send(BOB, { to: ALICE, media }))
        assert.ok(message.message?.[part], part)
        assert.deepEqual(await downloadMediaMessage(message, 'buffer', download), bytes)
      }
    })
  })
