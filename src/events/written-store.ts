// The two events that the store writes itself: a message reached another status, and a sent message changed its chat.

import { payloadOf } from '../chats/rules-chat-ids.ts'
import { chatSettings } from '../chats/rules-chat-settings.ts'
import type { EventData } from '../contract/events.ts'
import type { MessageStatus } from '../contract/sending.ts'
import type { FailureDetails } from '../sending/rules-settle-send.ts'
import type { Row } from '../store/tables.ts'
import type { NewEvent } from './rules-payloads.ts'
import { ofReceivedUpdate, routeOf } from './rules-route.ts'

export interface MessageStep {
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
