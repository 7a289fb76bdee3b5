import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type StateEvent, stateAfter, TRANSITIONS } from './rules.ts'

const NOW = 1_800_000_000_000

describe('instance state', () => {
  const cases: [event: StateEvent, state: string, reason: string | null][] = [
    ['started', 'connecting', null],
    ['code_shown', 'connecting', 'awaiting_scan'],
    ['code_expired', 'close', 'qr_expired'],
    ['passkey_needed', 'connecting', 'awaiting_passkey'],
    ['passkey_sent', 'connecting', 'passkey_sent'],
    ['passkey_code_shown', 'connecting', 'awaiting_passkey_confirmation'],
    ['passkey_disabled', 'close', 'passkey_disabled'],
    ['passkey_expired', 'close', 'passkey_expired'],
    ['passkey_refused', 'close', 'passkey_refused'],
    ['passkey_unanswered', 'close', 'passkey_unanswered'],
    ['passkey_lost', 'close', 'passkey_lost'],
    ['passkey_cancelled', 'close', 'passkey_cancelled'],
    ['opened', 'open', null],
    ['connection_lost', 'connecting', 'network_lost'],
    ['unreachable', 'close', 'network_lost'],
    ['proxy_unreachable', 'connecting', 'proxy_unreachable'],
    ['proxy_refused', 'connecting', 'proxy_refused'],
    ['restricted', 'open', 'restricted'],
    ['unrestricted', 'open', null],
    ['logged_out', 'close', 'logged_out'],
    ['replaced', 'close', 'replaced'],
    ['refused', 'close', 'bad_session'],
    ['banned', 'close', 'temporarily_banned'],
    ['outdated', 'close', 'client_outdated'],
    ['stopped', 'close', 'stopped'],
    ['held', 'close', 'held'],
  ]
  for (const [event, state, reason] of cases) {
    test(`after ${event}: ${state}, reason ${reason}`, () => {
      assert.deepEqual(stateAfter(event), { state, state_reason: reason, state_until: null })
    })
  }

  test('the table above covers every event', () => {
    assert.deepEqual(cases.map(([event]) => event).toSorted(), Object.keys(TRANSITIONS).toSorted())
  })

  test('the end of the reason is kept where it is known', () => {
    assert.equal(stateAfter('banned', NOW).state_until, NOW)
  })
})
