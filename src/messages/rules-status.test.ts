import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MESSAGE_STATUSES, type MessageStatus } from '../contract/sending.ts'
import { isForward } from './rules-status.ts'

const ORDER: MessageStatus[] = ['queued', 'sending', 'sent', 'delivered', 'read', 'played', 'failed']
const status = fc.constantFrom(...ORDER)

describe('message status', () => {
  test('every status of the contract has a place in the order', () => {
    assert.deepEqual(
      [...MESSAGE_STATUSES].toSorted(),
      ['awaiting_approval', 'scheduled', ...ORDER].toSorted(),
    )
  })

  test('a status moves only to a later one', () => {
    fc.assert(
      fc.property(status, status, (from, to) =>
        assert.equal(isForward(from, to), ORDER.indexOf(to) > ORDER.indexOf(from)),
      ),
    )
  })

  test('no receipt changes a scheduled message or one that waits for approval, because it was not sent yet', () => {
    for (const from of ['awaiting_approval', 'scheduled'] as const)
      for (const to of ORDER) assert.equal(isForward(from, to), false)
  })

  test('a late receipt does not change a message that is read or failed', () => {
    assert.equal(isForward('read', 'delivered'), false)
    assert.equal(isForward('failed', 'delivered'), false)
    assert.equal(isForward('sent', 'read'), true, 'a read receipt without a delivery receipt counts')
  })
})
