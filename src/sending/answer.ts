// The answer to a send: what a request is told, what is stored under its idempotency key, and why it is refused.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { OutgoingKind, SendAnswer } from '../contract/sending.ts'
import type { Caller } from '../domain/caller.ts'
import { GatewayError } from '../errors.ts'
import { isGroupJid, phoneOf } from '../network/jid.ts'
import type { Recipient } from '../rules/chat-address.ts'
import { newMessageId } from '../rules/names.ts'
import { limitOf, limitReached } from '../rules/quota.ts'
import { iso } from '../rules/time.ts'
import type { AcceptOutcome } from './rules/accept-send.ts'
import { secondsToNextDay } from './rules/approval.ts'

export type AcceptedSend = Omit<z.output<typeof SendAnswer>, 'success'>

export interface SendReceipt {
  instanceId: number
  answer: AcceptedSend
  /** The answer belongs to an earlier request with the same idempotency key. */
  replayed: boolean
}

/** Who sends: a key, or the gateway for an account, which has no walls. */
export type SendingCaller = Pick<Caller, 'account' | 'plan'> & { key?: Pick<Caller, 'credential' | 'walls'> }

/** What the answer needs to know about the request. */
interface AnsweredMessage {
  instanceName: string
  messageId?: string | undefined
  to: Recipient
  kind: OutgoingKind
  content: Record<string, unknown>
  quotedMessageId?: string | undefined
  sendAt: number | null
  expiresAt: number | null
  reference?: string | undefined
  requestedDelayMs: number | null
}

const QUEUE_FULL_RETRY_SECONDS = 30

export function answerTo(
  message: AnsweredMessage,
  {
    chat,
    sendAt,
    status,
    now,
  }: { chat: string; sendAt: number | null; status: AcceptedSend['status']; now: number },
): AcceptedSend {
  const [number, groupJid] = [phoneOf(chat), isGroupJid(chat) ? chat : null]
  return {
    messageId: message.messageId ?? newMessageId(),
    status,
    instanceName: message.instanceName,
    ...(number !== null && { number }),
    ...(groupJid !== null && { groupJid }),
    chat,
    type: message.kind,
    createdAt: iso(now),
    ...(sendAt !== null && { sendAt: iso(sendAt) }),
    ...(message.reference !== undefined && { reference: message.reference }),
  }
}

/**
 * Equal for two requests that are the same one. It contains the typing delay of the request, not the one that the gateway chose
 * where it was omitted: that differs each time (decision 0011).
 */
function fingerprint(message: AnsweredMessage): string {
  const { instanceName, to, kind, content, requestedDelayMs, quotedMessageId, sendAt, expiresAt } = message
  const options = [quotedMessageId ?? null, sendAt, expiresAt]
  // Only if it is given: answers from before sends had one stay comparable.
  if (message.reference !== undefined) options.push(message.reference)
  return createHash('sha256')
    .update(JSON.stringify([instanceName, to, kind, content, requestedDelayMs, ...options]))
    .digest('base64')
}

export const storedAnswer = (key: string, message: AnsweredMessage, answer: AcceptedSend) => ({
  key,
  fingerprint: fingerprint(message),
  answer: JSON.stringify({ success: true, ...answer }),
})

export function receiptOf(
  outcome: AcceptOutcome,
  answer: AcceptedSend,
  caller: SendingCaller,
  now: number,
): Omit<SendReceipt, 'instanceId'> {
  if (outcome.outcome === 'accepted') return { answer, replayed: false }
  if (outcome.outcome !== 'replayed') throw refusalOf(outcome, caller, now)
  // An answer from before answers had `chat`.
  const stored = JSON.parse(outcome.answer) as Omit<AcceptedSend, 'chat'>
  return { answer: { chat: answer.chat, ...stored }, replayed: true }
}

export function refusalOf(
  outcome: Exclude<AcceptOutcome, { outcome: 'accepted' }>,
  caller: SendingCaller,
  now: number,
): GatewayError {
  switch (outcome.outcome) {
    case 'replayed':
    case 'key_reused':
      return new GatewayError('idempotency_key_reused')
    case 'answer_expired':
      return new GatewayError('unavailable', {}, { retryAfterSeconds: 1 })
    case 'instance_gone':
      return new GatewayError('instance_not_found')
    case 'not_logged_in':
      return new GatewayError('instance_not_connected')
    case 'queue_full':
      return new GatewayError('queue_full', {}, { retryAfterSeconds: QUEUE_FULL_RETRY_SECONDS })
    case 'limit_reached':
      return limitReached('messages', limitOf(caller.plan, 'messages'), outcome.used)
    case 'key_limit_reached':
      return new GatewayError(
        'key_limit_reached',
        { limit: caller.key?.walls.messagesPerDay, used: outcome.used },
        { retryAfterSeconds: secondsToNextDay(now) },
      )
  }
}
