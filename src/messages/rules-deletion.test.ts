import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeletionOf } from './rules.ts'

describe('deletions', () => {
  const sent = { id: 'M1', direction: 'outgoing' }
  const deletion = (status: string, direction: string | null, messageId = 'M1') => ({
    status,
    target: { messageId, direction },
  })
  test('count from their acceptance, unless they failed', () => {
    for (const status of ['queued', 'sending', 'sent', 'received'])
      assert.equal(isDeletionOf(sent, deletion(status, 'outgoing')), true, status)
    assert.equal(isDeletionOf(sent, deletion('failed', 'outgoing')), false)
  })
  test('concern the message of their id and direction only', () => {
    assert.equal(isDeletionOf(sent, deletion('sent', null)), true)
    assert.equal(isDeletionOf(sent, deletion('sent', 'incoming')), false)
    assert.equal(isDeletionOf(sent, deletion('sent', 'outgoing', 'M11')), false)
  })
})
