import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { firstUnread, isJoined, type ThreadMessage } from './shown-messages.ts'

const shown = (messageId: string, change: object = {}, seconds = 0): ThreadMessage =>
  ({
    message: {
      messageId,
      direction: 'incoming',
      status: 'delivered',
      sendAt: null,
      createdAt: new Date(seconds * 1000).toISOString(),
      content: { from: { jid: 'ana' } },
      ...change,
    },
  }) as unknown as ThreadMessage

describe('messages that stand together', () => {
  test('those of one sender within five minutes', () => {
    assert.equal(isJoined(shown('a'), shown('b', {}, 60)), true)
    assert.equal(isJoined(shown('a'), shown('b', {}, 300)), false)
    assert.equal(isJoined(shown('a'), shown('b', { content: { from: { jid: 'bia' } } })), false)
    assert.equal(isJoined(shown('a', { direction: 'outgoing' }), shown('b')), false)
    assert.equal(isJoined(undefined, shown('b')), false)
  })

  test('the unread ones begin after the last that is read or was sent', () => {
    assert.equal(firstUnread([shown('a', { status: 'read' }), shown('b'), shown('c')]), 'incoming b')
    assert.equal(firstUnread([shown('a'), shown('b', { direction: 'outgoing', status: 'sent' })]), undefined)
    assert.equal(firstUnread([]), undefined)
  })
})
