// The life of a message as an order: a status never goes backwards (decisions 6).
import type { MessageStatus } from '../contract/sending.ts'

const RANK: Record<MessageStatus, number> = {
  queued: 0,
  sending: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  played: 5,
  // Failed is an end: whatever comes later is about a message that we have reported lost.
  failed: 6,
}

export const isForward = (from: MessageStatus, to: MessageStatus): boolean => RANK[to] > RANK[from]
