// The two events that the store writes itself: a message reached another status, and a sent message changed its chat.
import type { EventData } from '../../../contract/events.ts'
import type { MessageStatus } from '../../../contract/sending.ts'
import type { SendFailure } from '../../../rules/settle-send.ts'
import type { Row } from '../../tables.ts'
import type { NewEvent } from './types.ts'

export interface MessageStep {
  instanceId: number
  messageId: string
  chat: string
  status: MessageStatus
  failure: SendFailure | null
  at: number
}

/** Every change of a status is written together with this event. */
export const messageUpdate = ({ instanceId, at, ...step }: MessageStep): NewEvent => ({
  instanceId,
  name: 'messages.update',
  data: JSON.stringify({ ...step, at: new Date(at).toISOString() }),
  createdAt: at,
})

export const chatUpdate = (
  chat: Omit<Row<'chats'>, 'created_at' | 'updated_at' | 'active_at'>,
  at: number,
): NewEvent => {
  const data: EventData<'chats.update'> = {
    chat: chat.jid,
    name: chat.name ?? chat.push_name,
    unreadCount: chat.unread_count,
    lastMessageText: chat.last_message_text,
    lastMessageTimestamp: chat.last_message_at === null ? null : new Date(chat.last_message_at).toISOString(),
  }
  return { instanceId: chat.instance_id, name: 'chats.update', data: JSON.stringify(data), createdAt: at }
}
