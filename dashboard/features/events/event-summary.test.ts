import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveEvent } from '../../gateway/live.ts'
import { eventSummary } from './event-summary.ts'

const update = (data: object) =>
  eventSummary({ event: 'messages.update', data: { messageId: '3EB0', ...data } } as unknown as LiveEvent)

test('the status of a message comes with the reason of a failure, so that a cancelled message is not taken for another', () => {
  assert.equal(update({ status: 'failed', failure: { reason: 'canceled' } }), 'failed · canceled · 3EB0')
  assert.equal(update({ status: 'read', failure: null }), 'read · 3EB0')
})
