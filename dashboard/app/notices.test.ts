import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noticeOf } from './notices.ts'

const MESSAGE = {
  chat: '5511912345678@s.whatsapp.net',
  direction: 'incoming',
  type: 'text',
  text: 'a secret',
} as const
const CHAT = { title: 'Ana', archived: false, isMuted: false }

describe('desktop notifications', () => {
  test('contain the text only if the reader has allowed it', () => {
    assert.equal(noticeOf(MESSAGE, CHAT, 'off', 'New message'), undefined)
    assert.deepEqual(noticeOf(MESSAGE, CHAT, 'name', 'New message'), { title: 'Ana', body: 'New message' })
    assert.deepEqual(noticeOf(MESSAGE, CHAT, 'text', 'New message'), { title: 'Ana', body: 'a secret' })
    assert.equal(noticeOf({ ...MESSAGE, text: null }, CHAT, 'text', 'New message')?.body, 'New message')
  })

  test('come only for new messages of other people, in chats that are neither muted nor archived', () => {
    const target = { messageId: 'A', direction: 'incoming' } as never
    for (const change of [
      { direction: 'outgoing' as const },
      { historical: true },
      { target },
      { chat: 'status@broadcast' },
    ])
      assert.equal(noticeOf({ ...MESSAGE, ...change }, CHAT, 'text', ''), undefined, JSON.stringify(change))
    assert.equal(noticeOf(MESSAGE, { ...CHAT, isMuted: true }, 'text', ''), undefined)
    assert.equal(noticeOf(MESSAGE, { ...CHAT, archived: true }, 'text', ''), undefined)
  })
})
