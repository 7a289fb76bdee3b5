// Lanes: ordered work without a broker. A claim locks a lane, not a message; its fence tells a former owner's word apart.
import type { FailureReason, MessageStatus } from '../contract/sending.ts'
import { messageUpdate, type NewEvent } from './event-log.ts'

export interface ClaimRequest {
  owner: string
  now: number
  /** How long the lane stays this owner's unless it is settled or claimed anew. */
  lockMs: number
  /** Of lanes. */
  limit: number
  /**
   * So many messages of a lane at most, to be sent one after the other under one hold: only as long as none of them is to be
   * typed first or was tried before. Who waits for longer than a moment can still be cancelled.
   */
  runLength: number
  /** At most this many lanes of one instance are worked on at a time. */
  perInstance: number
}

/** The first waiting message of a lane that is now ours, or one of those right behind it. */
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
  /** The network does not let the instance start new chats right now. */
  restricted: boolean
}

export type SendOutcome =
  /** The network took it: the lane goes on. The chat is the network's own name of it; the text is what a list of chats shows. */
  | { kind: 'sent'; chat: string; text: string | null }
  /** It will never go: the lane goes on without it. */
  | { kind: 'failed'; reason: FailureReason; error: string; code: number | null }
  /** Not now: the lane waits, and with it all behind the message. */
  | { kind: 'retry'; at: number }

export interface SettleRequest {
  instanceId: number
  lane: string
  fence: number
  rowId: number
  messageId: string
  /** As it was claimed: by the number that was asked for. */
  chat: string
  now: number
  outcome: SendOutcome
  /** The lane is free again. False: whoever holds it goes on with the next of its run. */
  release: boolean
}

/** What goes over the wire, kept before the first try: every try, and every answer to a phone that asks again, is this. */
export interface SentPayload {
  instanceId: number
  messageId: string
  payload: Uint8Array
  now: number
}

/** How many of the first waiting messages of a lane are claimed together. */
export function runOf<T extends { status: string; delayMs: number }>(waiting: T[]): T[] {
  const end = waiting.findIndex(({ status, delayMs }) => status !== 'queued' || delayMs > 0)
  return end === -1 ? waiting : waiting.slice(0, Math.max(1, end))
}

/**
 * What a settled outcome writes into the message's row. What is tried again stays `sending`: it may have reached the network,
 * and a status never goes backwards (decision 0030).
 */
export function settledMessage(outcome: SendOutcome, now: number) {
  const status: MessageStatus = outcome.kind === 'retry' ? 'sending' : outcome.kind
  return {
    status,
    failure_reason: outcome.kind === 'failed' ? outcome.reason : null,
    failure_error: outcome.kind === 'failed' ? outcome.error : null,
    failure_code: outcome.kind === 'failed' ? outcome.code : null,
    sent_at: outcome.kind === 'sent' ? now : null,
    updated_at: now,
  }
}

/** What the event log tells of a settled message. A retry is no news. */
export function settledStep({ instanceId, messageId, chat, outcome, now }: SettleRequest): NewEvent[] {
  if (outcome.kind === 'retry') return []
  const failure =
    outcome.kind === 'failed' ? { reason: outcome.reason, error: outcome.error, code: outcome.code } : null
  const at = outcome.kind === 'sent' ? outcome.chat : chat
  return [messageUpdate({ instanceId, messageId, chat: at, status: outcome.kind, failure, at: now })]
}
