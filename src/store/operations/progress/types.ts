// The progress of a sent message, as its receipts report it, and the events that go with it.
import type { MessageStatus } from '../../../contract/sending.ts'
import type { ReceiptStep } from '../../../rules/message-progress.ts'
import { messageUpdate } from '../events/store-events.ts'
import type { NewEvent } from '../events/types.ts'

export interface MessageProgress extends ReceiptStep {
  instanceId: number
  messageId: string
  /** All identifiers of the chat that the receipt came from. A receipt for a message of another chat is ignored. */
  chats: readonly string[]
  timeColumn: 'delivered_at' | 'read_at'
  atMs: number
  now: number
}

export interface RecordedProgress {
  chat: string
  becameSent: boolean
  moved: boolean
}

/** One event for each status that the message reached, in order. */
export function progressEvents(
  { instanceId, messageId, status, now }: MessageProgress,
  { chat, becameSent, moved }: RecordedProgress,
): NewEvent[] {
  const reached: MessageStatus[] = [...(becameSent ? ['sent' as const] : []), ...(moved ? [status] : [])]
  return reached.map((step) =>
    messageUpdate({ instanceId, messageId, chat, status: step, failure: null, at: now }),
  )
}
