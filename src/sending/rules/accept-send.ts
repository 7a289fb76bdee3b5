// The rule for accepting a send. An idempotency key that was used before decides first, then the instance, its queue, the
// limit of the key, and the account's quota. The engines read the facts and write the outcome in the same transaction.

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
