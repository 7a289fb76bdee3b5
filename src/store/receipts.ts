// Receipts as the store takes them: messages of ours that have got further.
import type { MessageStatus } from '../contract/sending.ts'

export interface Progress {
  instanceId: number
  messageIds: string[]
  /** The statuses that a message may come from. */
  before: readonly MessageStatus[]
  status: MessageStatus
  timeColumn: 'delivered_at' | 'read_at'
  atMs: number
  now: number
}
