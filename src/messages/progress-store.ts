// The progress of a sent message, as its receipts report it, and the events that go with it.
import { type MessageStatus, UNCOUNTED_KINDS } from '../contract/message-values.ts'
import { messageUpdate } from '../events/append-store.ts'
import { type NewEvent, ownChangeEvent, textOf } from '../events/rules-payloads.ts'
import type { OwnAccountRow } from '../instances/rules.ts'
import { isStatusJid } from '../network/jid.ts'
import type { ReceiptStep } from './rules.ts'
import { type TextChange, type TextChangeFacts, textChangeOf } from './rules-text-change.ts'

export interface MessageProgress extends ReceiptStep {
  instanceId: number
  messageId: string
  /** All identifiers of the chat that the receipt came from. A receipt for a message of another chat is ignored. */
  chats: readonly string[]
  /** The jid under which the network has the chat; null if only its lid is known. A message that becomes sent is stored under it. */
  networkChat: string | null
  timeColumn: 'delivered_at' | 'read_at'
  atMs: number
  now: number
}

/** The message and its account, as their rows have them. */
export interface RecordedProgress extends OwnAccountRow {
  chat: string
  kind: string
  content: string
  row_id: number
  becameSent: boolean
  moved: boolean
}

/**
 * One event for each status that the message reached, in order. A message that became sent and changes another one has the event of
 * that change too, because its settlement has nothing left to record.
 */
export function progressEvents(
  { instanceId, messageId, status, now }: MessageProgress,
  { becameSent, moved, ...recorded }: RecordedProgress,
): NewEvent[] {
  const step = (reached: MessageStatus) =>
    messageUpdate({ instanceId, messageId, chat: recorded.chat, status: reached, failure: null, at: now })
  const change = becameSent && changeOf(instanceId, messageId, recorded, now)
  return [
    ...(becameSent ? [step('sent')] : []),
    ...(change ? [change] : []),
    ...(moved ? [step(status)] : []),
  ]
}

const UNCOUNTED: ReadonlySet<string> = new Set(UNCOUNTED_KINDS)

/**
 * What a message that became sent changes in its chat, because its settlement has nothing left to record: it is the last message, it
 * changes the text of an earlier one, or it sets how long messages stay.
 */
export function sentChatChange({
  kind,
  chat,
  content,
}: Pick<RecordedProgress, 'kind' | 'chat' | 'content'>):
  | { kind: 'last_message'; text: string | null }
  | { kind: 'text'; change: TextChange }
  | { kind: 'timer'; seconds: number }
  | undefined {
  const fields = JSON.parse(content) as Record<string, unknown>
  if (kind === 'disappearing') return { kind: 'timer', seconds: Number(fields.seconds) }
  const text = textOf(fields)
  const change = textChangeOf({ kind, target: fields.target as TextChangeFacts['target'], text })
  if (change) return { kind: 'text', change }
  return UNCOUNTED.has(kind) || isStatusJid(chat) ? undefined : { kind: 'last_message', text }
}

function changeOf(
  instanceId: number,
  messageId: string,
  { chat, kind, content, row_id: _rowId, ...account }: Omit<RecordedProgress, 'becameSent' | 'moved'>,
  now: number,
): NewEvent | undefined {
  if (!UNCOUNTED.has(kind)) return undefined
  const action = { instanceId, messageId, chat, kind, account }
  return ownChangeEvent({ ...action, content: JSON.parse(content) as Record<string, unknown> }, now)
}
