// The network library without the gateway: it pairs with the sandbox and chats with an instance, also in a group.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type BinaryNode,
  type DownloadableMessage,
  downloadContentFromMessage,
  getBinaryNodeChild,
  proto,
} from 'baileys'
import { Client, plainDispatcher } from '../sandbox/support/client.ts'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'
import { startWebHost } from '../support/web-host.ts'

const NUMBERS = { pn: '55119777700', lid: '55119888800' } as const
const jidOf = (number: string) => `${number}@s.whatsapp.net`

describe('another client', () => {
  let sandbox: SandboxWorld
  before(async () => {
    sandbox = await startSandboxWorld()
  })
  after(() => sandbox.stop())

  for (const addressing of ['pn', 'lid'] as const)
    describe(`an unmodified client and an instance (${addressing})`, () => {
      const [OWNER, OTHER] = [`${NUMBERS[addressing]}01`, `${NUMBERS[addressing]}02`]
      let line: PairedInstance
      let client: Client
      before(async () => {
        await sandbox.setAddressing(addressing)
        await sandbox.world.phone(OTHER, 'Other')
        line = await sandbox.pair(OWNER)
        client = await new Client(sandbox.world).pair(OTHER)
      })
      after(() => client.end())

      test('the instance writes, the client reads, and its receipts update the message', async () => {
        const body = { instanceName: line.name, number: OTHER, message: 'hello client', delay: 0 }
        const { messageId } = await sandbox.api('sendText', { body })
        const { key, message } = await client.message(messageId)
        assert.equal(message?.extendedTextMessage?.text ?? message?.conversation, 'hello client')
        assert.ok([key.remoteJid, key.remoteJidAlt].includes(jidOf(OWNER)))
        await sandbox.message(line, messageId, ({ status }) => status === 'delivered')
        await client.socket.readMessages([key])
        await sandbox.message(line, messageId, ({ status }) => status === 'read')
      })

      test('the client writes, the instance lists the message and the client gets its receipt', async () => {
        const sent = await client.socket.sendMessage(jidOf(OWNER), { text: 'hello gateway' })
        const message = await sandbox.message(line, sent?.key.id ?? '')
        assert.deepEqual(
          [message.direction, message.number, message.type, message.content.text, message.content.from.phone],
          ['incoming', OTHER, 'text', 'hello gateway', OTHER],
        )
        await client.wait('messages.update', (all) =>
          all.some(
            ({ key, update }) =>
              key.id === sent?.key.id && update.status === proto.WebMessageInfo.Status.DELIVERY_ACK,
          ),
        )
      })

      test('both write in a group that the client created', async () => {
        const { id: groupJid } = await client.socket.groupCreate('Both', [jidOf(OWNER)])
        await until(
          async () => (await sandbox.api('listGroups', { query: { instanceName: line.name } })).groups,
          (groups) =>
            groups.some(
              (group: { groupJid: string; size: number }) => group.groupJid === groupJid && group.size === 2,
            ),
          'the group',
        )
        const body = { instanceName: line.name, groupJid, message: 'from the instance' }
        const { messageId } = await sandbox.api('sendGroup', { body })
        const got = await client.message(messageId)
        assert.equal(got.key.remoteJid, groupJid)
        assert.equal(got.message?.extendedTextMessage?.text ?? got.message?.conversation, 'from the instance')
        await sandbox.message(line, messageId, ({ status }) => status === 'delivered')
        for (const text of ['first', 'second']) {
          const sent = await client.socket.sendMessage(groupJid, { text })
          const message = await sandbox.message(line, sent?.key.id ?? '')
          assert.deepEqual(
            [message.groupJid, message.content.text, message.content.from.phone, message.content.from.jid],
            [groupJid, text, OTHER, jidOf(OTHER)],
          )
        }
      })

      test('the client sees and downloads the picture of each card', async () => {
        const pictures = [png(4, 4), png(5, 5)]
        const host = await startWebHost((request, response) =>
          response.end(pictures[Number(request.url?.slice(1))]),
        )
        const cards = pictures.map((_, index) => ({
          header: { mediaUrl: `${host.url}/${index}` },
          body: `card ${index}`,
          buttons: [{ buttonId: `b${index}`, buttonText: { displayText: 'Buy' } }],
        }))
        const body = { instanceName: line.name, number: OTHER, interactive: { body: 'This week', cards } }
        const { messageId } = await sandbox.api('sendCarousel', { body })
        const { message } = await client.message(messageId)
        const options = { dispatcher: plainDispatcher() } as unknown as RequestInit
        for (const [index, card] of (message?.interactiveMessage?.carouselMessage?.cards ?? []).entries()) {
          const image = card.header?.imageMessage as DownloadableMessage
          const chunks = await (await downloadContentFromMessage(image, 'image', { options })).toArray()
          assert.ok(
            Buffer.concat(chunks as Buffer[]).equals(pictures[index] ?? Buffer.alloc(0)),
            `card ${index}`,
          )
        }
        assert.equal(message?.interactiveMessage?.carouselMessage?.cards?.length, 2)
        await host.close()
      })

      test('two instances of one account chat, and each has its own copy of the message', async () => {
        const second = await sandbox.pair(`${NUMBERS[addressing]}03`)
        const body = { instanceName: line.name, number: second.number, message: 'to my other line', delay: 0 }
        const { messageId } = await sandbox.api('sendText', { body })
        const sent = await sandbox.message(line, messageId, ({ status }) => status === 'delivered')
        const got = await sandbox.message(second, messageId)
        assert.deepEqual([sent.direction, sent.number], ['outgoing', second.number])
        assert.deepEqual(
          [got.direction, got.number, got.content.text],
          ['incoming', OWNER, 'to my other line'],
        )
        const { message } = await sandbox.api('getMessage', { params: { messageId } })
        assert.deepEqual([message.direction, message.instanceName], ['outgoing', line.name])
      })

      test('a client that lost its session requests the message again and gets it', async () => {
        const stanzas: BinaryNode[] = []
        client.socket.ws.on('CB:message', (stanza: BinaryNode) => stanzas.push(stanza))
        const buttons = [{ buttonId: 'yes', buttonText: { displayText: 'Yes' } }]
        const body = { instanceName: line.name, number: OTHER, delay: 0 }
        client.loseSessions()
        const text = await sandbox.api('sendText', { body: { ...body, message: 'once more' } })
        const got = (await client.message(text.messageId)).message
        assert.equal(got?.extendedTextMessage?.text ?? got?.conversation, 'once more')
        client.loseSessions()
        const sent = await sandbox.api('sendButton', {
          body: { ...body, interactive: { body: 'Sure?', buttons } },
        })
        const { message } = await client.message(sent.messageId)
        assert.equal(message?.interactiveMessage?.body?.text, 'Sure?')
        const tries = stanzas.filter(({ attrs }) => attrs.id === sent.messageId)
        assert.ok(tries.length > 1, 'the session was not lost')
        for (const each of tries)
          assert.ok(getBinaryNodeChild(each, 'biz'), 'without this node phones show nothing')
        await sandbox.message(line, sent.messageId, ({ status }) => status === 'delivered')
      })

      test('content that is not a message delays nothing', async () => {
        const { socket } = client
        const id = 'GARBAGE1'
        const devices = await socket.getUSyncDevices([jidOf(OWNER)], false, true)
        const parts = await Promise.all(
          devices.map(async ({ jid }) => {
            const data = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 1])
            const { type, ciphertext } = await socket.signalRepository.encryptMessage({ jid, data })
            const enc = { tag: 'enc', attrs: { v: '2', type }, content: ciphertext }
            return { tag: 'to', attrs: { jid }, content: [enc] }
          }),
        )
        const participants = { tag: 'participants', attrs: {}, content: parts }
        await socket.sendNode({
          tag: 'message',
          attrs: { id, to: jidOf(OWNER), type: 'text' },
          content: [participants],
        })
        const sent = await socket.sendMessage(jidOf(OWNER), { text: 'after it' })
        await sandbox.message(line, sent?.key.id ?? '')
        const waiting = await sandbox.app.store.db
          .selectFrom('inbox')
          .select('name')
          .where('instance_id', '=', line.id)
          .where('processed_at', 'is', null)
          .execute()
        assert.deepEqual(waiting, [])
      })
    })
})
