// Settling claimed sends: the outcome of each message, and whether its lane is released with it.
import type { MessageStatus } from '../contract/sending.ts'
import type { NewEvent } from '../rules/event-payloads.ts'
import { failureOf, type SendOutcome, statusAfter } from '../rules/settle-send.ts'
import { messageUpdate } from '../store/operations/events/store-events.ts'

export interface SettleRequest {
  instanceId: number
  lane: string
  /** The fencing token of the claim. */
  fence: number
  rowId: number
  messageId: string
  /** As it was claimed: by the number that was asked for. */
  chat: string
  now: number
  outcome: SendOutcome
  /** The lane is unlocked. False: the caller continues with the next message of its run. */
  release: boolean
}

/** The columns that an outcome writes into the row of a message that still waits. */
export function settledColumns(outcome: SendOutcome, now: number) {
  const status: MessageStatus = statusAfter('sending', outcome)
  const failure = failureOf(outcome)
  return {
    status,
    failure_reason: failure?.reason ?? null,
    failure_error: failure?.error ?? null,
    failure_code: failure?.code ?? null,
    sent_at: outcome.kind === 'sent' ? now : null,
    updated_at: now,
  }
}

/** Whether the chat shows the message as its last one. */
export const movesChat = (outcome: SendOutcome): boolean => outcome.kind === 'sent' && !outcome.isSilent

/** The events of a settled message. A retry changes no status, and so has none. */
export function settledEvents({ instanceId, messageId, chat, outcome, now }: SettleRequest): NewEvent[] {
  if (outcome.kind === 'retry') return []
  const { change } = outcome.kind === 'sent' ? outcome : {}
  return [
    messageUpdate({
      instanceId,
      messageId,
      chat: outcome.kind === 'sent' ? outcome.chat : chat,
      status: outcome.kind,
      failure: failureOf(outcome),
      at: now,
    }),
    ...(change ? [change] : []),
  ]
}
