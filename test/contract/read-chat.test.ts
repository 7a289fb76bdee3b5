// POST /chats/read (decision 0060)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findInstanceById } from '../../src/instances/instance-queries.ts'
import type { ReceivedMessage } from '../../src/network/message.ts'
import { NetworkError, type ReadMessage } from '../../src/network/network.ts'
import { recordArrival } from '../../src/receiving/received.ts'
import { contractOnEachEngine } from '../support/gateway.ts'
import { type Fixture, faultPaths, scripted, withInstance } from './fixture.ts'

const GROUP = '120363000000000009@g.us'
let people = 0
const newPerson = () => `55119100${String((people += 1)).padStart(5, '0')}@s.whatsapp.net`

/** Receives messages from the network, one after the other. */
async function receive({ store, clock, instance }: Fixture, jid: string, ids: string[], chat = jid) {
  for (const id of ids) {
    await store.db
      .insertInto('inbox')
      .values({ instance_id: instance.id, name: id, sealed: Buffer.from('-'), received_at: clock.now() })
      .execute()
    const phone = jid.split('@')[0] ?? ''
    const message: ReceivedMessage = {
      id,
      chat,
      addressedAs: { chat: chat === jid ? `${phone}@lid` : chat, participant: chat === jid ? null : jid },
      from: { jid, lid: null, phone, pushName: 'Ana' },
      fromMe: false,
      sentAtMs: clock.now(),
      type: 'text',
      text: id,
      media: null,
      quoted: null,
      interactiveReplyId: null,
      content: {},
    }
    const report = { messages: [message], people: [], chats: [], isHistory: false }
    const receiver = await findInstanceById(store.db, instance.id)
    assert.ok(receiver)
    await recordArrival({ store, clock: clock.now, wakeSending: () => undefined }, receiver, {
      name: id,
      read: report,
    })
  }
}

