// Sending: accepts each message once, in one transaction, and can wait for its outcome (decisions 0009, 0011, 0032).

import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { MessageKind, SendAnswer } from '../contract/sending.ts'
import { GatewayError } from '../errors.ts'
import type { AcceptOutcome } from '../rules/accept-send.ts'
import { outgoingUpsert } from '../rules/event-payloads.ts'
import { personJid } from '../rules/jid.ts'
import { newMessageId } from '../rules/names.ts'
import { limitOf, limitReached } from '../rules/quota.ts'
import { iso } from '../rules/time.ts'
import { messagePeriod } from './account-limits.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { createInstanceIdCache, type InstanceIdCache } from './instance-id-cache.ts'

/** One message to send, the same for every send endpoint. */
export interface OutgoingMessage {
  instanceName: string
  to: { number: string } | { groupJid: string }
  kind: MessageKind
  content: Record<string, unknown>
  delayMs: number
  /** The typing delay of the request; null: omitted, and `delayMs` was chosen by the gateway. */
  askedDelayMs: number | null
}

export interface SendOptions {
  idempotencyKey?: string | undefined
  /** Wait so long for the outcome before answering. */
  waitSeconds?: number | undefined
}

type Answer = Omit<z.output<typeof SendAnswer>, 'success'>

export interface SendReceipt {
  instanceId: number
  answer: Answer
  /** The answer belongs to an earlier request with the same idempotency key. */
  replayed: boolean
}

export interface Sending {
  send(caller: Caller, message: OutgoingMessage, options: SendOptions): Promise<SendReceipt>
}

const QUEUE_FULL_RETRY_SECONDS = 30

export function createSending(deps: Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'outcomes'>): Sending {
  /** Idempotency keys whose first request is not accepted yet, on this node. */
  const inFlight = new Set<string>()
  const instanceIds = createInstanceIdCache(deps)

  async function accept(caller: Caller, message: OutgoingMessage, key: string | undefined) {
    const mark = key === undefined ? undefined : `${caller.account.id}:${key}`
    if (mark !== undefined && inFlight.has(mark)) {
      throw new GatewayError('idempotency_in_flight', {}, { retryAfterSeconds: 1 })
    }
    if (mark !== undefined) inFlight.add(mark)
    try {
      return await acceptMessage({ ...deps, instanceIds }, caller, message, key)
    } finally {
      if (mark !== undefined) inFlight.delete(mark)
    }
  }

  return {
    async send(caller, message, { idempotencyKey, waitSeconds }) {
      // The key is free again before the wait begins: a second request with it gets the stored answer.
      const receipt = await accept(caller, message, idempotencyKey)
      if (waitSeconds === undefined) return receipt
      const { instanceId, answer } = receipt
      const outcome = await deps.outcomes.wait(
        { instanceId, messageId: answer.messageId },
        waitSeconds * 1000,
      )
      return { ...receipt, answer: { ...answer, ...outcome } }
    },
  }
}

async function acceptMessage(
  deps: Pick<Deps, 'store' | 'clock' | 'wakeSending'> & { instanceIds: InstanceIdCache },
  caller: Caller,
  message: OutgoingMessage,
  idempotencyKey: string | undefined,
): Promise<SendReceipt> {
  const instanceId = await deps.instanceIds(caller.account.id, message.instanceName)
  const now = deps.clock()
  const answer: Answer = {
    messageId: newMessageId(),
    status: 'queued',
    instanceName: message.instanceName,
    ...message.to,
    type: message.kind,
    createdAt: iso(now),
  }
  const outcome = await deps.store.acceptSend({
    ...addressOf(message),
    accountId: caller.account.id,
    instanceId,
    messageId: answer.messageId,
    kind: message.kind,
    content: JSON.stringify(message.content),
    delayMs: message.delayMs,
    createdAt: now,
    event: outgoingUpsert({
      ...message,
      chat: addressOf(message).chat,
      messageId: answer.messageId,
      createdAt: now,
    }),
    period: messagePeriod(caller, now),
    messageLimit: limitOf(caller.plan, 'messages'),
    idempotency: idempotencyKey
      ? {
          key: idempotencyKey,
          fingerprint: fingerprint(message),
          answer: JSON.stringify({ success: true, ...answer }),
        }
      : null,
  })
  if (outcome.outcome === 'accepted') deps.wakeSending()
  return { instanceId, ...receiptOf(outcome, answer, caller) }
}

const addressOf = ({ to }: Pick<OutgoingMessage, 'to'>) =>
  'groupJid' in to
    ? { chat: to.groupJid, number: null, groupJid: to.groupJid }
    : { chat: personJid(to.number), number: to.number, groupJid: null }

/**
 * Equal for two requests that are the same one. It contains the typing delay of the request, not the one that the gateway chose
 * where it was omitted: that differs each time (decision 0011).
 */
function fingerprint({ instanceName, to, kind, content, askedDelayMs }: OutgoingMessage): string {
  return createHash('sha256')
    .update(JSON.stringify([instanceName, to, kind, content, askedDelayMs]))
    .digest('base64')
}

function receiptOf(outcome: AcceptOutcome, answer: Answer, caller: Caller): Omit<SendReceipt, 'instanceId'> {
  switch (outcome.outcome) {
    case 'accepted':
      return { answer, replayed: false }
    case 'replayed':
      return { answer: JSON.parse(outcome.answer) as Answer, replayed: true }
    case 'key_reused':
      throw new GatewayError('idempotency_key_reused')
    case 'instance_gone':
      throw new GatewayError('instance_not_found')
    case 'not_logged_in':
      throw new GatewayError('instance_not_connected')
    case 'queue_full':
      throw new GatewayError('queue_full', {}, { retryAfterSeconds: QUEUE_FULL_RETRY_SECONDS })
    case 'limit_reached':
      throw limitReached('messages', limitOf(caller.plan, 'messages'), outcome.used)
  }
}
