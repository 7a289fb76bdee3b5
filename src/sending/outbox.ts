// The outbox: sends as the store accepts, claims and settles them. Each engine implements these operations.

import { payloadOf, withPersonIds } from '../chats/rules.ts'
import type { MessageStatus } from '../contract/sending.ts'
import { messageUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { chatKindOf, NO_ROUTE } from '../events/rules-route.ts'
import { type OwnAccountRow, ownPerson } from '../instances/rules.ts'
import {
  type AcceptOutcome,
  decideAccept,
  firstStatus,
  type KeyTerms,
  type SendTerms,
  type StoredAnswer,
} from './rules.ts'
import { failureOf, type SendOutcome, statusAfter } from './rules-settle-send.ts'

export interface SendToAccept extends SendTerms {
  accountId: number
  instanceId: number
  messageId: string
  chat: string
  number: string | null
  groupJid: string | null
  kind: string
  content: string
  delayMs: number
  /** What the sender calls this send; null: it is not named. */
  reference: string | null
  createdAt: number
  /** The message is not sent after this time; null: the limit of every message applies. */
  expiresAt: number | null
  /** The payload of `messages.upsert` without the sender, which is read from the instance's row. */
  event: Record<string, unknown>
  /** The start of the period that the message is counted in. */
  period: number
  /** Files that were fetched for it: from now on they belong to this send, and are kept until then. */
  held?: { uploadIds: readonly number[]; until: number } | undefined
  idempotency: { key: string; fingerprint: string; answer: string } | null
}

/** The lane of a send: messages of one instance to one chat are sent in order. */
export const laneKey = ({ instanceId, chat }: Pick<SendToAccept, 'instanceId' | 'chat'>): string =>
  `send:${instanceId}:${chat}`

// A batch of sends: the facts that an engine has read for it, updated by every send that is accepted.

/** The outcome, and for an accepted send the node that serves the instance; absent: none does, or there is only one process. */
export type AcceptAnswer = AcceptOutcome & { nodeId?: number }

interface BatchInstance {
  loggedIn: boolean
  queued: number
  scheduled: number
  nodeId: number | null
  sender: OwnAccountRow
}

export interface AcceptBatch {
  /** By instance id; absent when the instance is gone. */
  instances: Map<number, BatchInstance>
  /** By `usageKey` and `keyUsageKey`; absent when nothing was used yet. */
  used: Map<string, number>
  /** By `idempotencyKey`; only answers that have not expired. */
  answers: Map<string, StoredAnswer>
}

export const usageKey = (send: Pick<SendToAccept, 'accountId' | 'period'>): string =>
  `${send.accountId}:${send.period}`
/** What a key has used on a day is counted like a resource of its account. */
export const keyResource = ({ id }: Pick<KeyTerms, 'id'>): string => `key:${id}`
export const keyUsageKey = (key: Pick<KeyTerms, 'id' | 'day'>): string => `${keyResource(key)}:${key.day}`
export const idempotencyKey = (accountId: number, key: string): string => `${accountId}:${key}`

/** Decides one send, and counts it in the batch, so that the next send is decided on the new facts. */
export function acceptInBatch(send: SendToAccept, batch: AcceptBatch): AcceptAnswer {
  const { accountId, instanceId, idempotency } = send
  const answerKey = idempotency && idempotencyKey(accountId, idempotency.key)
  const instance = batch.instances.get(instanceId)
  const used = batch.used.get(usageKey(send)) ?? 0
  const stored = answerKey === null ? undefined : batch.answers.get(answerKey)
  const { key } = send
  const usedByKey = key ? (batch.used.get(keyUsageKey(key)) ?? 0) : 0
  const decision = decideAccept(send, { instance, used, usedByKey, stored })
  if (decision.outcome === 'accepted' && instance) {
    // A send that needs approval is counted with the scheduled ones.
    instance[firstStatus(send) === 'queued' ? 'queued' : 'scheduled'] += 1
    if (key) batch.used.set(keyUsageKey(key), usedByKey + send.sends)
    if (send.messages > 0) batch.used.set(usageKey(send), used + send.messages)
    if (idempotency && answerKey !== null) batch.answers.set(answerKey, idempotency)
  }
  return instance?.nodeId === undefined || instance.nodeId === null
    ? decision
    : { ...decision, nodeId: instance.nodeId }
}

/** The columns of an instance that a batch needs. */
export interface InstanceColumns extends OwnAccountRow {
  logged_in: number
  queued_count: number
  scheduled_count: number
  node_id: number | null
}

export const toBatchInstance = (row: InstanceColumns): BatchInstance => ({
  loggedIn: row.logged_in === 1,
  queued: row.queued_count,
  scheduled: row.scheduled_count,
  nodeId: row.node_id,
  sender: row,
})

/** The event of an accepted send. */
export function acceptedEvent(send: SendToAccept, batch: AcceptBatch): NewEvent {
  const sender = batch.instances.get(send.instanceId)?.sender
  const from = ownPerson(sender ?? { number: null, lid: null, profile_name: null })
  return {
    instanceId: send.instanceId,
    name: 'messages.upsert',
    ...payloadOf(send.chat, { ...send.event, from: withPersonIds(from) }),
    createdAt: send.createdAt,
    route: { ...NO_ROUTE, chatKind: chatKindOf(send.chat), direction: 'outgoing' },
  }
}

// Claiming sends. A claim locks lanes, not messages:
//
//   at rest ──accept──▶ due ──claim──▶ locked ──settle──▶ due (more waits, or a retry) or at rest (nothing waits)
//                        ▲               │  ▲
//                        └──lock expires─┤  │
//                                        └──┘ renew
//
// The worker renews the lock while it prepares and sends, so that the lock lives as long as the work. A process that hangs or ends
// renews nothing, and its locks expire.
// While a lane is locked, no other claim takes a message of its chat, and so the order is kept. Every claim increments the lane's
// fencing token. A worker that comes back after its lock expired, and after another claim took the lane, presents an older token:
// its writes are rejected.

export interface ClaimRequest {
  owner: string
  /** Claims only for instances that this node serves; undefined: there is only one process. */
  nodeId?: number | undefined
  now: number
  /** The lanes are locked for this long, unless they are settled earlier. */
  lockMs: number
  /** Lanes at most. */
  limit: number
  /** Messages of one lane at most. They are sent one after the other under one lock. */
  runLength: number
  /** Lanes of one instance that may be locked at the same time. */
  perInstance: number
}

/** Extends the lock of a claimed lane. */
export interface ClaimRenewal {
  instanceId: number
  lane: string
  /** The fencing token of the claim. */
  fence: number
  /** The new end of the lock. */
  lockedUntil: number
}

/** A message of a lane that is now locked for the caller. */
export interface ClaimedSend {
  lane: string
  /** The lane's fencing token. */
  fence: number
  accountId: number
  instanceId: number
  rowId: number
  messageId: string
  chat: string
  kind: string
  content: string
  delayMs: number
  tries: number
  /** When it was accepted; for a scheduled message, when it was due. */
  dueAt: number
  expiresAt: number | null
  /** The network does not let the instance start new chats at the moment. */
  restricted: boolean
  /** How long messages of the chat stay, if it is stored under the requested number; 0: they do not disappear. */
  disappearingSeconds: number
}

/** The columns of a claimed message, as both engines return them. */
export interface ClaimedColumns {
  row_id: number
  id: string
  account_id: number
  instance_id: number
  chat: string
  kind: string
  content: string
  delay_ms: number
  tries: number
  created_at: number
  send_at: number | null
  expires_at: number | null
  state_reason: string | null
  disappearing_seconds: number
}

/** The timer of the chat; a group that was never written to has no chat yet. */
export const DISAPPEARING = `coalesce(
  (select disappearing_seconds from groups where groups.instance_id = messages.instance_id and groups.jid = messages.chat),
  (select disappearing_seconds from chats where chats.instance_id = messages.instance_id and chats.jid = messages.chat),
  0) as disappearing_seconds`

export const toClaimedSend = (row: ClaimedColumns, lane: string, fence: number): ClaimedSend => ({
  lane,
  fence,
  accountId: row.account_id,
  instanceId: row.instance_id,
  rowId: row.row_id,
  messageId: row.id,
  chat: row.chat,
  kind: row.kind,
  content: row.content,
  delayMs: row.delay_ms,
  tries: row.tries,
  dueAt: row.send_at ?? row.created_at,
  expiresAt: row.expires_at,
  restricted: row.state_reason === 'restricted',
  disappearingSeconds: row.disappearing_seconds,
})

/** The event of the first try. Later tries change no status, and so have no event. */
export const sendingEvents = ({ instanceId, messageId, chat, tries }: ClaimedSend, at: number): NewEvent[] =>
  tries === 1 ? [messageUpdate({ instanceId, messageId, chat, status: 'sending', failure: null, at })] : []

// Settling claimed sends: the outcome of each message, and whether its lane is released with it.

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

// The payload of a sent message: what goes over the wire, stored before the first try. Every retry, and every answer to a device
// that asks for the message again, sends the same bytes.

export interface SentPayload {
  instanceId: number
  messageId: string
  payload: Uint8Array
  /** When the message was accepted: the same at every try. */
  acceptedAt: number
}
