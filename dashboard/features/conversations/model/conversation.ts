// The loaded part of a conversation: pages and later events merged into one list, newest first.
import type { EventData } from '../../../../src/contract/events.ts'
import { isLaterStatus } from '../../../../src/contract/message-values.ts'
import { keyOf, type Message } from './message-fields.ts'

export interface Conversation {
  messages: readonly Message[]
  /** Whether there are older messages. */
  hasMore: boolean
  /** Scheduled messages, wherever they are in the pages: pages are in the order in which messages were accepted. */
  scheduled?: readonly Message[]
}
type Page = Pick<Conversation, 'messages' | 'hasMore'>

/** A response that is older than an event must not overwrite it. */
const further = (known: Message | undefined, read: Message): Message =>
  known && isLaterStatus(known.status, read.status) ? known : read

/** Merges the newest page. If it does not overlap the known messages, it replaces them. */
export function withNewest(known: Conversation | undefined, page: Page): Conversation {
  if (!known) return { messages: page.messages, hasMore: page.hasMore }
  const { scheduled = [] } = known
  const before = new Map(known.messages.map((message) => [keyOf(message), message]))
  const newest = page.messages.map((message) => further(before.get(keyOf(message)), message))
  const read = new Set(newest.map(keyOf))
  const overlaps = known.messages.some((message) => read.has(keyOf(message)))
  if (!overlaps && known.messages.length > 0 && page.hasMore)
    return { messages: newest, hasMore: true, scheduled }
  const rest = known.messages.filter((message) => !read.has(keyOf(message)))
  const isOnlyPage = rest.length === 0
  return { messages: [...newest, ...rest], hasMore: isOnlyPage ? page.hasMore : known.hasMore, scheduled }
}

/**
 * A page without older ones lists every message of the chat. Messages that were loaded before it was requested, and that it does not
 * list, were deleted: the chat was cleared here or on the phone.
 */
export function withoutDeleted(
  known: Conversation | undefined,
  page: Page,
  requestedWith: Conversation | undefined,
): Conversation | undefined {
  if (!known || !requestedWith || page.hasMore) return known
  const listed = new Set(page.messages.map(keyOf))
  const earlier = new Set(requestedWith.messages.map(keyOf))
  const isDeleted = (message: Message) => earlier.has(keyOf(message)) && !listed.has(keyOf(message))
  return { ...known, messages: known.messages.filter((message) => !isDeleted(message)) }
}

/** The message with the star of the answer. */
export function withStar(known: Conversation, changed: Message): Conversation {
  const replaced = (message: Message): Message =>
    keyOf(message) === keyOf(changed) ? { ...message, starred: changed.starred } : message
  return { ...known, messages: known.messages.map(replaced) }
}

/** Those that were scheduled before stay: they have been queued, sent or cancelled since. */
export function withScheduled(known: Conversation, read: readonly Message[]): Conversation {
  const before = new Map((known.scheduled ?? []).map((message) => [keyOf(message), message]))
  const merged = read.map((message) => further(before.get(keyOf(message)), message))
  const have = new Set(merged.map(keyOf))
  const done = [...before.values()].filter(
    (message) => !have.has(keyOf(message)) && message.status !== 'scheduled',
  )
  return { ...known, scheduled: [...merged, ...done] }
}

export function withOlder(known: Conversation, page: Page): Conversation {
  const have = new Set(known.messages.map(keyOf))
  const older = page.messages.filter((message) => !have.has(keyOf(message)))
  return { ...known, messages: [...known.messages, ...older], hasMore: page.hasMore }
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
  update: EventData<'messages.update'>,
): Conversation | undefined {
  const [messages, scheduled] = [changed(known.messages, update), changed(known.scheduled ?? [], update)]
  if (!messages && !scheduled) return undefined
  return { ...known, ...(messages && { messages }), ...(scheduled && { scheduled }) }
}

/** Undefined if the message is not among these. */
function changed(
  messages: readonly Message[],
  { messageId, status, failure, at }: EventData<'messages.update'>,
): readonly Message[] | undefined {
  const index = messages.findIndex((message) => message.messageId === messageId)
  const message = messages[index]
  if (!message) return undefined
  if (!isLaterStatus(status, message.status)) return messages
  return messages.with(index, { ...message, status, failure, updatedAt: at })
}

/** Converts a message event to the format of `GET /messages`. */
function messageOf(instanceName: string, data: EventData<'messages.upsert'>): Message {
  const isGroup = data.chat.endsWith('@g.us')
  const { from, text, media, quoted, interactiveReplyId, target } = data
  const isWaiting = data.status === 'queued' || data.status === 'scheduled'
  return {
    messageId: data.messageId,
    instanceName,
    direction: data.direction,
    chat: data.chat,
    number: data.chat.endsWith('@s.whatsapp.net') ? (data.chat.split('@')[0] ?? null) : null,
    lid: data.lid ?? null,
    username: data.username ?? null,
    groupJid: isGroup ? data.chat : null,
    type: data.type,
    status: data.status ?? 'delivered',
    content: isWaiting
      ? data.content
      : ({
          ...data.content,
          from,
          text,
          media,
          quoted,
          interactiveReplyId,
          ...(target && { target }),
        } as Message['content']),
    failure: null,
    sendAt: data.sendAt ?? null,
    reference: data.reference ?? null,
    expiresAt: null,
    late: false,
    starred: false,
    historical: false,
    createdAt: data.sentAt,
    updatedAt: data.sentAt,
    sentAt: isWaiting ? null : data.sentAt,
    deliveredAt: null,
    readAt: null,
  }
}
