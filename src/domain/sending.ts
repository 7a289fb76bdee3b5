// Sending: accepts each message once, in one transaction, and can wait for its outcome (decisions 0009, 0011, 0032).

import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { type EntryName, entryName } from '../async/entry-name.ts'
import type { EventData } from '../contract/events.ts'
import { UNCOUNTED_KINDS } from '../contract/message-values.ts'
import type { OutgoingKind, SendAnswer } from '../contract/sending.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { isGroupJid, phoneOf } from '../network/jid.ts'
import { type AcceptOutcome, firstStatus, type KeyTerms } from '../rules/accept-send.ts'
import { approvalDeadline, dayOf, secondsToNextDay } from '../rules/approval.ts'
import { chatOf, type Recipient } from '../rules/chat-address.ts'
import { outgoingUpsert } from '../rules/event-payloads.ts'
import { newMessageId } from '../rules/names.ts'
import { newApprovalCode } from '../rules/phone-answer.ts'
import { limitOf, limitReached } from '../rules/quota.ts'
import { refusedTime, scheduledFor } from '../rules/schedule.ts'
import { iso } from '../rules/time.ts'
import { seesPart } from '../rules/walls.ts'
import { messagePeriod } from './account-limits.ts'
import { apiKeyId, type Caller } from './caller.ts'
import { currentChat } from './current-chat.ts'
import type { Deps } from './deps.ts'
import { createInstanceIdCache, type InstanceIdCache } from './instance-id-cache.ts'
import { mergeLateSend } from './merge-people.ts'
import { findQuoted } from './quoted.ts'
import { keepUploads } from './uploads.ts'
import { chatsInside, requireInside } from './walls.ts'

/** One message to send, the same for every send endpoint. */
export interface OutgoingMessage {
  instanceName: string
  /** Chosen before it is accepted; default: a new one. */
  messageId?: string | undefined
  to: Recipient
  kind: OutgoingKind
  content: Record<string, unknown>
  /** The message that this one replies to. */
  quotedMessageId?: string | undefined
  /** The message that this one changes. */
  target?: EventData<'messages.upsert'>['target']
  sendAt: number | null
  expiresAt: number | null
  delayMs: number
  /** Messages that it takes of the limits of plan and key, in place of one; none: the album that it belongs to took it. */
  takes?: number
  /** The gateway sends it without a request. */
  isAutomatic?: true
  /** The typing delay of the request; null: omitted, and `delayMs` was chosen by the gateway. */
  requestedDelayMs: number | null
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

export function createSending(
  deps: Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'outcomes' | 'trace'>,
): Sending {
  /** Idempotency keys whose first request is not accepted yet, on this node. */
  const inFlight = new Set<EntryName<'account'>>()
  const instanceIds = createInstanceIdCache(deps)

  async function accept(caller: Caller, message: OutgoingMessage, key: string | undefined) {
    const mark = key === undefined ? undefined : entryName('account', caller.account.id, key)
    if (mark !== undefined && inFlight.has(mark)) {
      throw new GatewayError('idempotency_in_flight', {}, { retryAfterSeconds: 1 })
    }
    if (mark !== undefined) inFlight.add(mark)
    try {
      return await acceptMessage({ ...deps, instanceIds }, { ...caller, key: caller }, message, key)
    } finally {
      if (mark !== undefined) inFlight.delete(mark)
    }
  }

  return {
    async send(caller, message, { idempotencyKey, waitSeconds }) {
      // The key is free again before the wait begins: a second request with it gets the stored answer.
      const receipt = await accept(caller, message, idempotencyKey)
      const { instanceId, answer } = receipt
      // A person decides about it, which takes longer than any wait.
      const isUndecided = answer.status === 'awaiting_approval' && !receipt.replayed
      if (waitSeconds === undefined || isUndecided) return receipt
      const outcome = await deps.outcomes.wait(
        { instanceId, messageId: answer.messageId },
        waitSeconds * 1000,
      )
      return { ...receipt, answer: { ...answer, ...outcome } }
    },
  }
}

/** The message is accepted in any case: a failure here must not make the caller send it again. */
const mergeLate = (...given: Parameters<typeof mergeLateSend>): Promise<void> =>
  mergeLateSend(...given).catch(() => undefined)

/** Who sends: a key, or the gateway for an account, which has no walls. */
type Sender = Pick<Caller, 'account' | 'plan'> & { key?: Pick<Caller, 'credential' | 'walls'> }

/** Accepts one message and does not wait for its outcome. */
export async function acceptMessage(
  deps: Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace'> & { instanceIds: InstanceIdCache },
  caller: Sender,
  message: OutgoingMessage,
  idempotencyKey: string | undefined,
): Promise<SendReceipt> {
  const started = deps.trace?.start()
  const instanceId = await deps.instanceIds(caller.account.id, message.instanceName)
  const now = deps.clock()
  checkTimes(message, now)
  const sendAt = scheduledFor(message, now)
  const chat = await currentChat(deps.store.db, instanceId, chatOf(message.to))
  if (caller.key && seesPart(caller.key.walls))
    await requireInside(deps.store.db, caller.key, { instanceId, apiName: message.instanceName, chat })
  const [number, groupJid] = [phoneOf(chat), isGroupJid(chat) ? chat : null]
  const walled = caller.key && caller.key.walls.chats !== null ? caller.key : undefined
  const named = { id: instanceId, api_name: message.instanceName }
  const insideOf = walled && ((chats: string[]) => chatsInside(deps.store.db, walled, named, chats))
  const quoted = await findQuoted(deps.store.db, { ...message, instanceId, chat, insideOf }, idempotencyKey)
  const content = quoted ? { ...message.content, quoted } : message.content
  const key = keyTerms(caller.key, { sendAt, expiresAt: message.expiresAt }, now)
  const dueAt = key?.approveBy ?? sendAt ?? now
  await keepUploads(deps, caller.account.id, message, { dueAt, idempotencyKey })
  const answer = answerTo(message, { chat, sendAt, status: firstStatus({ sendAt, key }), now })
  const outcome = await deps.store.acceptSend({
    number,
    groupJid,
    chat,
    accountId: caller.account.id,
    instanceId,
    messageId: answer.messageId,
    kind: message.kind,
    content: JSON.stringify(content),
    delayMs: message.delayMs,
    createdAt: now,
    sendAt,
    expiresAt: message.expiresAt,
    messages: message.takes ?? (UNCOUNTED.has(message.kind) ? 0 : 1),
    sends: message.takes ?? 1,
    event: outgoingUpsert({ ...message, ...answer, chat, content, quoted, sendAt, createdAt: now }),
    period: messagePeriod(caller, now),
    key,
    messageLimit: limitOf(caller.plan, 'messages'),
    idempotency: idempotencyKey === undefined ? null : storedAnswer(idempotencyKey, message, answer),
  })
  if (outcome.outcome === 'accepted') {
    await mergeLate(deps, instanceId, chat)
    if (key?.approveBy == null) wakeFor(deps, message, sendAt, outcome.nodeId)
    else if (key.question) deps.wakeSending(outcome.nodeId, 'timed')
    const facts = { instanceId, messageId: answer.messageId, kind: message.kind }
    if (started) deps.trace?.accept(started, { ...facts, isRequested: !message.isAutomatic })
  }
  return { instanceId, ...receiptOf(outcome, answer, caller, now) }
}

function answerTo(
  message: OutgoingMessage,
  {
    chat,
    sendAt,
    status,
    now,
  }: { chat: string; sendAt: number | null; status: Answer['status']; now: number },
): Answer {
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
  }
}

