// What follows when a message could not be sent: it is retried, deferred, or failed.
import type { FailureReason } from '../../contract/sending.ts'
import type { NetworkErrorKind, SendRefusal } from '../../network/network.ts'

export type SendFailure =
  | { kind: 'retry'; at: number }
  | { kind: 'failed'; reason: FailureReason; error: string; code: number | null }

const EXPIRY_MS = 24 * 60 * 60 * 1000
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000
/** The end of a restriction makes held messages due at once; this pause covers an end that the network did not report. */
const HELD_MS = 5 * 60_000
/** Tries for a refusal that may rest on outdated data: by then the driver has asked the network again. */
const MAX_STALE_TRIES = 4
/** Tries for a message that meets an unexpected error: more would block its chat for a day. */
const MAX_UNEXPECTED_TRIES = 5
const UNEXPECTED_RETRY_MS = 2000

const failed = (reason: FailureReason, error: string, code: number | null = null): SendFailure => ({
  kind: 'failed',
  reason,
  error,
  code,
})

/** The gateway is stopping: the message is due at once, under the same id, for the next process. */
export const requeued = (now: number): SendFailure => ({ kind: 'retry', at: now })

/** A new chat waits for the end of the restriction; other chats go on (decision 0033). */
export const deferred = (now: number): SendFailure => ({ kind: 'retry', at: now + HELD_MS })

export const unknownNumber = (): SendFailure =>
  failed('number_not_on_network', 'The number is not registered on the network.')

/** The file of the message cannot be fetched: no later try changes that. */
export const mediaFailure = (reason: 'media_unavailable' | 'media_too_large', error: string): SendFailure =>
  failed(reason, error)

/** Of a message that was not sent before its `expiresAt`. */
export const EXPIRED = 'The message could not be sent before its expiresAt.'

/** Fails a message when what it refers to was never sent. */
export const targetNotSent = (): SendFailure =>
  failed('target_not_sent', 'The message that this one refers to was not sent.')

/** Fails a message whose target was deleted while it was queued. Its text must not leave any more. */
export const targetDeleted = (): SendFailure =>
  failed('target_deleted', 'The message that this one refers to was deleted.')

/** Fails a status that no person would see. */
export const noRecipients = (): SendFailure =>
  failed('no_recipients', 'None of the people who should see the status is registered on the network.')

/** Undefined while the message may still be sent. `restrictedCode` is the network's code for a restricted account. */
export function expiry(
  { dueAt, expiresAt, restricted }: { dueAt: number; expiresAt: number | null; restricted: boolean },
  now: number,
  restrictedCode: number,
): SendFailure | undefined {
  if (expiresAt !== null && now >= expiresAt) return failed('expired', EXPIRED)
  if (now - dueAt <= EXPIRY_MS) return undefined
  if (!restricted) return failed('expired', 'The message could not be sent within 24 hours.')
  const error = 'The network did not allow this account to start new chats within 24 hours.'
  return failed('account_restricted', error, restrictedCode)
}

/** What an error of the network means for the message that met it. */
export const REFUSAL_OF_ERROR: Record<NetworkErrorKind, Exclude<SendRefusal, 'restricted'>> = {
  unavailable: 'temporary',
  timeout: 'temporary',
  no_longer_owner: 'temporary',
  held: 'temporary',
  // Of a call to another node; sends are made by the node itself.
  outcome_unknown: 'temporary',
  refused: 'permanent',
  not_a_group_member: 'not_a_group_member',
  // Errors of calls about groups, which no send meets.
  not_a_group_admin: 'permanent',
  unknown_invite: 'permanent',
  // Of changes of the account, which no send makes.
  keys_missing: 'temporary',
  stale: 'stale',
}

type Rule = (attempt: { tries: number; now: number; code: number | null }) => SendFailure

const retryLater: Rule = ({ tries, now }) => ({ kind: 'retry', at: now + retryPauseMs(tries) })

const failAsRejected: Rule = ({ code }) => {
  const suffix = code === null ? '' : ` (${code})`
  return failed('rejected_by_network', `The network refused the message${suffix}.`, code)
}

const RULES: Record<SendRefusal, Rule> = {
  temporary: retryLater,
  stale: (attempt) => (attempt.tries < MAX_STALE_TRIES ? retryLater : failAsRejected)(attempt),
  restricted: ({ now }) => deferred(now),
  permanent: failAsRejected,
  not_a_group_member: ({ code }) =>
    failed('not_a_group_member', 'The group does not exist, or the instance is not a member.', code),
}

/** `tries` counts the attempt that was refused. */
export const afterRefusal = (
  refusal: SendRefusal,
  attempt: { tries: number; now: number; code: number | null },
): SendFailure => RULES[refusal](attempt)

/** `met` counts how often the message has met an error that no rule expects. */
export const afterUnexpected = (met: number, now: number): SendFailure =>
  met < MAX_UNEXPECTED_TRIES
    ? { kind: 'retry', at: now + UNEXPECTED_RETRY_MS }
    : failed('internal', 'The message could not be sent.')

const retryPauseMs = (tries: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(10, tries - 1))
