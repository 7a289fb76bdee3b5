// A conversation as it is known so far: pages that were read and events that came since, kept as one list, newest first.
import type { z } from 'zod'
import type { EventData } from '../../src/contract/events.ts'
import type { Message as MessageSchema } from '../../src/contract/messages.ts'
import type { MessageStatus } from '../../src/contract/sending.ts'

export type Message = z.output<typeof MessageSchema>
type Content = Message['content']

export interface Conversation {
  messages: readonly Message[]
  /** Whether there are older ones than these. */
  hasMore: boolean
}
type Page = Pick<Conversation, 'messages' | 'hasMore'>

/** A status never goes backwards (decisions 6); an answer that was overtaken by an event must not take it back. */
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

/** The newest page, read anew. Where it no longer reaches what is known, the known is too old to be of use. */
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

/** Pages count from the newest: this one begins where the known ones end, or a little before. */
export const nextPage = (known: Conversation, pageSize: number): number =>
  Math.floor(known.messages.length / pageSize) + 1

/** A message that was just accepted or has just come. */
export function withUpsert(
  known: Conversation,
  instanceName: string,
  data: EventData<'messages.upsert'>,
): Conversation {
  const message = messageOf(instanceName, data)
  if (known.messages.some((other) => keyOf(other) === keyOf(message))) return known
  return { ...known, messages: [message, ...known.messages] }
}

/** Undefined: the message is not among the known ones. */
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

/** The event of a message, as `GET /messages` would give it. What we were asked to send carries nothing but its content. */
function messageOf(instanceName: string, data: EventData<'messages.upsert'>): Message {
  const isGroup = data.chat.endsWith('@g.us')
  const { from, text, media, quoted, interactiveReplyId } = data
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
        : { ...data.content, from, text, media, quoted, interactiveReplyId },
    failure: null,
    createdAt: data.sentAt,
    updatedAt: data.sentAt,
    sentAt: data.status === 'queued' ? null : data.sentAt,
    deliveredAt: null,
    readAt: null,
  }
}

/** One message as the reader sees it, with all that was said about it later. */
export interface ShownMessage {
  message: Message
  text: string | null
  isEdited: boolean
  isDeleted: boolean
  /** Each emoji with how many gave it. */
  reactions: readonly (readonly [emoji: string, count: number])[]
  /** How many chose each option of a poll. */
  votes: ReadonlyMap<string, number>
}

interface Notes {
  text?: string
  isDeleted?: true
  reactions: Map<string, string>
  votes: Map<string, readonly string[]>
}

/** What is about another message is told there and not as a message of its own. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set(['reaction', 'edit', 'delete', 'poll_vote'])

/** The message that came last, where nobody has read it: who reads it has read those before it. */
export function newestUnread({ messages }: Pick<Conversation, 'messages'>): string | undefined {
  const newest = messages.find(({ direction, type }) => direction === 'incoming' && !ABOUT_OTHERS.has(type))
  return newest?.status === 'delivered' ? newest.messageId : undefined
}

/** The conversation in the order it was written, oldest first. */
export function shownMessages({ messages }: Pick<Conversation, 'messages'>): ShownMessage[] {
  // The network tells times in seconds; within one the order of the store counts, which is that of arrival.
  const written = messages.toReversed().toSorted((a, b) => secondOf(a) - secondOf(b))
  const notes = new Map<string, Notes>()
  for (const message of written) if (ABOUT_OTHERS.has(message.type)) take(notes, message)
  return written
    .filter((message) => !ABOUT_OTHERS.has(message.type))
    .map((message) => {
      const note = notes.get(message.messageId)
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

function take(notes: Map<string, Notes>, { type, content }: Message): void {
  const target = textAt(content, 'targetMessageId') ?? ''
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
  phone: string | null
  pushName: string | null
}
/** Who wrote a received message. */
export const senderOf = (content: Content): Sender | null =>
  (content.from as unknown as Sender | undefined) ?? null

/** The text of a message of any kind: what was asked to be sent, or what came. */
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
