// The columns of an event that is appended to the log.

import { chatSettings, payloadOf } from '../chats/rules.ts'
import type { EventData } from '../contract/events.ts'
import type { MessageStatus } from '../contract/sending.ts'
import { isLid, phoneOf } from '../network/jid.ts'
import type { FailureDetails } from '../sending/rules-settle-send.ts'
import type { Row } from '../store/tables.ts'
import type { NewEvent } from './rules-payloads.ts'
import { ofReceivedUpdate, routeOf } from './rules-route.ts'

/** What the names of a person are looked up by; both null: the payload is complete. */
export const personColumns = ({ person }: Pick<NewEvent, 'person'>) => ({
  phone: person === undefined ? null : phoneOf(person),
  lid: person !== undefined && isLid(person) ? person : null,
})

/** The columns that the filters of webhooks read. */
export const routeColumns = ({ route }: Pick<NewEvent, 'route'>) => ({
  chat_kind: route?.chatKind ?? null,
  direction: route?.direction ?? null,
  sender: route?.sender ?? null,
  historical: route?.historical === true ? 1 : 0,
})

// The two events that the store writes itself: a message reached another status, and a sent message changed its chat.

interface MessageStep {
  instanceId: number
  messageId: string
  chat: string
  status: MessageStatus
  failure: FailureDetails | null
  /** A person has edited the message while approving it. */
  edited?: { text: string | null; content: Record<string, unknown> } | undefined
  at: number
}

/** Every change of a status is written together with this event. */
export function messageUpdate({ instanceId, at, edited, ...step }: MessageStep): NewEvent {
  const changed = edited as Pick<EventData<'messages.update'>, 'text' | 'content'> | undefined
  const data: EventData<'messages.update'> = { ...step, ...changed, at: new Date(at).toISOString() }
  const route = routeOf('messages.update', data)
  return { instanceId, name: 'messages.update', ...payloadOf(step.chat, data), createdAt: at, route }
}

/** The same for a received message. */
export const receivedUpdate = (step: MessageStep): NewEvent => ({
  ...messageUpdate(step),
  route: ofReceivedUpdate(step.chat),
})

/** The columns that the event of a chat is made of. */
export const CHAT_COLUMNS = [
  'id',
  'instance_id',
  'jid',
  'is_group',
  'name',
  'push_name',
  'last_message_text',
  'last_message_at',
  'unread_count',
  'archived',
  'muted_until',
  'pinned',
  'marked_unread',
  'disappearing_seconds',
  'assigned_user_id',
] as const

export const chatUpdate = (chat: Pick<Row<'chats'>, (typeof CHAT_COLUMNS)[number]>, at: number): NewEvent => {
  const data: EventData<'chats.update'> = {
    chat: chat.jid,
    name: chat.name ?? chat.push_name,
    unreadCount: chat.unread_count,
    lastMessageText: chat.last_message_text,
    lastMessageTimestamp: chat.last_message_at === null ? null : new Date(chat.last_message_at).toISOString(),
    ...chatSettings(chat),
  }
  const route = routeOf('chats.update', data)
  return {
    instanceId: chat.instance_id,
    name: 'chats.update',
    ...payloadOf(chat.jid, data),
    createdAt: at,
    route,
  }
}

// The filters of webhooks in SQL, the same on both engines: `passesFilter` of the fan-out rule, on the columns of an event and a
// webhook. Numbers consist of digits, so they contain no character that is special to `like`.

/** The columns of an event that filters read, in the order of their parameters. */
export const ROUTE_COLUMNS = 'chat_kind, direction, sender, historical'

export const FILTER_COLUMNS = 'filter_chats, filter_senders, filter_direction, history'

/** A sender that is null makes the comparison null, which is not true. */
export const PASSES_FILTER = `(filter_chats = 'all' or chat_kind is null or chat_kind = filter_chats)
    and (filter_senders is null or chat_kind is null or filter_senders like '%"' || sender || '"%')
    and (filter_direction is null or direction is null or direction = filter_direction)
    and (historical = 0 or history = 1)`
