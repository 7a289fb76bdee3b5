// The last message of a chat, as a list of chats shows it.
import type { z } from 'zod'
import type { LastMessage } from '../contract/last-message.ts'
import type { Direction, MessageType } from '../contract/messages.ts'
import type { MessageStatus } from '../contract/sending.ts'

/** Columns of a chat's row and of its last message. */
export interface LastMessageRow {
  last_message_text: string | null
  last_message_deleted: 0 | 1
  last_id: string | null
  last_direction: string | null
  last_kind: string | null
  last_status: string | null
  /** JSON. */
  last_content: string | null
}

interface ShownContent {
  from?: z.output<typeof LastMessage>['from']
  media?: { seconds?: number | null } | null
  voice?: boolean
}

/** Null: the chat has no message that is stored. */
export function lastMessageOf(row: LastMessageRow): z.output<typeof LastMessage> | null {
  if (row.last_id === null) return null
  const isDeleted = row.last_message_deleted === 1
  const content = JSON.parse(row.last_content ?? '{}') as ShownContent
  return {
    messageId: row.last_id,
    direction: row.last_direction as Direction,
    type: row.last_kind as MessageType,
    status: row.last_status as MessageStatus,
    text: row.last_message_text,
    deleted: isDeleted,
    from: row.last_direction === 'incoming' ? (content.from ?? null) : null,
    // Audio that is sent through the API is a voice message, unless it says otherwise.
    voice: row.last_kind === 'audio' && content.voice !== false,
    seconds: isDeleted ? null : (content.media?.seconds ?? null),
  }
}
