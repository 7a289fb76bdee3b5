// The rule by which sends are accepted, written once for both engines: they load the facts, this decides, they write.
import type { NewEvent } from './event-log.ts'

export interface SendToAccept {
  accountId: number
  instanceId: number
  messageId: string
  chat: string
  number: string | null
  groupJid: string | null
  kind: string
  content: string
  delayMs: number
  createdAt: number
  /** What `messages.upsert` tells of it, but for the sender: that is for the instance's row to say. */
  event: Record<string, unknown>
  /** Which period the message counts in, and how many the plan allows there (null: any number). */
  period: number
  messageLimit: number | null
  idempotency: { key: string; fingerprint: string; answer: string } | null
}

export type AcceptOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'replayed'; answer: string }
  | { outcome: 'key_reused' }
  | { outcome: 'instance_gone' }
  | { outcome: 'not_logged_in' }
  | { outcome: 'queue_full' }
  | { outcome: 'limit_reached'; used: number }

/** More than this waiting for one instance is refused: what cannot be kept moving is not accepted. */
export const QUEUE_CAP = 10_000
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000

export interface InstanceFacts {
  loggedIn: boolean
  queued: number
  sender: { number: string | null; lid: string | null; name: string | null }
}

export interface AcceptFacts {
  /** By instance id; absent when the instance is gone. */
  instances: Map<number, InstanceFacts>
  /** By `usageKey`; absent when nothing was used yet. */
  used: Map<string, number>
  /** By `idempotencyKey`; only those not yet expired. */
  answers: Map<string, { fingerprint: string; answer: string }>
}

export const usageKey = (send: Pick<SendToAccept, 'accountId' | 'period'>): string =>
  `${send.accountId}:${send.period}`
export const idempotencyKey = (accountId: number, key: string): string => `${accountId}:${key}`
export const sendLane = (send: Pick<SendToAccept, 'instanceId' | 'chat'>): string =>
  `send:${send.instanceId}:${send.chat}`

/** Decides one send and lets the facts know of it, so that the next one in the batch sees it. */
export function decideSend(send: SendToAccept, facts: AcceptFacts): AcceptOutcome {
  const { idempotency } = send
  const known = idempotency ? facts.answers.get(idempotencyKey(send.accountId, idempotency.key)) : undefined
  if (idempotency && known) {
    return known.fingerprint === idempotency.fingerprint
      ? { outcome: 'replayed', answer: known.answer }
      : { outcome: 'key_reused' }
  }

  const instance = facts.instances.get(send.instanceId)
  if (!instance) return { outcome: 'instance_gone' }
  if (!instance.loggedIn) return { outcome: 'not_logged_in' }
  if (instance.queued >= QUEUE_CAP) return { outcome: 'queue_full' }

  const used = facts.used.get(usageKey(send)) ?? 0
  if (send.messageLimit !== null && used >= send.messageLimit) return { outcome: 'limit_reached', used }

  instance.queued += 1
  facts.used.set(usageKey(send), used + 1)
  if (idempotency) facts.answers.set(idempotencyKey(send.accountId, idempotency.key), idempotency)
  return { outcome: 'accepted' }
}

export interface InstanceRow {
  logged_in: number
  queued_count: number
  number: string | null
  lid: string | null
  profile_name: string | null
}

export const instanceFacts = (row: InstanceRow): InstanceFacts => ({
  loggedIn: row.logged_in === 1,
  queued: row.queued_count,
  sender: { number: row.number, lid: row.lid, name: row.profile_name },
})

/** The event of an accepted send. */
export function acceptedEvent(send: SendToAccept, facts: AcceptFacts): NewEvent {
  const sender = facts.instances.get(send.instanceId)?.sender
  const from = {
    jid: `${sender?.number ?? ''}@s.whatsapp.net`,
    lid: sender?.lid ?? null,
    phone: sender?.number ?? null,
    pushName: sender?.name ?? null,
  }
  return {
    instanceId: send.instanceId,
    name: 'messages.upsert',
    data: JSON.stringify({ ...send.event, from }),
    createdAt: send.createdAt,
  }
}
