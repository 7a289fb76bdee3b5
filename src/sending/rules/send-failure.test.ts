import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SendRefusal } from '../../network/network.ts'
import {
  afterRefusal,
  afterUnexpected,
  deferred,
  expiry,
  REFUSAL_OF_ERROR,
  requeued,
} from './send-failure.ts'

const NOW = 1_000_000_000
const DAY_MS = 24 * 60 * 60 * 1000
const refuse = (refusal: SendRefusal, tries = 1, code: number | null = null) =>
  afterRefusal(refusal, { tries, now: NOW, code })

describe('a refused send', () => {
  test('temporary: retried without an end, with pauses from one second to a minute', () => {
    const pauses = [1, 2, 3, 7, 1000].map((tries) => {
      const outcome = refuse('temporary', tries)
      return outcome.kind === 'retry' ? outcome.at - NOW : null
    })
    assert.deepEqual(pauses, [1000, 2000, 4000, 60_000, 60_000])
  })

  test('stale: retried three times, then failed', () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((tries) => refuse('stale', tries).kind),
      ['retry', 'retry', 'retry', 'failed'],
    )
  })

  test('restricted: deferred for five minutes', () => {
    assert.deepEqual(refuse('restricted'), { kind: 'retry', at: NOW + 5 * 60_000 })
    assert.deepEqual(deferred(NOW), refuse('restricted'))
  })

  test('permanent: failed with the code of the network', () => {
    assert.deepEqual(refuse('permanent', 1, 479), {
      kind: 'failed',
      reason: 'rejected_by_network',
      error: 'The network refused the message (479).',
      code: 479,
    })
    const withoutCode = refuse('permanent')
    assert.equal(withoutCode.kind === 'failed' && withoutCode.error, 'The network refused the message.')
  })

  test('not a member of the group: failed', () => {
    const outcome = refuse('not_a_group_member', 1, 404)
    assert.deepEqual([outcome.kind === 'failed' && outcome.reason], ['not_a_group_member'])
  })
})

test('errors of the network: only a refusal, an error about a group and stale data are not temporary', () => {
  const others = Object.entries(REFUSAL_OF_ERROR).filter(([, refusal]) => refusal !== 'temporary')
  assert.deepEqual(Object.fromEntries(others), {
    refused: 'permanent',
    not_a_group_member: 'not_a_group_member',
    not_a_group_admin: 'permanent',
    unknown_invite: 'permanent',
    stale: 'stale',
  })
})

test('an unexpected error: retried four times, then failed', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((met) => afterUnexpected(met, NOW).kind),
    ['retry', 'retry', 'retry', 'retry', 'failed'],
  )
})

test('a requeued message is due at once', () => {
  assert.deepEqual(requeued(NOW), { kind: 'retry', at: NOW })
})

describe('expiry', () => {
  const CODE = 7
  const expired = (ageMs: number, restricted = false) =>
    expiry({ dueAt: NOW - ageMs, expiresAt: null, restricted }, NOW, CODE)

  test('none within 24 hours', () => {
    assert.equal(expired(DAY_MS), undefined)
    assert.equal(expired(DAY_MS, true), undefined)
  })

  test('at the time that the request set, even within 24 hours', () => {
    const at = (expiresAt: number) => expiry({ dueAt: NOW, expiresAt, restricted: false }, NOW, CODE)
    assert.equal(at(NOW + 1), undefined)
    const failure = at(NOW)
    assert.equal(failure?.kind === 'failed' && failure.reason, 'expired')
  })

  test('after 24 hours, with the reason that applies', () => {
    const plain = expired(DAY_MS + 1)
    assert.deepEqual(plain?.kind === 'failed' && [plain.reason, plain.code], ['expired', null])
    const restricted = expired(DAY_MS + 1, true)
    assert.deepEqual(restricted?.kind === 'failed' && [restricted.reason, restricted.code], [
      'account_restricted',
      CODE,
    ])
  })
})
