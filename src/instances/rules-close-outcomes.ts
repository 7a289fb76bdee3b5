// What follows a closed connection, by its cause: the state of the instance, and when to reconnect (decision 0071).
import type { CloseCause, Closed } from '../network/network.ts'
import type { StateEvent } from './rules.ts'
import { PASSKEY_ENDS } from './rules-passkey.ts'

/** The failures of a session since it was last stable. */
export interface Setbacks {
  losses: number
  /** How often the network refused the session as bad. */
  refusals: number
  /** Whether the one attempt after a replacement is used up. */
  wasReplaced: boolean
}
export const NO_SETBACKS: Setbacks = { losses: 0, refusals: 0, wasReplaced: false }

export interface CloseOutcome {
  event: StateEvent
  /** The end of the state reason, if it is known. */
  until: number | null
  /** Null: no attempt until a request or the next start of the process. */
  retryInMs: number | null
  /** The network has ended the login: its credentials are destroyed. */
  clearsLogin: boolean
  setbacks: Setbacks
}

export interface CloseMoment {
  now: number
  /** In [0, 1). */
  random: number
}

/** A bad session rarely recovers within minutes, so the attempts are limited. */
export const BAD_SESSION_TRIES = 5
/** The first pause after a bad session is as long as the fourth after a loss. */
const BAD_SESSION_HEAD_START = 3
export const REPLACED_PAUSE_MS = 5 * 60_000
/** Without this, two programs with one login would replace each other every five minutes. */
export const REPLACED_FORGOTTEN_MS = 60 * 60_000
/** Used if the network gives no end of the ban. */
export const UNKNOWN_BAN_MS = 60 * 60_000

/** Half of it is random. */
export const OUTDATED_PAUSE_MS = 10 * 60_000

type Facts = Pick<Closed, 'until' | 'reason'>
type Rule = (setbacks: Setbacks, moment: CloseMoment, facts: Facts) => CloseOutcome

const retryForeverWith =
  (event: StateEvent): Rule =>
  (setbacks, { random }) => {
    const losses = setbacks.losses + 1
    return {
      event,
      until: null,
      retryInMs: pauseBefore(losses, random),
      clearsLogin: false,
      setbacks: { ...setbacks, losses },
    }
  }

const retryForever = retryForeverWith('connection_lost')

const stopWith =
  (event: StateEvent, clearsLogin = false): Rule =>
  (setbacks) => ({ event, until: null, retryInMs: null, clearsLogin, setbacks })

const retryAFewTimes: Rule = (setbacks, moment, facts) => {
  const refusals = setbacks.refusals + 1
  if (refusals > BAD_SESSION_TRIES) return stopWith('refused')(setbacks, moment, facts)
  return {
    ...retryForever(setbacks, moment, facts),
    retryInMs: pauseBefore(BAD_SESSION_HEAD_START + refusals, moment.random),
    setbacks: { ...setbacks, refusals },
  }
}

const retryOnce: Rule = (setbacks, moment, facts) =>
  setbacks.wasReplaced
    ? stopWith('replaced')(setbacks, moment, facts)
    : {
        event: 'replaced',
        until: moment.now + REPLACED_PAUSE_MS,
        retryInMs: REPLACED_PAUSE_MS,
        clearsLogin: false,
        setbacks: { ...setbacks, wasReplaced: true },
      }

const waitForEndOfBan: Rule = (setbacks, moment, facts) => {
  const { until = null } = facts
  const loss = retryForever(setbacks, moment, facts)
  const leftMs = until === null ? UNKNOWN_BAN_MS : until - moment.now
  // At least the normal pause: a ban with an end in the past must not cause a loop without pauses.
  return { ...loss, event: 'banned', until, retryInMs: Math.max(leftMs, loss.retryInMs ?? 0) }
}

/** A new attempt would show a QR code that no person waits for. */
const stopAfterPasskey: Rule = (setbacks, moment, facts) =>
  stopWith(PASSKEY_ENDS[facts.reason ?? 'lost'])(setbacks, moment, facts)

/** The network's page is read again before each attempt. */
const waitForNewerVersion: Rule = (setbacks, { now, random }) => {
  const retryInMs = Math.round((OUTDATED_PAUSE_MS / 2) * (1 + random))
  return { event: 'outdated', until: now + retryInMs, retryInMs, clearsLogin: false, setbacks }
}

const RULES: Record<CloseCause, Rule> = {
  restart: retryForever,
  lost: retryForever,
  ended: retryForever,
  bad_session: retryAFewTimes,
  replaced: retryOnce,
  temporarily_banned: waitForEndOfBan,
  client_outdated: waitForNewerVersion,
  // With the first pause of a loss, so that many sessions do not reconnect at the same time.
  version_renewed: retryForeverWith('started'),
  proxy_unreachable: retryForeverWith('proxy_unreachable'),
  proxy_refused: retryForeverWith('proxy_refused'),
  code_expired: stopWith('code_expired'),
  passkey_ended: stopAfterPasskey,
  logged_out: stopWith('logged_out', true),
}

export const afterClose = (
  { cause, ...facts }: Pick<Closed, 'cause' | 'until' | 'reason'>,
  setbacks: Setbacks,
  moment: CloseMoment,
): CloseOutcome => RULES[cause](setbacks, moment, facts)

/** The setbacks that remain after a connection was open for `openMs`. */
export const setbacksAfter = (setbacks: Setbacks, openMs: number): Setbacks => ({
  losses: openMs >= STABLE_MS ? 0 : setbacks.losses,
  refusals: openMs >= STABLE_MS ? 0 : setbacks.refusals,
  wasReplaced: openMs >= REPLACED_FORGOTTEN_MS ? false : setbacks.wasReplaced,
})

// The backoff of a session: pauses that double up to five minutes, with jitter, without a limit on attempts.

const FIRST_MS = 1000
const LONGEST_MS = 5 * 60_000
/** A connection that was open this long counts as stable: after it the pauses start again. */
export const STABLE_MS = 120_000

/** The pause before try number `tries` (from 1). `random` lies in [0, 1). */
export function pauseBefore(tries: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1))
  // Half fixed, half random, so that sessions that were lost together do not reconnect together.
  return Math.round(full / 2 + (full / 2) * random)
}
