// The rules of messages: who may change one, its status, the order of older ones, and the result of a poll.
import type { Direction } from '../contract/messages.ts'
import type { MessageStatus } from '../contract/sending.ts'
import type { PersonIds } from '../network/message.ts'
import { isWaiting } from '../sending/rules-settle-send.ts'

// Who may change a message: an edit, a delete, a reaction or a vote counts only from a sender who may make it (decision 0073).

/** A stored message with the id that the change names, from any chat of the instance. */
export interface KnownMessage {
  chat: string
  direction: Direction
  /** Null where the row does not contain it. Not used for outgoing messages. */
  author: Pick<PersonIds, 'jid' | 'lid'> | null
}

export interface Change {
  type: string
  isGroup: boolean
  /** All jids of the chat in which the change arrived. */
  chats: readonly string[]
  /** All jids of the sender of the change. */
  author: readonly string[]
  fromMe: boolean
  /** What the sender claims about the target. It selects between messages with the same id and proves nothing. */
  claimed: { author: string | null; isOurs: boolean | null }
}

export type ChangePermission<T> =
  | { verdict: 'genuine'; message: T | undefined; by: 'author' | 'admin' | null }
  /** Dropped and counted. */
  | { verdict: 'forged' }
  /** The target is not stored. Dropped, because it could apply to a later message with the same id. */
  | { verdict: 'unknown' }

/** These replace or remove the content of another message, so they need proof of authorship. */
const REWRITES: ReadonlySet<string> = new Set(['edit', 'delete'])

/** `isAdmin`: the sender of the change is an admin of the group. */
export function changePermission<T extends KnownMessage>(
  change: Change,
  known: readonly T[],
  isAdmin: boolean,
): ChangePermission<T> {
  const inChat = known.filter(({ chat }) => change.chats.includes(chat))
  if (known.length === 0)
    return REWRITES.has(change.type)
      ? { verdict: 'unknown' }
      : { verdict: 'genuine', message: undefined, by: null }
  if (inChat.length === 0) return { verdict: 'forged' }
  if (!REWRITES.has(change.type))
    return { verdict: 'genuine', message: claimedMessage(change, inChat), by: null }
  const own = inChat.find((message) => isAuthor(change, message))
  if (own) return { verdict: 'genuine', message: own, by: 'author' }
  if (change.type === 'delete' && change.isGroup && isAdmin)
    return { verdict: 'genuine', message: claimedMessage(change, inChat), by: 'admin' }
  return { verdict: 'forged' }
}

/** An outgoing and an incoming message can have the same id: the claim of the sender decides which one is the target. */
function claimedMessage<T extends KnownMessage>({ claimed }: Change, inChat: readonly T[]): T | undefined {
  const byAuthor = inChat.find(({ author }) => claimed.author !== null && author?.jid === claimed.author)
  const direction = claimed.isOurs === false ? 'incoming' : 'outgoing'
  return byAuthor ?? inChat.find((message) => message.direction === direction) ?? inChat[0]
}

function isAuthor({ fromMe, author, isGroup }: Change, message: KnownMessage): boolean {
  if (fromMe || message.direction === 'outgoing') return fromMe && message.direction === 'outgoing'
  // In a chat of two people, the other person is the author of every incoming message.
  if (message.author === null) return !isGroup
  return [message.author.jid, message.author.lid].some((name) => name !== null && author.includes(name))
}

// Which stored messages are deleted already.

export interface StoredDeletion {
  status: string
  target: { messageId: string; direction: string | null }
}

/** A deletion counts from its acceptance. One that failed has deleted nothing. */
export const isDeletionOf = (
  message: { id: string; direction: string },
  { status, target }: StoredDeletion,
): boolean =>
  status !== 'failed' &&
  target.messageId === message.id &&
  (target.direction === null || target.direction === message.direction)

// The positions of older messages in the list of a chat. The network has times in whole seconds, so that the time of an older message
// may be equal to that of a stored one.

/**
 * `times` are those of the messages, oldest first, which are all older than the message that is listed at `bound`. Returns when each
 * is listed: at its own time, or just before the message that follows it.
 */
export function listedBefore(times: readonly number[], bound: number): number[] {
  const listed: number[] = []
  let next = bound
  for (const time of times.toReversed()) {
    next = Math.min(time, next - 1)
    listed.push(next)
  }
  return listed.toReversed()
}

// The result of a poll: the last vote of each person counts.

/** Null: the vote could not be decrypted. Empty: it was withdrawn. */
export interface PollVote {
  voter: string
  /** Positions in the poll, or the names that an older program has stored. */
  options: readonly (number | string)[] | null
}

interface PollResult {
  voters: number
  unreadable: number
  options: { name: string; votes: number; voters: string[] }[]
}

/** Phones offer twelve. A poll that an older program has stored may have any number. */
const MAX_OPTIONS = 100
/** The members of the largest group. */
const MAX_NAMED = 1024

/** `votes` are in any order of people, and those of one person with the latest first. */
export function pollResult(options: readonly string[], votes: Iterable<PollVote>): PollResult {
  const last = new Map<string, PollVote['options']>()
  for (const { voter, options: chosen } of votes) if (!last.has(voter)) last.set(voter, chosen)
  const counted = options.slice(0, MAX_OPTIONS).map((name) => ({ name, votes: 0, voters: [] as string[] }))
  const byName = new Map(counted.map((option, index) => [option.name, index] as const).toReversed())
  let [voters, unreadable] = [0, 0]
  for (const [voter, chosen] of last) {
    if (chosen === null) unreadable += 1
    const known = new Set(
      (chosen ?? []).slice(0, MAX_OPTIONS).flatMap((each) => positionOf(each, byName, counted.length)),
    )
    if (known.size > 0) voters += 1
    for (const index of known) {
      const option = counted[index] as (typeof counted)[number]
      option.votes += 1
      if (option.voters.length < MAX_NAMED) option.voters.push(voter)
    }
  }
  return { voters, unreadable, options: counted }
}

/** Of equal names, the first counts. */
function positionOf(chosen: number | string, byName: ReadonlyMap<string, number>, count: number): number[] {
  const index = typeof chosen === 'number' ? chosen : byName.get(chosen)
  return index !== undefined && Number.isInteger(index) && index >= 0 && index < count ? [index] : []
}

// The rule for receipts of a sent message: a status only moves forward. PostgreSQL applies it in SQL, and the conformance suite
// compares both engines with this function.

export interface ReceiptStep {
  /** The statuses that the receipt may follow. */
  before: readonly MessageStatus[]
  /** The status that the receipt reports. */
  status: MessageStatus
}

export interface Progress {
  status: MessageStatus
  /** The message was still waiting: a receipt can arrive before the network confirms the send, and proves that it was sent. */
  becameSent: boolean
  /** The message has the status of the receipt now. */
  moved: boolean
}

export function progressOf(current: MessageStatus, { before, status }: ReceiptStep): Progress {
  const becameSent = isWaiting(current)
  const from = becameSent ? 'sent' : current
  const moved = before.includes(from)
  return { status: moved ? status : from, becameSent, moved }
}
