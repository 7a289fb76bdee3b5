// The rules for settling a send: what its outcome makes of the message and of its lane. The engines apply them in SQL, guarded by
// the lane's fencing token, and the conformance suite compares both with these functions.
import type { FailureReason, MessageStatus } from '../contract/sending.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import type { TextChange } from '../messages/rules-text-change.ts'

export interface FailureDetails {
  reason: FailureReason
  error: string
  code: number | null
}

export type SendOutcome =
  /**
   * The network accepted it. `chat` is the network's identifier of the chat, `text` what a list of chats shows. A silent message
   * changes an earlier one: it does not become the last message of its chat, `change` is its event, and `textChange` what it makes of
   * the text of that message.
   */
  | {
      kind: 'sent'
      chat: string
      text: string | null
      isSilent?: boolean
      change?: NewEvent | undefined
      textChange?: TextChange | undefined
    }
  /** It will never be sent. The lane continues with the next message. */
  | ({ kind: 'failed' } & FailureDetails)
  /** It is sent again at `at`. Until then the whole lane waits, so that the order is kept. */
  | { kind: 'retry'; at: number }

/** The statuses of a message that still waits in its lane. */
export const isWaiting = (status: MessageStatus): boolean => status === 'queued' || status === 'sending'

/**
 * The status of a message after its outcome. A message that no longer waits keeps its status, because a receipt arrived first. A
 * retried message stays `sending`: it may have reached the network, and a status never goes backwards (decision 0030).
 */
export function statusAfter(current: MessageStatus, { kind }: Pick<SendOutcome, 'kind'>): MessageStatus {
  if (!isWaiting(current)) return current
  return kind === 'retry' ? 'sending' : kind
}

/** When the lane is due after an outcome that releases it; null: nothing waits in it, the retried message included. */
export function laneDueAt(outcome: SendOutcome, now: number, isAnyWaiting: boolean): number | null {
  if (!isAnyWaiting) return null
  return outcome.kind === 'retry' ? outcome.at : now
}

export const failureOf = (outcome: SendOutcome): FailureDetails | null =>
  outcome.kind === 'failed' ? { reason: outcome.reason, error: outcome.error, code: outcome.code } : null
