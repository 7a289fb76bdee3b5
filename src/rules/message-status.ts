// The order of message statuses: a status never goes backwards.
import type { MessageStatus } from '../contract/sending.ts'

const RANK: Record<MessageStatus, number> = {
  queued: 0,
  sending: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  played: 5,
  // Final: the message was already reported as failed, so a later receipt changes nothing.
  failed: 6,
}

export const isForward = (from: MessageStatus, to: MessageStatus): boolean => RANK[to] > RANK[from]
