// Sending: accepts each message once, in one transaction, and can wait for its outcome (decisions 0009, 0011, 0032).

import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { readKeyUsage, readUsage } from '../accounts/account-queries.ts'
import { messagePeriod } from '../accounts/accounts.ts'
import { apiKeyId, type Caller } from '../accounts/caller.ts'
import { limitOf, limitReached } from '../accounts/rules.ts'
import { chatsInside, requireInside } from '../accounts/walls.ts'
import { chatOf, type Recipient } from '../chats/rules.ts'
import { currentChat, mergeLateSend } from '../contacts/merge-people.ts'
import type { Deps } from '../context.ts'
import type { EventData } from '../contract/events.ts'
import { UNCOUNTED_KINDS } from '../contract/message-values.ts'
import type { OutgoingKind, SendAnswer } from '../contract/sending.ts'
import { seesPart } from '../contract/wall-values.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { outgoingUpsert } from '../events/rules-payloads.ts'
import { keptFor, messageFiles } from '../files/rules.ts'
import { keepUploads } from '../files/uploads.ts'
import { findInstanceById } from '../instances/instance-queries.ts'
import { createInstanceIdCache, type InstanceIdCache } from '../instances/instances.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { newMessageId } from '../kernel/names.ts'
import { iso } from '../kernel/time.ts'
import { findQuoted } from '../messages/quoted.ts'
import { isGroupJid, phoneOf } from '../network/jid.ts'
import type { Started } from '../tracer.ts'
import type { ContentHold, HeldContent } from './held-content.ts'
import { hasAnswer } from './queue-queries.ts'
import {
  type AcceptOutcome,
  approvalDeadline,
  dayOf,
  decideAccept,
  firstStatus,
  type KeyTerms,
  refusedTime,
  scheduledFor,
  secondsToNextDay,
} from './rules.ts'
import { newApprovalCode } from './rules-phone-answer.ts'

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
  /** What the sender calls it. */
  reference?: string | undefined
  delayMs: number
  /** The content with its files, if a person approves it and they were fetched before. */
  held?: HeldContent | undefined
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

export interface Sending {
  /** For messages that are accepted one after the other: fetches the files of all of them first, if a person approves them. */
  hold(
    caller: Caller,
    messages: readonly { message: OutgoingMessage; path: string }[],
    idempotencyKey: string | undefined,
  ): Promise<readonly (HeldContent | undefined)[]>
  /** Of messages that were not accepted. */
  discard(held: readonly (HeldContent | undefined)[]): Promise<void>
  send(caller: Caller, message: OutgoingMessage, options: SendOptions): Promise<SendReceipt>
}

export function createSending(
  given: Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'outcomes' | 'trace'> & { contentHold: ContentHold },
): Sending {
  /** Idempotency keys whose first request is not accepted yet, on this node. */
  const inFlight = new Set<EntryName<'account'>>()
  const instanceIds = createInstanceIdCache(given)
  const deps = { ...given, instanceIds }

  async function accept(caller: Caller, message: OutgoingMessage, key: string | undefined) {
    const mark = key === undefined ? undefined : entryName('account', caller.account.id, key)
    if (mark !== undefined && inFlight.has(mark)) {
      throw new GatewayError('idempotency_in_flight', {}, { retryAfterSeconds: 1 })
    }
    if (mark !== undefined) inFlight.add(mark)
    try {
      return await acceptMessage(deps, { ...caller, key: caller }, message, key)
    } finally {
      if (mark !== undefined) inFlight.delete(mark)
    }
  }

  const discard = async (held: readonly (HeldContent | undefined)[]) => {
    for (const each of held) if (each) await deps.contentHold.discard(each)
  }
  return {
    discard,
    async hold(caller, messages, idempotencyKey) {
      const held: (HeldContent | undefined)[] = []
      try {
        for (const { message, path } of messages) {
          const instanceId = await deps.instanceIds(caller.account.id, message.instanceName)
          const each = await heldFor(
            deps,
            { ...caller, key: caller },
            { message, instanceId, idempotencyKey, path },
          )
          if (each === 'repeated') return held
          held.push(each)
        }
        return held
      } catch (error) {
        await discard(held)
        throw error
      }
    },
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

type AcceptDeps = Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace'> & {
  instanceIds: InstanceIdCache
  /** Needed for keys whose sends a person approves. */
  contentHold?: ContentHold
}

/** Accepts one message and does not wait for its outcome. */
export async function acceptMessage(
  deps: AcceptDeps,
  caller: SendingCaller,
  message: OutgoingMessage,
  idempotencyKey: string | undefined,
): Promise<SendReceipt> {
  const started = deps.trace?.start()
  const instanceId = await deps.instanceIds(caller.account.id, message.instanceName)
  const heldNow = message.held ?? (await heldFor(deps, caller, { message, instanceId, idempotencyKey }))
  const isRepeated = heldNow === 'repeated'
  const held = isRepeated ? undefined : heldNow
  try {
    const facts = { instanceId, started, isRepeated }
    const receipt = await accept(deps, caller, { ...message, held, ...facts }, idempotencyKey)
    if (held && receipt.replayed) await deps.contentHold?.discard(held)
    return receipt
  } catch (error) {
    // After any other error the send may have been stored.
    if (held && error instanceof GatewayError) await deps.contentHold?.discard(held)
    throw error
  }
}

async function accept(
  deps: AcceptDeps,
  caller: SendingCaller,
  {
    instanceId,
    started,
    isRepeated,
    ...message
  }: OutgoingMessage & { instanceId: number; started: Started | undefined; isRepeated: boolean },
  idempotencyKey: string | undefined,
): Promise<SendReceipt> {
  const now = deps.clock()
  checkTimes(message, now)
  const sendAt = scheduledFor(message, now)
  const chat = await currentChat(deps.store.db, instanceId, chatOf(message.to))
  if (caller.key && seesPart(caller.key.walls))
    await requireInside(deps.store.db, caller.key, { instanceId, apiName: message.instanceName, chat })
  const [number, groupJid] = [phoneOf(chat), isGroupJid(chat) ? chat : null]
  const { quoted, content } = await quote(deps, caller, { ...message, instanceId, chat }, idempotencyKey)
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
    reference: message.reference ?? null,
    messages: planMessages(message),
    sends: message.takes ?? 1,
    event: outgoingUpsert({ ...message, ...answer, chat, content, quoted, sendAt, createdAt: now }),
    period: messagePeriod(caller, now),
    key,
    messageLimit: limitOf(caller.plan, 'messages'),
    idempotency: idempotencyKey === undefined ? null : storedAnswer(idempotencyKey, message, answer),
    isRepeated,
    held: message.held && {
      uploadIds: message.held.files.map(({ uploadId }) => uploadId),
      until: keptFor(dueAt, 0) ?? dueAt,
    },
  })
  if (outcome.outcome === 'accepted') {
    await mergeLate(deps, instanceId, chat)
    wakeFor(deps, message, { sendAt, key, nodeId: outcome.nodeId })
    const facts = { instanceId, messageId: answer.messageId, kind: message.kind }
    if (started) deps.trace?.accept(started, { ...facts, isRequested: !message.isAutomatic })
  }
  return { instanceId, ...receiptOf(outcome, answer, caller, now) }
}

