// Lanes: ordered work without a broker. A claim locks a lane, not a message; its fence tells a former owner's word apart.
import type { FailureReason, MessageStatus } from '../contract/sending.ts'

export interface ClaimRequest {
  owner: string
  now: number
  /** How long the lane stays this owner's unless it is settled or claimed anew. */
  lockMs: number
  limit: number
  /** At most this many lanes of one instance are worked on at a time. */
  perInstance: number
}

/** The first waiting message of a lane that is now ours. */
export interface ClaimedSend {
  lane: string
  fence: number
  instanceId: number
  rowId: number
  messageId: string
  chat: string
  kind: string
  content: string
  delayMs: number
  tries: number
  createdAt: number
}

export type SendOutcome =
  /** The network took it: the lane goes on. */
  | { kind: 'sent' }
  /** It will never go: the lane goes on without it. */
  | { kind: 'failed'; reason: FailureReason; error: string; code: number | null }
  /** Not now: the lane waits, and with it all behind the message. */
  | { kind: 'retry'; at: number }

export interface SettleRequest {
  instanceId: number
  lane: string
  fence: number
  rowId: number
  now: number
  outcome: SendOutcome
}

/** What a settled outcome writes into the message's row. */
export function settledMessage(outcome: SendOutcome, now: number) {
  const status: MessageStatus = outcome.kind === 'retry' ? 'queued' : outcome.kind
  return {
    status,
    failure_reason: outcome.kind === 'failed' ? outcome.reason : null,
    failure_error: outcome.kind === 'failed' ? outcome.error : null,
    failure_code: outcome.kind === 'failed' ? outcome.code : null,
    sent_at: outcome.kind === 'sent' ? now : null,
    updated_at: now,
  }
}
