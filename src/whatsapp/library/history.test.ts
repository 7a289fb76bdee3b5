// A part of a history is cut to its bounds before objects are made of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { proto } from 'baileys'
import { boundLists, readHistoryPart } from './history.ts'

const id = '1@s.whatsapp.net'
const message = { key: { id: 'A', remoteJid: id }, messageTimestamp: 1 }

describe('a part of a history', () => {
  test('within the bounds stays as it is', () => {
    const bytes = Buffer.from(
      proto.HistorySync.encode({
        syncType: proto.HistorySync.HistorySyncType.RECENT,
        conversations: [{ id, messages: [{ message }] }],
        pushnames: [{ id, pushname: 'Ana' }],
        progress: 10,
      }).finish(),
    )
    assert.deepEqual(boundLists(bytes), { bytes, truncated: false })
  })

  test('has no empty elements, and a limited number of a list', () => {
    const empty = Buffer.alloc(600_000, Buffer.from([(2 << 3) | 2, 0]))
    const names = proto.HistorySync.encode({
      syncType: proto.HistorySync.HistorySyncType.PUSH_NAME,
      pushnames: Array.from({ length: 60_000 }, (_, index) => ({ id: `${index}@lid`, pushname: 'x' })),
      progress: 10,
    }).finish()
    const { bytes, truncated } = boundLists(Buffer.concat([empty, names]))
    const history = proto.HistorySync.decode(bytes)
    assert.equal(truncated, true)
    assert.deepEqual(
      [history.conversations.length, history.pushnames.length, history.progress],
      [0, 50_000, 10],
    )
  })

  test('has chats with an identifier, each once, and messages with one', async () => {
    const history = proto.HistorySync.encode({
      syncType: proto.HistorySync.HistorySyncType.RECENT,
      conversations: [
        { id, messages: [{ message }, { message: { key: { id: 'B' } } }] },
        { id, messages: [] },
        { id: 'x', messages: [] },
      ],
    }).finish()
    const read = await readHistoryPart({ initialHistBootstrapInlinePayload: deflateSync(history) }, {})
    assert.deepEqual(
      [read.chats.map((chat) => chat.id), read.messages.map(({ key }) => key.id), read.truncated],
      [[id], ['A'], true],
    )
  })
})
