// Messages as they are shown: with reactions, edits, deletions, pins and votes applied.
import type { Direction } from '../../../../src/contract/messages.ts'
import type { Conversation } from './conversation.ts'
import {
  keyOf,
  type Message,
  type MessageSender,
  placedAt,
  senderOf,
  textAt,
  textOf,
  textsAt,
} from './message-fields.ts'

/** One message with all changes applied. */
export interface ThreadMessage {
  message: Message
  text: string | null
  isEdited: boolean
  /** Who deleted it. */
  deletedBy: 'author' | 'admin' | null
  /** Each emoji with its count. */
  reactions: readonly (readonly [emoji: string, count: number])[]
  /** The reaction of the instance. */
  ownReaction: string | null
  /** When the pin ends, in milliseconds; null: not pinned. */
  pinnedUntil: number | null
  /** The votes per poll option, or the answers to an event with the guests that people bring. */
  votes: ReadonlyMap<string, number>
  /** The latest change by the instance, if it failed. */
  failedChange: Message | null
}

interface Notes {
  text?: string
  deletedBy?: 'author' | 'admin'
  pinnedUntil?: number | null
  failed?: Message | null
  reactions: Map<string, string>
  votes: Map<string, readonly string[]>
}

/** The instance itself among those who react. Its own devices report it with a jid, the API without. */
const OURSELVES = ''

/** Outgoing first, because most reactions and votes target sent messages. */
const DIRECTIONS: readonly Direction[] = ['outgoing', 'incoming']

/** Changes of other messages are shown there, not as messages. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set([
  'reaction',
  'edit',
  'delete',
  'pin',
  'poll_vote',
  'event_answer',
  'album',
])

type Read = Pick<Conversation, 'messages'> & Partial<Conversation>

/** The newest incoming message, if it is unread. Reading it reads all earlier ones. */
export function newestUnread({ messages }: Read): string | undefined {
  const newest = messages.find(({ direction, type }) => direction === 'incoming' && !ABOUT_OTHERS.has(type))
  return newest?.status === 'delivered' ? newest.messageId : undefined
}

/** The conversation in order, oldest first. */
export function shownMessages({ messages, scheduled = [] }: Read): ThreadMessage[] {
  const read = new Set(messages.map(keyOf))
  const all = [...scheduled.filter((message) => !read.has(keyOf(message))), ...messages]
  // Network times have a resolution of one second; within a second the order of arrival counts.
  const written = all
    .toReversed()
    .map((message) => [secondOf(message), message] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, message]) => message)
  const shown = written.filter((message) => !ABOUT_OTHERS.has(message.type))
  const byKey = new Map(shown.map((message) => [keyOf(message), message]))
  const notes = new Map<Message, Notes>()
  for (const change of written) {
    const target = ABOUT_OTHERS.has(change.type) ? targetOf(change, byKey) : undefined
    if (target && mayChange(change, target)) take(notes, change, target)
  }
  return shown.map((message) => shownWith(message, notes.get(message)))
}

/** Of messages without changes, which are almost all: made once, although every new message lists thousands of them again. */
const unchanged = new WeakMap<Message, ThreadMessage>()

function shownWith(message: Message, note: Notes | undefined): ThreadMessage {
  if (note) return withNotes(message, note)
  const shown = unchanged.get(message) ?? withNotes(message)
  unchanged.set(message, shown)
  return shown
}

function withNotes(message: Message, note?: Notes): ThreadMessage {
  return {
    message,
    text: note?.text ?? textOf(message.content),
    isEdited: note?.text !== undefined,
    deletedBy: note?.deletedBy ?? null,
    reactions: counted(note?.reactions.values() ?? []),
    ownReaction: note?.reactions.get(OURSELVES) ?? null,
    pinnedUntil: note?.pinnedUntil ?? null,
    votes: new Map(counted([...(note?.votes.values() ?? [])].flat())),
    failedChange: note?.failed ?? null,
  }
}

const secondOf = (message: Message): number => Math.floor(Date.parse(placedAt(message)) / 1000)

