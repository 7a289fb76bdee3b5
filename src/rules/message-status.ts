// The order of message statuses: a status never goes backwards.
import type { MessageStatus } from '../contract/sending.ts'

const RANK: Record<MessageStatus, number> = {
  scheduled: -1,
  queued: 0,
  sending: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  played: 5,
  // Final: the message was already reported as failed, so a later receipt changes nothing.
  failed: 6,
}

/** A scheduled message was not sent yet: no receipt can be genuine. */
export const isForward = (from: MessageStatus, to: MessageStatus): boolean =>
  from !== 'scheduled' && RANK[to] > RANK[from]
