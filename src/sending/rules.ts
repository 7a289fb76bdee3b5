// The rules of sending: accepting, approval, times, lanes, failures.
//
// Accepting: an idempotency key that was used before decides first, then the instance, its queue, the
// limit of the key, and the account's quota. The engines read the facts and write the outcome in the same transaction.

import { createHash } from 'node:crypto'
import type { FailureReason, MessageStatus } from '../contract/sending.ts'
import { firstLink } from '../files/rules-link-preview.ts'
import { isStatusJid } from '../network/jid.ts'
import type { NetworkErrorKind, SendRefusal } from '../network/network.ts'

/** Sends waiting for one instance. More are refused, because a longer queue could not be emptied in reasonable time. */
export const QUEUE_CAP = 10_000
/** Messages of one instance that are scheduled for later. They cost a row each, and no work until they are due. */
export const SCHEDULE_CAP = 100_000

/** How long the answer to a send is stored under its idempotency key. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000

/** The answer that is stored under an idempotency key, and the fingerprint of the request that it answered. */
export interface StoredAnswer {
  fingerprint: string
  answer: string
}

export interface SendTerms {
  /** Messages that the plan allows per period; null: unlimited. */
  messageLimit: number | null
  /** Messages that it takes of the plan: none for a change of an earlier message, because plans limit messages. */
  messages: number
  /**
   * Sends that it takes of the key, and room that it needs in the queue. An album takes one for each of its files, here and of the
   * plan. A file then takes none, and no limit refuses it: the album was accepted as a whole.
   */
  sends: number
  /** When a scheduled message is due; null: at once. */
  sendAt: number | null
  idempotency: { fingerprint: string } | null
  /** The files of the send were not fetched, because it has an answer already: it is never accepted anew. */
  isRepeated?: boolean | undefined
  /** Of a key that is limited or whose sends need approval. Absent: the key has no such wall. */
  key?: KeyTerms | undefined
}

/** The walls of a key that concern the acceptance of its sends. */
export interface KeyTerms {
  id: number
  /** Sends per day; null: no limit. */
  perDay: number | null
  /** The start of the day that the send is counted in. */
  day: number
  /** The send waits for approval until then; null: it needs none. */
  approveBy: number | null
  /** The message that asks the owner on the phone, and the code of the answer. Absent: the owner is not asked there. */
  question?: { id: string; code: string } | undefined
}

/** The first status of an accepted send. Only `queued` is in a lane. */
export function firstStatus({ sendAt, key }: Pick<SendTerms, 'sendAt' | 'key'>) {
  if (key && key.approveBy !== null) return 'awaiting_approval'
  return sendAt === null ? 'queued' : 'scheduled'
}

export interface AcceptFacts {
  /** Undefined: the instance does not exist or is deleted. */
  instance: { loggedIn: boolean; queued: number; scheduled: number } | undefined
  /** Messages that the account has used in the period. */
  used: number
  /** Sends of the key on this day. */
  usedByKey: number
  /** What is stored under the send's idempotency key; undefined: nothing, or it has expired. */
  stored: StoredAnswer | undefined
}

export type AcceptOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'replayed'; answer: string }
  | { outcome: 'key_reused' }
  | { outcome: 'answer_expired' }
  | { outcome: 'instance_gone' }
  | { outcome: 'not_logged_in' }
  | { outcome: 'queue_full' }
  | { outcome: 'limit_reached'; used: number }
  | { outcome: 'key_limit_reached'; used: number }

export function decideAccept(
  { messageLimit, messages, sends, sendAt, idempotency, isRepeated, key }: SendTerms,
  { instance, used, usedByKey, stored }: AcceptFacts,
): AcceptOutcome {
  if (idempotency && stored) {
    return stored.fingerprint === idempotency.fingerprint
      ? { outcome: 'replayed', answer: stored.answer }
      : { outcome: 'key_reused' }
  }
  if (isRepeated) return { outcome: 'answer_expired' }
  if (!instance) return { outcome: 'instance_gone' }
  if (!instance.loggedIn) return { outcome: 'not_logged_in' }
  if (sends === 0) return { outcome: 'accepted' }
  const room =
    firstStatus({ sendAt, key }) === 'queued'
      ? QUEUE_CAP - instance.queued
      : SCHEDULE_CAP - instance.scheduled
  if (sends > room) return { outcome: 'queue_full' }
  if (key && key.perDay !== null && usedByKey + sends > key.perDay)
    return { outcome: 'key_limit_reached', used: usedByKey }
  if (messages > 0 && messageLimit !== null && used + messages > messageLimit)
    return { outcome: 'limit_reached', used }
  return { outcome: 'accepted' }
}