/** The content, with the message that it quotes. */
async function quote(
  { store: { db } }: AcceptDeps,
  { key }: SendingCaller,
  message: OutgoingMessage & { instanceId: number; chat: string },
  idempotencyKey: string | undefined,
) {
  const walled = key && key.walls.chats !== null ? key : undefined
  const named = { id: message.instanceId, api_name: message.instanceName }
  const insideOf = walled && ((chats: string[]) => chatsInside(db, walled, named, chats))
  const quoted = await findQuoted(db, { ...message, insideOf }, idempotencyKey)
  const content = message.held?.content ?? message.content
  return { quoted, content: quoted ? { ...content, quoted } : content }
}

const planMessages = ({ takes, kind }: OutgoingMessage): number => takes ?? (UNCOUNTED.has(kind) ? 0 : 1)

/** Whether something of the message would be fetched when it is sent. */
const needsHold = (message: OutgoingMessage): boolean =>
  messageFiles(message).length > 0 || message.content.linkPreview === true

/** Undefined: the send needs no approval, or all of it is in the request. `repeated`: it has an answer already. */
async function heldFor(
  { contentHold, store, clock }: AcceptDeps,
  caller: SendingCaller,
  {
    message,
    instanceId,
    idempotencyKey,
    path,
  }: {
    message: OutgoingMessage
    instanceId: number
    idempotencyKey: string | undefined
    path?: string
  },
): Promise<HeldContent | 'repeated' | undefined> {
  const { account, key } = caller
  if (!key?.walls.approval || !needsHold(message)) return undefined
  if (!contentHold) throw new Error('sends of this key need approval, and their files cannot be held')
  if (idempotencyKey !== undefined && (await hasAnswer(store.db, account.id, idempotencyKey)))
    return 'repeated'
  if (messageFiles(message).length > 0) await requireRoom({ store, clock }, caller, instanceId, message)
  return contentHold.hold({
    accountId: account.id,
    instanceId,
    kind: message.kind,
    content: message.content,
    path,
  })
}

/** Refuses what would be refused anyway, before a file is fetched for it. The transaction that accepts the send decides. */
async function requireRoom(
  { store: { db }, clock }: Pick<Deps, 'store' | 'clock'>,
  caller: SendingCaller,
  instanceId: number,
  message: OutgoingMessage,
): Promise<void> {
  const now = clock()
  checkTimes(message, now)
  const sendAt = scheduledFor(message, now)
  const key = keyTerms(caller.key, { sendAt, expiresAt: message.expiresAt }, now)
  const row = await findInstanceById(db, instanceId)
  const instance = row && {
    loggedIn: row.logged_in === 1,
    queued: row.queued_count,
    scheduled: row.scheduled_count,
  }
  const [accountId, period] = [caller.account.id, messagePeriod(caller, now)]
  const used = await readUsage(db, { accountId, resource: 'messages', period })
  const usedByKey = key ? await readKeyUsage(db, accountId, key) : 0
  const messageLimit = limitOf(caller.plan, 'messages')
  const terms = { messageLimit, messages: planMessages(message), sends: message.takes ?? 1, sendAt, key }
  const outcome = decideAccept(
    { ...terms, idempotency: null },
    { instance, used, usedByKey, stored: undefined },
  )
  if (outcome.outcome !== 'accepted') throw refusalOf(outcome, caller, now)
}

/** Undefined: the key has no wall around its sends. */
function keyTerms(
  key: SendingCaller['key'],
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
  { sendAt, key, nodeId }: { sendAt: number | null; key: KeyTerms | undefined; nodeId: number | undefined },
): void {
  const waits = key !== undefined && key.approveBy !== null
  if (waits && !key.question) return
  wakeSending(nodeId, !waits && sendAt === null && expiresAt === null ? 'due' : 'timed')
}

function checkTimes(message: OutgoingMessage, now: number): void {
  const refused = refusedTime(message, now)
  if (refused) throw invalidField(refused.path, refused.message)
}

const UNCOUNTED: ReadonlySet<string> = new Set(UNCOUNTED_KINDS)

// The answer: what a request is told, what is stored under its idempotency key, and why it is refused.

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
