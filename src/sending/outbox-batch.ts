// A batch of sends: the facts that an engine has read for it, updated by every send that is accepted.

import { payloadOf, withPersonIds } from '../rules/chat-ids.ts'
import type { NewEvent } from '../rules/event-payloads.ts'
import { chatKindOf, NO_ROUTE } from '../rules/event-route.ts'
import { type OwnAccountRow, ownPerson } from '../rules/own-person.ts'
import type { SendToAccept } from './outbox.ts'
import {
  type AcceptOutcome,
  decideAccept,
  firstStatus,
  type KeyTerms,
  type StoredAnswer,
} from './rules/accept-send.ts'

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