// Sends that a person has to approve: until when they wait, on which day a send counts, and which text of them can be edited.

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a send waits for its approval, counted from the time at which it would have been sent. */
export const APPROVAL_MS = DAY_MS

export const APPROVAL_EXPIRED = 'The send was not approved in time.'

/** A scheduled send can be approved until a day after its time, and no send after its own end. */
export const approvalDeadline = (
  { sendAt, expiresAt }: { sendAt: number | null; expiresAt: number | null },
  now: number,
): number => Math.min(expiresAt ?? Infinity, (sendAt ?? now) + APPROVAL_MS)

/** The day that a send is counted in, by UTC. */
export const dayOf = (now: number): number => now - (now % DAY_MS)

/** Seconds until sends are counted from 0 again. */
export const secondsToNextDay = (now: number): number => Math.ceil((dayOf(now) + DAY_MS - now) / 1000)

/** The field with the text of each kind, and how long the text may be, as when the send is accepted. */
interface TextField {
  /** With a dot before the name of a field inside. */
  field: 'message' | 'pollName' | 'interactive.body' | 'interactive.text'
  minLength: 0 | 1
  maxLength: number
}
const caption: TextField = { field: 'message', minLength: 0, maxLength: 1024 }
const aboveButtons: TextField = { field: 'interactive.body', minLength: 1, maxLength: 1024 }
const TEXT_FIELDS: Readonly<Record<string, TextField>> = {
  text: { field: 'message', minLength: 1, maxLength: 65_536 },
  edit: { field: 'message', minLength: 1, maxLength: 65_536 },
  image: caption,
  video: caption,
  document: caption,
  poll: { field: 'pollName', minLength: 1, maxLength: 1024 },
  button: aboveButtons,
  cta: aboveButtons,
  carousel: aboveButtons,
  list: { field: 'interactive.text', minLength: 1, maxLength: 1024 },
}
const STATUS_TEXT_MAX = 700

interface Send {
  kind: string
  chat: string
  content: Record<string, unknown>
}

/** The text that an approver can edit; null: the send has none. A forwarded message is sent as it was, so that its text cannot change. */
export function editableText({ kind, chat, content }: Send): (TextField & { value: string }) | null {
  const known = Object.hasOwn(TEXT_FIELDS, kind) ? TEXT_FIELDS[kind] : undefined
  if (!known || content.forwardOf !== undefined) return null
  const [outer = '', inner] = known.field.split('.')
  const found = inner === undefined ? content[outer] : (content[outer] as Record<string, unknown>)?.[inner]
  const isStatusText = kind === 'text' && isStatusJid(chat)
  const maxLength = isStatusText ? STATUS_TEXT_MAX : known.maxLength
  return { ...known, maxLength, value: typeof found === 'string' ? found : '' }
}

export interface ContentEdit {
  text: string | null
  content: Record<string, unknown>
}

/** The content with the text of the approver; undefined: nothing is changed. A refusal says what is wrong with the text. */
export function editContent(send: Send, text: string): ContentEdit | { refused: string } | undefined {
  const known = editableText(send)
  if (!known) return { refused: 'this message has no text that can be edited' }
  if (text.length < known.minLength) return { refused: 'must not be empty' }
  if (text.length > known.maxLength) return { refused: `expected at most ${known.maxLength} characters` }
  if (text === known.value) return undefined
  const { content } = send
  const [outer = '', inner] = known.field.split('.')
  const changed = inner === undefined ? text : { ...(content[outer] as object), [inner]: text }
  const { [outer]: _before, ...others } = content
  // A caption that was removed is absent, as in a request without one.
  if (text === '') return { text: null, content: others }
  return { text, content: { ...content, [outer]: changed, ...previewAfter(content, known.value, text) } }
}