/** Undefined: the key has no wall around its sends. */
function keyTerms(
  key: Sender['key'],
  times: Pick<OutgoingMessage, 'sendAt' | 'expiresAt'>,
  now: number,
): KeyTerms | undefined {
  if (!key || (key.walls.messagesPerDay === null && !key.walls.approval)) return undefined
  const { messagesPerDay: perDay, approval } = key.walls
  const approveBy = approval ? approvalDeadline(times, now) : null
  const question =
    approval && key.walls.approvalOnPhone ? { id: newMessageId(), code: newApprovalCode() } : undefined
  return { id: apiKeyId(key), perDay, day: dayOf(now), approveBy, question }
}

function wakeFor(
  { wakeSending }: Pick<Deps, 'wakeSending'>,
  { expiresAt }: OutgoingMessage,
  sendAt: number | null,
  nodeId: number | undefined,
): void {
  wakeSending(nodeId, sendAt === null && expiresAt === null ? 'due' : 'timed')
}

function checkTimes(message: OutgoingMessage, now: number): void {
  const refused = refusedTime(message, now)
  if (refused) throw invalidField(refused.path, refused.message)
}

const UNCOUNTED: ReadonlySet<string> = new Set(UNCOUNTED_KINDS)

/**
 * Equal for two requests that are the same one. It contains the typing delay of the request, not the one that the gateway chose
 * where it was omitted: that differs each time (decision 0011).
 */
function fingerprint(message: OutgoingMessage): string {
  const { instanceName, to, kind, content, requestedDelayMs, quotedMessageId, sendAt, expiresAt } = message
  const options = [quotedMessageId ?? null, sendAt, expiresAt]
  return createHash('sha256')
    .update(JSON.stringify([instanceName, to, kind, content, requestedDelayMs, ...options]))
    .digest('base64')
}

const storedAnswer = (key: string, message: OutgoingMessage, answer: Answer) => ({
  key,
  fingerprint: fingerprint(message),
  answer: JSON.stringify({ success: true, ...answer }),
})

function receiptOf(
  outcome: AcceptOutcome,
  answer: Answer,
  caller: Sender,
  now: number,
): Omit<SendReceipt, 'instanceId'> {
  switch (outcome.outcome) {
    case 'accepted':
      return { answer, replayed: false }
    case 'replayed':
      // An answer from before answers had `chat`.
      return {
        answer: { chat: answer.chat, ...(JSON.parse(outcome.answer) as Omit<Answer, 'chat'>) },
        replayed: true,
      }
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
    case 'key_limit_reached':
      throw new GatewayError(
        'key_limit_reached',
        { limit: caller.key?.walls.messagesPerDay, used: outcome.used },
        { retryAfterSeconds: secondsToNextDay(now) },
      )
  }
}
