import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLaterStatus, MESSAGE_STATUSES } from './message-values.ts'

describe('the order of statuses', () => {
  test('a message waits for approval, is scheduled, queued, sending, sent, delivered, read and played; a failure is final', () => {
    const order = [
      'awaiting_approval',
      'scheduled',
      'queued',
      'sending',
      'sent',
      'delivered',
      'read',
      'played',
      'failed',
    ] as const
    for (const [storeLocation, status] of order.entries())
      for (const [otherPlace, other] of order.entries())
        assert.equal(isLaterStatus(status, other), storeLocation > otherPlace, `${status} and ${other}`)
    assert.deepEqual([...MESSAGE_STATUSES], [...order])
  })
})