contractOnEachEngine('POST /chats/read', (gateway) => {
  const fixture = withInstance(gateway)
  const read = async (chat: unknown, query: Record<string, string> = {}, fields: object = {}) => {
    const { mine, instance } = await fixture()
    return mine.call('readChat', {
      query: { instanceName: instance.name, ...query },
      body: { chat, ...fields },
    })
  }
  const listed = async (jid: string) => {
    const { mine, instance } = await fixture()
    const { json } = await mine.call('listChats', { query: { instanceName: instance.name, limit: 100 } })
    return json.chats.find((chat: { remoteJid: string }) => chat.remoteJid === jid)
  }
  const events = async () => {
    const { mine, instance } = await fixture()
    const query = { instanceName: instance.name, limit: 500 }
    return (await mine.call('listEvents', { query })).json.events as {
      event: string
      data: Record<string, unknown>
    }[]
  }

  test('200 sets messages to read and the unread count to 0, and sends receipts as the network addressed the messages', async () => {
    const running = await fixture()
    const ana = newPerson()
    await receive(running, ana, ['A1', 'A2'])
    assert.equal((await listed(ana)).unreadCount, 2)
    const receipts: ReadMessage[][] = []
    const before = await events()
    const answer = await scripted(running, { markRead: (messages) => void receipts.push(messages) }, () =>
      read(ana),
    )
    assert.equal(answer.status, 200)
    const chat = await listed(ana)
    assert.deepEqual(answer.json, { success: true, chat, receipts: 'sent' })
    assert.deepEqual([chat.unreadCount, chat.lastMessageText], [0, 'A2'])
    const lid = ana.replace('s.whatsapp.net', 'lid')
    assert.deepEqual(receipts, [
      ['A1', 'A2'].map((messageId) => ({ messageId, chat: lid, participant: null })),
    ])
    assert.deepEqual(
      (await events())
        .slice(before.length)
        .map(({ event, data }) => [event, data.messageId ?? data.chat, data.status ?? data.unreadCount]),
      [
        ['messages.update', 'A1', 'read'],
        ['messages.update', 'A2', 'read'],
        ['chats.update', ana, 0],
      ],
    )
    const { json } = await running.mine.call('getMessage', { params: { messageId: 'A1' } })
    assert.deepEqual([json.message.status, typeof json.message.readAt], ['read', 'string'])
    assert.ok(!JSON.stringify(json).includes('@lid'), 'how the network addressed it is not shown')
  })

  test('200 sends no receipts and no event when nothing is unread', async () => {
    const running = await fixture()
    const ana = newPerson()
    await receive(running, ana, ['B1'])
    await read(ana)
    const before = (await events()).length
    const markRead = () => assert.fail('no receipt may be sent')
    const answer = await scripted(running, { markRead }, () => read(ana))
    assert.deepEqual([answer.status, answer.json.receipts, answer.json.chat.unreadCount], [200, 'none', 0])
    assert.equal((await events()).length, before)
  })

  test('200 sends each author in a group the receipts of their own messages', async () => {
    const running = await fixture()
    const [ana, ben] = [newPerson(), newPerson()]
    await receive(running, ana, ['C1'], GROUP)
    await receive(running, ben, ['C2'], GROUP)
    const receipts: ReadMessage[] = []
    await scripted(running, { markRead: (messages) => void receipts.push(...messages) }, () => read(GROUP))
    assert.deepEqual(receipts, [
      { messageId: 'C1', chat: GROUP, participant: ana },
      { messageId: 'C2', chat: GROUP, participant: ben },
    ])
  })

  test('200 marks the chat as read when receipts cannot be sent, or not in time', async () => {
    const running = await fixture()
    for (const kind of ['unavailable', 'timeout'] as const) {
      const ana = newPerson()
      await receive(running, ana, [`D-${kind}`])
      const markRead = () => {
        throw new NetworkError(kind, 'no way')
      }
      const answer = await scripted(running, { markRead }, () => read(ana))
      assert.deepEqual([answer.status, answer.json.receipts], [200, 'not_sent'])
      assert.equal((await listed(ana)).unreadCount, 0)
      assert.equal((await read(ana)).json.receipts, 'none')
    }
  })

  test('200 sends receipts once for concurrent calls', async () => {
    const running = await fixture()
    const ana = newPerson()
    await receive(running, ana, ['E1'])
    const answers = await Promise.all([read(ana), read(ana)])
    assert.deepEqual(answers.map(({ json }) => json.receipts).sort(), ['none', 'sent'])
  })

  test('200 withholds receipts of a chat that is only viewed, if the instance has viewWithoutReceipts', async () => {
    const running = await fixture()
    const query = { instanceName: running.instance.name }
    const looked = async (viewWithoutReceipts: boolean, viewed: boolean) => {
      const ana = newPerson()
      await receive(running, ana, [`F-${ana}`])
      await running.mine.call('updateSettings', { query, body: { viewWithoutReceipts } })
      const sent: ReadMessage[] = []
      const answer = await scripted(running, { markRead: (messages) => void sent.push(...messages) }, () =>
        read(ana, {}, { viewed }),
      )
      assert.equal((await listed(ana)).unreadCount, 0)
      const again = await read(ana)
      return [answer.json.receipts, sent.length, again.json.receipts]
    }
    assert.deepEqual(await looked(true, true), ['withheld', 0, 'none'])
    assert.deepEqual(await looked(true, false), ['sent', 1, 'none'])
    assert.deepEqual(await looked(false, true), ['sent', 1, 'none'])
  })

  test('400 when chat is not valid or instanceName is missing', async () => {
    assert.deepEqual(faultPaths(await read(undefined)), ['number'])
    for (const chat of ['', 'ana', '5511912345678', 7])
      assert.deepEqual(faultPaths(await read(chat)), ['chat'])
    const { mine } = await fixture()
    const answer = await mine.call('readChat', { body: { chat: GROUP } })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance or chat does not exist', async () => {
    const unknown = await read(GROUP, { instanceName: 'unknown-00000000' })
    assert.deepEqual([unknown.status, unknown.json.reason], [404, 'instance_not_found'])
    const unknownChat = await read(newPerson())
    assert.deepEqual([unknownChat.status, unknownChat.json.reason], [404, 'chat_not_found'])
  })
})