function targetOf({ content }: Message, byKey: ReadonlyMap<string, Message>): Message | undefined {
  const target = content.target as { messageId: string; direction: Direction | null } | null | undefined
  const messageId = target?.messageId ?? textAt(content, 'targetMessageId') ?? ''
  const directions = target?.direction ? [target.direction] : DIRECTIONS
  return directions.flatMap((direction) => byKey.get(`${direction} ${messageId}`) ?? [])[0]
}

/**
 * The gateway drops forged changes. Those that an earlier version stored are filtered by author: an edit must come from the
 * author, and a delete from the author or an admin.
 */
function mayChange(change: Message, target: Message): boolean {
  if (change.type !== 'edit' && change.type !== 'delete') return true
  if (change.content.deletedBy === 'admin') return true
  if (change.direction !== target.direction) return false
  return target.direction === 'outgoing' || isSamePerson(senderOf(change.content), senderOf(target.content))
}

function isSamePerson(one: MessageSender | null, other: MessageSender | null): boolean {
  if (!one || !other) return false
  return one.jid === other.jid || (one.lid !== null && one.lid === other.lid)
}

function take(notes: Map<Message, Notes>, change: Message, target: Message): void {
  const note: Notes = notes.get(target) ?? { reactions: new Map(), votes: new Map() }
  notes.set(target, note)
  const isOurs = change.direction === 'outgoing'
  if (isOurs) note.failed = change.status === 'failed' ? change : null
  if (change.status !== 'failed') TAKE[change.type as keyof typeof TAKE](note, change, isOurs)
}

type Take = (note: Notes, change: Message, isOurs: boolean) => void
const TAKE = {
  edit(note, { content }) {
    note.text = textOf(content) ?? ''
  },
  delete(note, { content }) {
    note.deletedBy = content.deletedBy === 'admin' ? 'admin' : 'author'
  },
  reaction(note, { content }, isOurs) {
    const emoji = textAt(content, 'emoji')
    const who = isOurs ? OURSELVES : (senderOf(content)?.jid ?? '?')
    if (emoji === null || emoji === '') note.reactions.delete(who)
    else note.reactions.set(who, emoji)
  },
  pin(note, { content, createdAt }) {
    const { seconds } = content
    note.pinnedUntil = typeof seconds === 'number' ? Date.parse(createdAt) + seconds * 1000 : null
  },
  poll_vote(note, { content }) {
    note.votes.set(senderOf(content)?.jid ?? '', textsAt(content, 'options'))
  },
  event_answer(note, { content }) {
    const answer = textAt(content, 'answer')
    const people = 1 + Number(content.extraGuests ?? 0)
    note.votes.set(senderOf(content)?.jid ?? '', answer === null ? [] : Array<string>(people).fill(answer))
  },
} as const satisfies Partial<Record<Message['type'], Take>>

function counted(values: Iterable<string>): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
}

// How the messages of a conversation stand together: groups of one sender, and where the unread ones begin.

const TOGETHER_MS = 5 * 60_000

export const isOtherSender = (before: ThreadMessage, one: ThreadMessage): boolean =>
  before.message.direction !== one.message.direction ||
  senderOf(before.message.content)?.jid !== senderOf(one.message.content)?.jid

/** The message follows one of the same sender within a few minutes. */
export const isJoined = (before: ThreadMessage | undefined, one: ThreadMessage): boolean =>
  before !== undefined &&
  !isOtherSender(before, one) &&
  Date.parse(placedAt(one.message)) - Date.parse(placedAt(before.message)) < TOGETHER_MS

/** The first of the unread messages at the end of the conversation; undefined: all are read. */
export function firstUnread(shown: readonly ThreadMessage[]): string | undefined {
  const isUnread = ({ message }: ThreadMessage) =>
    message.direction === 'incoming' && message.status === 'delivered'
  const last = shown.findLastIndex((one) => !isUnread(one))
  const first = shown[last + 1]
  return first && keyOf(first.message)
}
