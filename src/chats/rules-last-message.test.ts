import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type LastMessageRow, lastMessageOf } from './rules.ts'

const from = { jid: '5511900000001@s.whatsapp.net', lid: null, phone: '5511900000001', pushName: 'Ana' }
const VOICE: LastMessageRow = {
  last_message_text: null,
  last_message_deleted: 0,
  last_id: 'one',
  last_direction: 'incoming',
  last_kind: 'audio',
  last_status: 'delivered',
  last_content: JSON.stringify({ from, voice: true, media: { seconds: 4 } }),
}

describe('the last message of a chat', () => {
  test('a received voice message has its author and its seconds', () => {
    const { from: author, voice, seconds, deleted, text } = lastMessageOf(VOICE) ?? {}
    assert.deepEqual([author, voice, seconds, deleted, text], [from, true, 4, false, null])
  })

  test('a deleted message is marked as deleted and shows no content', () => {
    const { deleted, seconds, text } = lastMessageOf({ ...VOICE, last_message_deleted: 1 }) ?? {}
    assert.deepEqual([deleted, seconds, text], [true, null, null])
  })

  test('a sent message has its status and no author', () => {
    const sent = { ...VOICE, last_direction: 'outgoing', last_status: 'read', last_kind: 'text' }
    const { from: author, status, voice } = lastMessageOf(sent) ?? {}
    assert.deepEqual([author, status, voice], [null, 'read', false])
  })

  test('a chat without a stored message has none', () => {
    assert.equal(lastMessageOf({ ...VOICE, last_id: null, last_content: null }), null)
  })
})