/** The approver has seen the preview of the first link. Another link is sent without one, because its page was not seen. */
const previewAfter = (content: Send['content'], before: string, after: string) =>
  content.linkPreview === true && firstLink(before) !== firstLink(after) ? { preview: null } : {}

// Messages that are sent later: which times are accepted, and which message counts as late.

const MINUTE_MS = 60_000
const YEAR_MS = 366 * 24 * 60 * MINUTE_MS
/** The clock of the caller may be a little ahead or behind. */
const TOLERANCE_MS = MINUTE_MS
/** A process that runs sends a message within a second of its time. */
const LATE_MS = 5000

export interface Times {
  sendAt: number | null
  expiresAt: number | null
}

/** What is wrong with the times of a request; undefined: they are accepted. */
export function refusedTime(
  { sendAt, expiresAt }: Times,
  now: number,
): { path: 'sendAt' | 'expiresAt'; message: string } | undefined {
  if (sendAt !== null && sendAt < now - TOLERANCE_MS)
    return { path: 'sendAt', message: 'must be in the future' }
  if (sendAt !== null && sendAt > now + YEAR_MS)
    return { path: 'sendAt', message: 'must be at most one year ahead' }
  if (expiresAt !== null && expiresAt <= now) return { path: 'expiresAt', message: 'must be in the future' }
  return undefined
}

/** Null for a message that is sent at once, because its time is now or has just passed. */
export const scheduledFor = ({ sendAt }: Pick<Times, 'sendAt'>, now: number): number | null =>
  sendAt !== null && sendAt > now ? sendAt : null

/** The message was due while no process was running. */
export const isLate = (sendAt: number, now: number): boolean => now - sendAt > LATE_MS

// Claiming from lanes: which lanes a claim locks, and how many messages of a lane it takes. PostgreSQL applies them
// in SQL, and the conformance suite compares both engines with these functions.

export interface DueLane {
  key: string
  dueAt: number
}

/** The lanes of one instance: how many are locked now, and which are due and not locked. */
export interface InstanceLanes {
  locked: number
  due: DueLane[]
}

export interface LaneLimits {
  /** Lanes of one claim. */
  limit: number
  /** Lanes of one instance that may be locked at the same time. */
  perInstance: number
}

/** By due time, then by key, so that both engines agree on lanes that became due in the same millisecond. */
const longestDueFirst = (a: DueLane, b: DueLane): number => a.dueAt - b.dueAt || (a.key < b.key ? -1 : 1)

/** The lanes that a claim locks, longest due first. An instance with many due lanes takes no slot from another. */
export function chooseLanes(instances: InstanceLanes[], { limit, perInstance }: LaneLimits): DueLane[] {
  return instances
    .flatMap(({ locked, due }) => due.toSorted(longestDueFirst).slice(0, Math.max(0, perInstance - locked)))
    .sort(longestDueFirst)
    .slice(0, limit)
}

export interface WaitingMessage {
  status: MessageStatus
  delayMs: number
}

/**
 * The messages of a lane that are claimed together: the first one, and those behind it up to a message that has a typing delay
 * or was tried before. A message that waits for longer than a moment stays `queued`, so that it can still be cancelled.
 */
export function takeRun<T extends WaitingMessage>(waiting: T[]): T[] {
  const end = waiting.findIndex(({ status, delayMs }) => status !== 'queued' || delayMs > 0)
  return end === -1 ? waiting : waiting.slice(0, Math.max(1, end))
}

// What follows when a message could not be sent: it is retried, deferred, or failed.

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

// The ids of the messages of an album.

const ID_CHARACTERS = 18

/** Follows from the id of the album, so that a repeated request names the same messages. */
export const memberId = (albumId: string, index: number): string =>
  `3EB0${createHash('sha256').update(`${albumId}:${index}`).digest('hex').slice(0, ID_CHARACTERS).toUpperCase()}`
