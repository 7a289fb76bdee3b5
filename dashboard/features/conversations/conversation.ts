// The loaded part of a conversation: pages and later events merged into one list, newest first.
import type { z } from 'zod'
import type { EventData } from '../../../src/contract/events.ts'
import type { Direction, Message as MessageSchema } from '../../../src/contract/messages.ts'
import type { MessageStatus } from '../../../src/contract/sending.ts'

export type Message = z.output<typeof MessageSchema>
type Content = Message['content']

/** Outgoing first, because most reactions and votes target sent messages. */
const DIRECTIONS: readonly Direction[] = ['outgoing', 'incoming']

export interface Conversation {
  messages: readonly Message[]
  /** Whether there are older messages. */
  hasMore: boolean
}
type Page = Pick<Conversation, 'messages' | 'hasMore'>

/** A status never goes backwards, so a response that is older than an event must not overwrite it. */
const RANK: Record<MessageStatus, number> = {
  queued: 0,
  sending: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  played: 5,
  failed: 6,
}

export const keyOf = ({ messageId, direction }: Message): string => `${direction} ${messageId}`

const further = (known: Message | undefined, read: Message): Message =>
  known && RANK[known.status] > RANK[read.status] ? known : read

/** Merges the newest page. If it does not overlap the known messages, it replaces them. */
export function withNewest(known: Conversation | undefined, page: Page): Conversation {
  if (!known) return { messages: page.messages, hasMore: page.hasMore }
  const before = new Map(known.messages.map((message) => [keyOf(message), message]))
  const newest = page.messages.map((message) => further(before.get(keyOf(message)), message))
  const read = new Set(newest.map(keyOf))
  const overlaps = known.messages.some((message) => read.has(keyOf(message)))
  if (!overlaps && known.messages.length > 0 && page.hasMore) return { messages: newest, hasMore: true }
  const rest = known.messages.filter((message) => !read.has(keyOf(message)))
  const isOnlyPage = rest.length === 0
  return { messages: [...newest, ...rest], hasMore: isOnlyPage ? page.hasMore : known.hasMore }
}

export function withOlder(known: Conversation, page: Page): Conversation {
  const have = new Set(known.messages.map(keyOf))
  const older = page.messages.filter((message) => !have.has(keyOf(message)))
  return { messages: [...known.messages, ...older], hasMore: page.hasMore }
}

/** Pages are numbered from the newest, so this page may overlap the known messages. */
export const nextPage = (known: Conversation, pageSize: number): number =>
  Math.floor(known.messages.length / pageSize) + 1

/** A message that was just queued or received. */
export function withUpsert(
  known: Conversation,
  instanceName: string,
  data: EventData<'messages.upsert'>,
): Conversation {
  const message = messageOf(instanceName, data)
  if (known.messages.some((other) => keyOf(other) === keyOf(message))) return known
  return { ...known, messages: [message, ...known.messages] }
}

/** Undefined if the message is not loaded. */
export function withUpdate(
  known: Conversation,
  { messageId, status, failure, at }: EventData<'messages.update'>,
): Conversation | undefined {
  const index = known.messages.findIndex((message) => message.messageId === messageId)
  const message = known.messages[index]
  if (!message) return undefined
  if (RANK[message.status] >= RANK[status]) return known
  const messages = known.messages.with(index, { ...message, status, failure, updatedAt: at })
  return { ...known, messages }
}

/** Converts a message event to the format of `GET /messages`. */
function messageOf(instanceName: string, data: EventData<'messages.upsert'>): Message {
  const isGroup = data.chat.endsWith('@g.us')
  const { from, text, media, quoted, interactiveReplyId, target } = data
  return {
    messageId: data.messageId,
    instanceName,
    direction: data.direction,
    number: data.chat.endsWith('@s.whatsapp.net') ? (data.chat.split('@')[0] ?? null) : null,
    groupJid: isGroup ? data.chat : null,
    type: data.type,
    status: data.status ?? 'delivered',
    content:
      data.status === 'queued'
        ? data.content
        : { ...data.content, from, text, media, quoted, interactiveReplyId, ...(target && { target }) },
    failure: null,
    createdAt: data.sentAt,
    updatedAt: data.sentAt,
    sentAt: data.status === 'queued' ? null : data.sentAt,
    deliveredAt: null,
    readAt: null,
  }
}

