import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Repair, repairOf, type SessionView, type StoredSession } from './rules-session-repair.ts'

const OPEN: StoredSession = {
  state: 'open',
  state_reason: null,
  state_until: null,
  logged_in: 1,
  logout_requested_at: null,
}
const session = (event: NonNullable<SessionView['wanted']>['event'], isIdle = false): SessionView => ({
  isIdle,
  wanted: { event },
})

const cases: [what: string, row: Partial<StoredSession>, session: SessionView | undefined, repair: Repair][] =
  [
    ['stored as open, and the session is open', {}, session('opened'), 'none'],
    ['stored as open, but the session is waiting', {}, session('connection_lost'), 'save_again'],
    ['stored as open, but the session was refused', {}, session('refused', true), 'save_again'],
    ['stored as open, without a session', {}, undefined, 'start'],
    ['stored as open, without a session and without a login', { logged_in: 0 }, undefined, 'mark_stopped'],
    ['stored as open, but the session was never started', {}, { isIdle: true, wanted: undefined }, 'start'],
    [
      'stored as connecting, but the session is open',
      { state: 'connecting' },
      session('opened'),
      'save_again',
    ],
    ['stored as open, but the session is restricted', {}, session('restricted'), 'save_again'],
    [
      'stored as lost, and the session is waiting',
      { state: 'connecting', state_reason: 'network_lost' },
      session('connection_lost'),
      'none',
    ],
    [
      'stored as lost, but the session is idle',
      { state: 'connecting', state_reason: 'network_lost' },
      session('connection_lost', true),
      'start',
    ],
    [
      'stored as closed by an older version',
      { state: 'close', state_reason: 'network_lost' },
      undefined,
      'start',
    ],
    ['replaced, without a planned attempt', { state: 'close', state_reason: 'replaced' }, undefined, 'none'],
    [
      'replaced in this process, without a planned attempt',
      { state: 'close', state_reason: 'replaced' },
      session('replaced', true),
      'none',
    ],
    [
      'replaced, with a planned attempt',
      { state: 'close', state_reason: 'replaced', state_until: 5 },
      undefined,
      'start',
    ],
    ['refused', { state: 'close', state_reason: 'bad_session' }, session('refused', true), 'none'],
    [
      'a log-out that is not finished',
      { state: 'close', logged_in: 0, logout_requested_at: 1 },
      undefined,
      'finish_log_out',
    ],
  ]
for (const [what, row, view, repair] of cases) {
  test(`${what}: ${repair}`, () => assert.equal(repairOf({ ...OPEN, ...row }, view), repair))
}
