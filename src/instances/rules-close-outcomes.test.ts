import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CloseCause } from '../network/network.ts'
import {
  afterClose,
  BAD_SESSION_TRIES,
  NO_SETBACKS,
  OUTDATED_PAUSE_MS,
  REPLACED_FORGOTTEN_MS,
  REPLACED_PAUSE_MS,
  STABLE_MS,
  setbacksAfter,
  UNKNOWN_BAN_MS,
} from './rules-close-outcomes.ts'

const NOW = 1_000_000
const moment = { now: NOW, random: 1 }
const close = (cause: CloseCause, setbacks = NO_SETBACKS, until: number | null = null) =>
  afterClose({ cause, until }, setbacks, moment)

describe('what follows a closed connection', () => {
  for (const cause of ['lost', 'ended', 'restart'] as const) {
    test(`${cause}: retried without a limit`, () => {
      let setbacks = NO_SETBACKS
      for (let times = 0; times < 1000; times += 1) {
        const outcome = close(cause, setbacks)
        assert.equal(outcome.event, 'connection_lost')
        assert.ok(outcome.retryInMs !== null && outcome.retryInMs <= 300_000)
        setbacks = outcome.setbacks
      }
    })
  }

  const ends: [CloseCause, string, boolean][] = [
    ['code_expired', 'code_expired', false],
    ['logged_out', 'logged_out', true],
  ]
  for (const [cause, event, clearsLogin] of ends) {
    test(`${cause}: not retried`, () => {
      const { setbacks: _, ...outcome } = close(cause)
      assert.deepEqual(outcome, { event, until: null, retryInMs: null, clearsLogin })
    })
  }

  for (const reason of ['disabled', 'expired', 'refused', 'unanswered', 'lost', 'cancelled'] as const) {
    test(`passkey_ended (${reason}): not retried, and the state tells why`, () => {
      const { setbacks: _, ...outcome } = afterClose({ cause: 'passkey_ended', reason }, NO_SETBACKS, moment)
      assert.deepEqual(outcome, {
        event: `passkey_${reason}`,
        until: null,
        retryInMs: null,
        clearsLogin: false,
      })
    })
  }

  test('client_outdated: retried every five to ten minutes, whose time is reported; the login is kept', () => {
    for (const [random, retryInMs] of [
      [0, OUTDATED_PAUSE_MS / 2],
      [1, OUTDATED_PAUSE_MS],
    ] as const) {
      const outcome = afterClose({ cause: 'client_outdated', until: null }, NO_SETBACKS, { now: NOW, random })
      assert.deepEqual(outcome, {
        event: 'outdated',
        until: NOW + retryInMs,
        retryInMs,
        clearsLogin: false,
        setbacks: NO_SETBACKS,
      })
    }
  })

  test('version_renewed: retried at once, and with growing pauses if each new version is refused as well', () => {
    const first = close('version_renewed')
    assert.deepEqual([first.event, first.retryInMs, first.clearsLogin], ['started', 1000, false])
    assert.equal(close('version_renewed', first.setbacks).retryInMs, 2000)
  })

  test('bad_session: a few attempts, not reset by losses, then refused; the login is kept', () => {
    let setbacks = NO_SETBACKS
    for (let times = 0; times < BAD_SESSION_TRIES; times += 1) {
      const outcome = close('bad_session', setbacks)
      assert.deepEqual([outcome.event, outcome.retryInMs === null], ['connection_lost', false])
      setbacks = close('lost', outcome.setbacks).setbacks
    }
    const last = close('bad_session', setbacks)
    assert.deepEqual([last.event, last.retryInMs, last.clearsLogin], ['refused', null, false])
  })

  test('replaced: one more attempt after five minutes, whose time is reported', () => {
    const first = close('replaced')
    assert.deepEqual(
      [first.event, first.until, first.retryInMs],
      ['replaced', NOW + REPLACED_PAUSE_MS, REPLACED_PAUSE_MS],
    )
    const second = close('replaced', first.setbacks)
    assert.deepEqual([second.event, second.until, second.retryInMs], ['replaced', null, null])
  })

  test('temporarily_banned: retried at the end of the ban, after an hour if none is given, and never without a pause', () => {
    const until = NOW + 7_200_000
    const known = close('temporarily_banned', NO_SETBACKS, until)
    assert.deepEqual([known.event, known.until, known.retryInMs], ['banned', until, 7_200_000])
    const unknown = close('temporarily_banned')
    assert.deepEqual([unknown.until, unknown.retryInMs], [null, UNKNOWN_BAN_MS])
    const again = close('temporarily_banned', { ...NO_SETBACKS, losses: 4 }, NOW + 1)
    assert.equal(again.retryInMs, 16_000)
  })
})

test('a stable connection resets losses and refusals; a replacement is reset after an hour', () => {
  const setbacks = { losses: 3, refusals: 2, wasReplaced: true }
  assert.deepEqual(setbacksAfter(setbacks, STABLE_MS - 1), setbacks)
  assert.deepEqual(setbacksAfter(setbacks, STABLE_MS), { losses: 0, refusals: 0, wasReplaced: true })
  assert.deepEqual(setbacksAfter(setbacks, REPLACED_FORGOTTEN_MS), NO_SETBACKS)
})