/** One message with its reactions, edits and votes applied. */
export interface ShownMessage {
  message: Message
  text: string | null
  isEdited: boolean
  isDeleted: boolean
  /** Each emoji with its count. */
  reactions: readonly (readonly [emoji: string, count: number])[]
  /** The votes per poll option. */
  votes: ReadonlyMap<string, number>
}

interface Notes {
  text?: string
  isDeleted?: true
  reactions: Map<string, string>
  votes: Map<string, readonly string[]>
}

/** Changes of other messages are shown there, not as messages. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set(['reaction', 'edit', 'delete', 'poll_vote'])

/** The newest incoming message, if it is unread. Reading it reads all earlier ones. */
export function newestUnread({ messages }: Pick<Conversation, 'messages'>): string | undefined {
  const newest = messages.find(({ direction, type }) => direction === 'incoming' && !ABOUT_OTHERS.has(type))
  return newest?.status === 'delivered' ? newest.messageId : undefined
}

/** The conversation in order, oldest first. */
export function shownMessages({ messages }: Pick<Conversation, 'messages'>): ShownMessage[] {
  // Network times have a resolution of one second; within a second the order of arrival counts.
  const written = messages.toReversed().toSorted((a, b) => secondOf(a) - secondOf(b))
  const shown = written.filter((message) => !ABOUT_OTHERS.has(message.type))
  const byKey = new Map(shown.map((message) => [keyOf(message), message]))
  const notes = new Map<Message, Notes>()
  for (const change of written) {
    const target = ABOUT_OTHERS.has(change.type) ? targetOf(change, byKey) : undefined
    if (target && mayChange(change, target)) take(notes, change, target)
  }
  return shown.map((message) => {
    const note = notes.get(message)
    return {
      message,
      text: note?.text ?? textOf(message.content),
      isEdited: note?.text !== undefined,
      isDeleted: note?.isDeleted === true,
      reactions: counted(note?.reactions.values() ?? []),
      votes: new Map(counted([...(note?.votes.values() ?? [])].flat())),
    }
  })
}

const secondOf = ({ createdAt }: Message): number => Math.floor(Date.parse(createdAt) / 1000)

/** The id is not enough: another person can send a message with the id of one of ours. */
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

function isSamePerson(one: Sender | null, other: Sender | null): boolean {
  if (!one || !other) return false
  return one.jid === other.jid || (one.lid !== null && one.lid === other.lid)
}

function take(notes: Map<Message, Notes>, { type, content }: Message, target: Message): void {
  const note: Notes = notes.get(target) ?? { reactions: new Map(), votes: new Map() }
  notes.set(target, note)
  const who = senderOf(content)?.jid ?? ''
  if (type === 'edit') note.text = textAt(content, 'text') ?? ''
  if (type === 'delete') note.isDeleted = true
  if (type === 'reaction') {
    const emoji = textAt(content, 'emoji')
    if (emoji === null) note.reactions.delete(who)
    else note.reactions.set(who, emoji)
  }
  if (type === 'poll_vote') note.votes.set(who, textsAt(content, 'options'))
}

function counted(values: Iterable<string>): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
}

export interface Sender {
  jid: string
  lid: string | null
  phone: string | null
  pushName: string | null
}
/** The sender of a received message. */
export const senderOf = (content: Content): Sender | null =>
  (content.from as unknown as Sender | undefined) ?? null

/** The text of a sent or received message of any kind. */
export function textOf(content: Content): string | null {
  return textAt(content, 'message') ?? textAt(content, 'text')
}

export const textAt = (content: Content, name: string): string | null => {
  const value = content[name]
  return typeof value === 'string' ? value : null
}

export const textsAt = (content: Content, name: string): string[] => {
  const value = content[name]
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : []
}
