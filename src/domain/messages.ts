// Messages: accepting them for good, reading what became of them, cancelling (spec 4.1, decisions 6).
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Interval } from '../contract/account.ts'
import type { Direction, Message, MessageType } from '../contract/messages.ts'
import type { FailureReason, MessageKind, MessageStatus, SendAnswer } from '../contract/sending.ts'
import { GatewayError } from '../errors.ts'
import type { AcceptOutcome } from '../store/accept.ts'
import { jidsOfNumber } from '../store/queries/known-numbers.ts'
import * as rows from '../store/queries/messages.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { outgoingUpsert } from './event-payloads.ts'
import type { InstanceIds } from './instance-ids.ts'
import { requireInstance } from './instances.ts'
import { newMessageId } from './names.ts'
import { limitOf, limitReached } from './quota.ts'
import { currentPeriod } from './subscription.ts'
import { iso, isoOrNull } from './time.ts'

/** A send as every endpoint brings it down to: who, what kind, what, and how long to type. */
export interface OutgoingMessage {
  instanceName: string
  to: { number: string } | { groupJid: string }
  kind: MessageKind
  content: Record<string, unknown>
  delayMs: number
  /** The typing time as the caller gave it; null: omitted, and `delayMs` is ours. */
  askedDelayMs: number | null
}

export interface SendReceipt {
  instanceId: number
  answer: z.output<typeof SendAnswer>
  replayed: boolean
}

const QUEUE_FULL_RETRY_SECONDS = 30

export async function sendMessage(
  deps: Pick<Deps, 'store' | 'clock' | 'wakeSending'> & { instanceIds: InstanceIds },
  caller: Caller,
  message: OutgoingMessage,
  idempotencyKey: string | undefined,
): Promise<SendReceipt> {
  const instanceId = await deps.instanceIds(caller.account.id, message.instanceName)
  const now = deps.clock()
  const answer: z.output<typeof SendAnswer> = {
    success: true,
    messageId: newMessageId(),
    status: 'queued',
    instanceName: message.instanceName,
    ...message.to,
    type: message.kind,
    createdAt: iso(now),
  }
  const groupJid = 'groupJid' in message.to ? message.to.groupJid : null
  const number = 'number' in message.to ? message.to.number : null
  const chat = groupJid ?? `${number}@s.whatsapp.net`
  const outcome = await deps.store.acceptSend({
    accountId: caller.account.id,
    instanceId,
    messageId: answer.messageId,
    chat,
    number,
    groupJid,
    kind: message.kind,
    content: JSON.stringify(message.content),
    delayMs: message.delayMs,
    createdAt: now,
    event: outgoingUpsert({ ...message, chat, messageId: answer.messageId, createdAt: now }),
    period: messagePeriod(caller, now),
    messageLimit: limitOf(caller.plan, 'messages'),
    idempotency: idempotencyKey
      ? { key: idempotencyKey, fingerprint: fingerprint(message), answer: JSON.stringify(answer) }
      : null,
  })
  if (outcome.outcome === 'accepted') deps.wakeSending()
  return { instanceId, ...receipt(outcome, answer, caller) }
}

/** The answer with what became of the message, where that is known in time; of a replayed one too (decision 0032). */
export async function withOutcome(
  { outcomes }: Pick<Deps, 'outcomes'>,
  { instanceId, answer }: SendReceipt,
  waitSeconds: number,
): Promise<z.output<typeof SendAnswer>> {
  const { messageId } = answer
  return { ...answer, ...(await outcomes.wait({ instanceId, messageId }, waitSeconds * 1000)) }
}

export const messagePeriod = (caller: Pick<Caller, 'account' | 'plan'>, now: number): number =>
  currentPeriod(caller.account.current_period_start, caller.plan.interval as Interval, now)

/** What makes two requests the same one. Of the typing time what was asked counts: omitted, it is drawn anew each time. */
function fingerprint({ instanceName, to, kind, content, askedDelayMs }: OutgoingMessage): string {
  return createHash('sha256')
    .update(JSON.stringify([instanceName, to, kind, content, askedDelayMs]))
    .digest('base64')
}

function receipt(
  outcome: AcceptOutcome,
  answer: z.output<typeof SendAnswer>,
  caller: Caller,
): Omit<SendReceipt, 'instanceId'> {
  switch (outcome.outcome) {
    case 'accepted':
      return { answer, replayed: false }
    case 'replayed':
      return { answer: JSON.parse(outcome.answer) as z.output<typeof SendAnswer>, replayed: true }
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

export interface MessageQuery {
  instanceName?: string | undefined
  number?: string | undefined
  chat?: string | undefined
  status?: MessageStatus | undefined
  direction?: Direction | undefined
  page: number
  limit: number
}

export async function listMessages(deps: Deps, caller: Caller, query: MessageQuery) {
  const instance =
    query.instanceName === undefined
      ? undefined
      : await requireInstance(deps, caller.account.id, query.instanceName)
  const found = await rows.listMessages(deps.store.db, {
    accountId: caller.account.id,
    instanceId: instance?.id,
    person: query.number === undefined ? undefined : await personBehind(deps, caller, query.number),
    chat: query.chat,
    status: query.status,
    direction: query.direction,
    limit: query.limit + 1,
    offset: (query.page - 1) * query.limit,
  })
  return { messages: found.slice(0, query.limit).map(toMessage), hasMore: found.length > query.limit }
}

/** Sent messages bear the number that was asked for, received ones the network's own; either finds both (decision 0031). */
async function personBehind({ store }: Deps, caller: Caller, number: string) {
  const known = await jidsOfNumber(store.db, caller.account.id, number)
  return { number, chats: [`${number}@s.whatsapp.net`, ...known] }
}

export async function getMessage(deps: Deps, caller: Caller, messageId: string) {
  const row = await rows.findMessage(deps.store.db, caller.account.id, messageId)
  if (!row) throw new GatewayError('message_not_found')
  return toMessage(row)
}

export async function cancelMessage(deps: Deps, caller: Caller, messageId: string) {
  await deps.store.transaction(async (tx) => {
    const row = await rows.findMessage(tx, caller.account.id, messageId)
    if (!row) throw new GatewayError('message_not_found')
    const canceled =
      row.status === 'queued' && (await rows.cancelMessage(tx, row, 'Cancelled by request.', deps.clock()))
    if (!canceled) throw new GatewayError('message_not_cancellable', { status: row.status })
    await deps.store.appendEvents(tx, [canceled])
  })
  return getMessage(deps, caller, messageId)
}

const toMessage = (row: rows.MessageRow): z.output<typeof Message> => ({
  messageId: row.id,
  instanceName: row.api_name,
  direction: row.direction as Direction,
  number: row.number,
  groupJid: row.group_jid,
  type: row.kind as MessageType,
  status: row.status as MessageStatus,
  content: JSON.parse(row.content) as z.output<typeof Message>['content'],
  failure:
    row.failure_reason === null
      ? null
      : {
          reason: row.failure_reason as FailureReason,
          error: row.failure_error ?? '',
          code: row.failure_code,
        },
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  sentAt: isoOrNull(row.sent_at),
  deliveredAt: isoOrNull(row.delivered_at),
  readAt: isoOrNull(row.read_at),
})
