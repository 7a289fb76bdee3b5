// The rule for receipts of a sent message: a status only moves forward. PostgreSQL applies it in SQL, and the conformance suite
// compares both engines with this function.
import type { MessageStatus } from '../contract/sending.ts'
import { isWaiting } from '../sending/rules-settle-send.ts'

export interface ReceiptStep {
  /** The statuses that the receipt may follow. */
  before: readonly MessageStatus[]
  /** The status that the receipt reports. */
  status: MessageStatus
}

export interface Progress {
  status: MessageStatus
  /** The message was still waiting: a receipt can arrive before the network confirms the send, and proves that it was sent. */
  becameSent: boolean
  /** The message has the status of the receipt now. */
  moved: boolean
}

export function progressOf(current: MessageStatus, { before, status }: ReceiptStep): Progress {
  const becameSent = isWaiting(current)
  const from = becameSent ? 'sent' : current
  const moved = before.includes(from)
  return { status: moved ? status : from, becameSent, moved }
}
