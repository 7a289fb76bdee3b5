// Accepting sends on SQLite: statement by statement, a batch of sends in one transaction.
import { IDEMPOTENCY_TTL_MS } from '../../../rules/accept-send.ts'
import type { Prepare, SqliteOperation } from '../../engines/sqlite/hot-transaction.ts'
import {
  type AcceptBatch,
  acceptedEvent,
  acceptInBatch,
  type InstanceColumns,
  idempotencyKey,
  toBatchInstance,
  usageKey,
} from './batch.ts'
import { laneKey, type SendToAccept } from './types.ts'

export const acceptSend: SqliteOperation<'acceptSend'> = ({ prepare, append }, sends) => {
  const batch: AcceptBatch = { instances: new Map(), used: new Map(), answers: new Map() }
  const outcomes = sends.map((send) => {
    loadFacts(prepare, send, batch)
    const outcome = acceptInBatch(send, batch)
    if (outcome.outcome === 'accepted') {
      insertMessage(prepare, send)
      append([acceptedEvent(send, batch)])
    }
    return outcome
  })
  countSends(
    prepare,
    sends.filter((_send, index) => outcomes[index]?.outcome === 'accepted'),
  )
  return outcomes
}

/** Once per batch, because many sends change the same few counters. */
function countSends(prepare: Prepare, accepted: SendToAccept[]): void {
  for (const [instanceId, sends] of Map.groupBy(accepted, (send) => send.instanceId)) {
    const scheduled = sends.filter(({ sendAt }) => sendAt !== null).length
    prepare(
      'update instances set queued_count = queued_count + ?, scheduled_count = scheduled_count + ? where id = ?',
    ).run(sends.length - scheduled, scheduled, instanceId)
  }
  const counted = accepted.filter(({ isCounted }) => isCounted)
  for (const [first, ...others] of Map.groupBy(counted, usageKey).values()) {
    if (!first) continue
    prepare(
      `insert into usage (account_id, resource, period, used) values (?, 'messages', ?, ?)
       on conflict (account_id, resource, period) do update set used = used + excluded.used`,
    ).run(first.accountId, first.period, 1 + others.length)
  }
}

function loadFacts(prepare: Prepare, send: SendToAccept, batch: AcceptBatch): void {
  if (!batch.instances.has(send.instanceId)) {
    const row = prepare(
      `select logged_in, queued_count, scheduled_count, number, lid, profile_name, node_id from instances
       where id = ? and deleted_at is null`,
    ).get(send.instanceId) as unknown as InstanceColumns | undefined
    if (row) batch.instances.set(send.instanceId, toBatchInstance(row))
  }
  if (!batch.used.has(usageKey(send))) {
    const row = prepare(
      `select used from usage where account_id = ? and resource = 'messages' and period = ?`,
    ).get(send.accountId, send.period)
    batch.used.set(usageKey(send), Number(row?.used ?? 0))
  }
  if (!send.idempotency) return
  const key = idempotencyKey(send.accountId, send.idempotency.key)
  if (batch.answers.has(key)) return
  const row = prepare(
    'select fingerprint, answer from idempotency_keys where account_id = ? and key = ? and created_at > ?',
  ).get(send.accountId, send.idempotency.key, send.createdAt - IDEMPOTENCY_TTL_MS)
  if (row) batch.answers.set(key, { fingerprint: String(row.fingerprint), answer: String(row.answer) })
}

/** Makes the lane due, and returns the number of its next message. */
function nextInLane(prepare: Prepare, lane: string, { instanceId, createdAt }: SendToAccept): number {
  const taken = prepare(
    `insert into lanes (key, instance_id, due_at, last_seq) values (?, ?, ?, 1)
     on conflict (key) do update set last_seq = last_seq + 1, due_at = coalesce(due_at, excluded.due_at)
     returning last_seq`,
  ).get(lane, instanceId, createdAt)
  return Number(taken?.last_seq)
}

function insertMessage(prepare: Prepare, send: SendToAccept): void {
  // A scheduled message enters its lane when it is due.
  const lane = send.sendAt === null ? laneKey(send) : null
  prepare(
    `insert into messages (id, account_id, instance_id, direction, chat, number, group_jid, kind, content, delay_ms,
       status, lane, lane_seq, created_at, updated_at, send_at, expires_at)
     values (?, ?, ?, 'outgoing', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    send.messageId,
    send.accountId,
    send.instanceId,
    send.chat,
    send.number,
    send.groupJid,
    send.kind,
    send.content,
    send.delayMs,
    lane === null ? 'scheduled' : 'queued',
    lane,
    lane === null ? null : nextInLane(prepare, lane, send),
    send.createdAt,
    send.createdAt,
    send.sendAt,
    send.expiresAt,
  )
  if (!send.idempotency) return
  const { key, fingerprint, answer } = send.idempotency
  prepare(
    'insert or replace into idempotency_keys (account_id, key, fingerprint, answer, created_at) values (?, ?, ?, ?, ?)',
  ).run(send.accountId, key, fingerprint, answer, send.createdAt)
}
