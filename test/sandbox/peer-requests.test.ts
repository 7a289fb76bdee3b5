// What a client asks its own phone for: older messages, messages that it could not read, and another upload of media.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type BaileysEventMap, type BinaryNode, downloadMediaMessage, proto, type WAMessage } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client, plainDispatcher } from './support/client.ts'
import { PNG } from './support/content.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const { HistorySyncType } = proto.HistorySync
const { EndOfHistoryTransferType } = proto.Conversation

for (const addressing of ['pn', 'lid'] as const)
  describe(`requests to the phone of the account (${addressing})`, () => {
    let world: World
    let client: Client
    let group: string
    /** The messages that the client got when it was linked. */
    let known: WAMessage[]
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      await world.phone(BOB, 'Bob')
      const made = await world.post('/groups', { subject: 'Team', members: [BOB], admin: ALICE })
      group = answers.group.parse(made).group.jid
      for (const to of [ALICE, group])
        for (const text of ['one', 'two', 'three', 'four', 'five'])
          await world.shown(ALICE, await world.send(BOB, { to, text }))
      client = await new Client(world).pair(ALICE)
      known = client.seen.flatMap((event) =>
        event.name === 'messaging-history.set' ? event.data.messages : [],
      )
      // The library reports a message from the history once per connection.
      await client.end()
      await client.login()
    })
    after(async () => {
      await client.end()
      await world.stop()
    })

    const stored = (text: string, isGroup = false): WAMessage => {
      const found = known.find(
        ({ key, message }) =>
          message?.conversation === text && (key.remoteJid?.endsWith('@g.us') ?? false) === isGroup,
      )
      assert.ok(found)
      return found
    }
    const asks = async (count: number, { key, messageTimestamp }: WAMessage) => {
      const requestId = await client.socket.fetchMessageHistory(count, key, Number(messageTimestamp) * 1000)
      return client.wait(
        'messaging-history.set',
        ({ peerDataRequestSessionId }) => peerDataRequestSessionId === requestId,
      )
    }
    const textsOf = ({ messages }: BaileysEventMap['messaging-history.set']) =>
      messages.map(({ message }) => message?.conversation)

    test('the phone sends the messages before the given one, and says whether there are more', async () => {
      const some = await asks(2, stored('four'))
      assert.equal(some.syncType, HistorySyncType.ON_DEMAND)
      assert.deepEqual(textsOf(some), ['three', 'two'])
      const { endOfHistoryTransferType: more } = some.chats[0] ?? {}
      assert.equal(more, EndOfHistoryTransferType.COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY)
      const rest = await asks(10, stored('two'))
      assert.deepEqual(textsOf(rest), ['one'])
      assert.deepEqual(textsOf(await asks(10, stored('one'))), [])
    })

    test('the messages of a group name their authors', async () => {
      const history = await asks(1, stored('two', true))
      assert.deepEqual(textsOf(history), ['one'])
      assert.equal(history.messages[0]?.key.participant, stored('two', true).key.participant)
      const { endOfHistoryTransferType: end } = history.chats[0] ?? {}
      assert.equal(end, EndOfHistoryTransferType.COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY)
    })

    test('a phone that is offline answers when it is back', async () => {
      await world.post('/faults', { number: ALICE, kind: 'offline' })
      const waiting = asks(1, stored('three', true))
      await client.roundTrip()
      await world.ask('DELETE', `/faults?number=${ALICE}`)
      assert.deepEqual(textsOf(await waiting), ['two'])
    })

    test('the phone sends a message again that the client could not read', async () => {
      const { key } = stored('five')
      await client.socket.requestPlaceholderResend(key)
      const again = await client.message(key.id ?? '')
      assert.deepEqual([again.key.remoteJid, again.message?.conversation], [key.remoteJid, 'five'])
    })

    test('the request of another person is not answered, even if it is marked as one of a device of the account', async () => {
      const bob = await new Client(world).pair(BOB)
      const { HISTORY_SYNC_ON_DEMAND } = proto.Message.PeerDataOperationRequestType
      const protocolMessage = {
        type: proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_MESSAGE,
        peerDataOperationRequestMessage: {
          peerDataOperationRequestType: HISTORY_SYNC_ON_DEMAND,
          historySyncOnDemandRequest: { chatJid: stored('one').key.remoteJid ?? '', onDemandMsgCount: 5 },
        },
      }
      const to = `${ALICE}@s.whatsapp.net`
      await bob.socket.assertSessions([to])
      const { nodes } = await bob.socket.createParticipantNodes([to], { protocolMessage })
      const id = 'FORGED'
      const content = nodes.flatMap((node) => node.content as BinaryNode[])
      await bob.socket.sendNode({
        tag: 'message',
        attrs: { id, to, type: 'text', category: 'peer' },
        content,
      })
      const later = await bob.socket.sendMessage(to, { text: 'after it' })
      await world.shown(ALICE, later?.key.id ?? '')
      await client.message(later?.key.id ?? '')
      await client.roundTrip()
      assert.ok((await world.frames(`id=${id}&number=${ALICE}`)).length > 0, 'the phone got the request')
      const answered = client.seen.some(
        (event) => event.name === 'messaging-history.set' && event.data.peerDataRequestSessionId === id,
      )
      assert.equal(answered, false)
      await bob.end()
    })

    const download = (message: WAMessage) =>
      downloadMediaMessage(message, 'buffer', {
        options: { dispatcher: plainDispatcher() } as unknown as RequestInit,
      })

    test('media that expired on the network is uploaded again by the phone', async () => {
      const bytes = randomBytes(20_000)
      // The library builds the new URL with the media host, which it knows after this query.
      await client.socket.refreshMediaConn()
      const media = { type: 'document', base64: bytes.toString('base64'), fileName: 'f.bin' }
      const id = await world.send(BOB, { to: ALICE, media })
      const message = await client.message(id)
      await world.shown(ALICE, id)
      await world.post(`/phones/${ALICE}/expire-media`, { messageId: id })
      await assert.rejects(
        download(message),
        (error: { output?: { statusCode: number } }) => error.output?.statusCode === 410,
      )
      assert.deepEqual(await world.bytes(`/phones/${ALICE}/messages/${id}/media`), bytes)
      assert.deepEqual(await download(await client.socket.updateMediaMessage(message)), bytes)
    })

    test('a phone that no longer has the message refuses the upload', async () => {
      const media = { type: 'image', base64: PNG.toString('base64') }
      const id = await world.send(BOB, { to: ALICE, media })
      const message = await client.message(id)
      await world.shown(ALICE, id)
      await world.post(`/phones/${ALICE}/expire-media`, { messageId: id })
      await world.post(`/phones/${ALICE}/delete-for-me`, { messageId: id })
      await assert.rejects(
        client.socket.updateMediaMessage(message),
        (error: { output?: { statusCode: number } }) => error.output?.statusCode === 404,
      )
      const text = await world.send(BOB, { to: ALICE, text: 'no file' })
      await world.shown(ALICE, text)
      const none = await world.ask('POST', `/phones/${ALICE}/expire-media`, { messageId: text })
      assert.deepEqual([none.status, none.body['reason']], [404, 'media_not_found'])
    })

    test('a request with a wrong key is refused', async () => {
      const media = { type: 'image', base64: randomBytes(500).toString('base64') }
      const message = await client.message(await world.send(BOB, { to: ALICE, media }))
      const image = message.message?.imageMessage
      assert.ok(image)
      image.mediaKey = randomBytes(32)
      await assert.rejects(
        client.socket.updateMediaMessage(message),
        (error: { output?: { statusCode: number } }) => error.output?.statusCode === 412,
      )
    })
  })
