// Accepting sends on SQLite: statement by statement, a batch of sends in one transaction.

import type { Prepare, SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
import {
  type AcceptBatch,
  acceptedEvent,
  acceptInBatch,
  type InstanceColumns,
  idempotencyKey,
  keyResource,
  keyUsageKey,
  laneKey,
  type SendToAccept,
  toBatchInstance,
  usageKey,
} from './outbox.ts'
import { firstStatus, IDEMPOTENCY_TTL_MS, type KeyTerms } from './rules.ts'

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
    const scheduled = sends.filter((send) => firstStatus(send) !== 'queued').length
    prepare(
      'update instances set queued_count = queued_count + ?, scheduled_count = scheduled_count + ? where id = ?',
    ).run(sends.length - scheduled, scheduled, instanceId)
  }
  const counted = accepted.filter(({ messages }) => messages > 0)
  for (const sends of Map.groupBy(counted, usageKey).values()) {
    const [{ accountId, period }] = sends as [SendToAccept]
    const added = sends.reduce((sum, { messages }) => sum + messages, 0)
    addUsage(prepare, accountId, 'messages', period, added)
  }
  for (const { accountId, key, sends } of accepted)
    if (key) addUsage(prepare, accountId, keyResource(key), key.day, sends)
}

function addUsage(
  prepare: Prepare,
  ...values: [accountId: number, resource: string, period: number, added: number]
): void {
  prepare(
    `insert into usage (account_id, resource, period, used) values (?, ?, ?, ?)
     on conflict (account_id, resource, period) do update set used = used + excluded.used`,
  ).run(...values)
}

/** Once for each period or day of the batch. */
function loadUsage(
  prepare: Prepare,
  batch: AcceptBatch,
  name: string,
  ...where: [accountId: number, resource: string, period: number]
): void {
  if (batch.used.has(name)) return
  const row = prepare('select used from usage where account_id = ? and resource = ? and period = ?').get(
    ...where,
  )
  batch.used.set(name, Number(row?.used ?? 0))
}

function loadFacts(prepare: Prepare, send: SendToAccept, batch: AcceptBatch): void {
  if (!batch.instances.has(send.instanceId)) {
    const row = prepare(
      `select logged_in, queued_count, scheduled_count, number, lid, profile_name, node_id from instances
       where id = ? and deleted_at is null`,
    ).get(send.instanceId) as unknown as InstanceColumns | undefined
    if (row) batch.instances.set(send.instanceId, toBatchInstance(row))
  }
  const { accountId, key: byKey } = send
  loadUsage(prepare, batch, usageKey(send), accountId, 'messages', send.period)
  if (byKey) loadUsage(prepare, batch, keyUsageKey(byKey), accountId, keyResource(byKey), byKey.day)
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

function insertApproval(prepare: Prepare, send: SendToAccept, { id, approveBy, question }: KeyTerms): void {
  prepare(
    `insert into approvals
       (instance_id, message_id, account_id, key_id, requested_at, expires_at, question_id, code, ask_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    send.instanceId,
    send.messageId,
    send.accountId,
    id,
    send.createdAt,
    approveBy,
    question?.id ?? null,
    question?.code ?? null,
    question ? send.createdAt : null,
  )
}

function insertMessage(prepare: Prepare, send: SendToAccept): void {
  const status = firstStatus(send)
  // A scheduled message enters its lane when it is due, and one that waits for approval with it.
  const lane = status === 'queued' ? laneKey(send) : null
  prepare(
    `insert into messages (id, account_id, instance_id, direction, chat, number, group_jid, kind, content, delay_ms,
       status, lane, lane_seq, created_at, updated_at, send_at, expires_at, reference)
     values (?, ?, ?, 'outgoing', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    status,
    lane,
    lane === null ? null : nextInLane(prepare, lane, send),
    send.createdAt,
    send.createdAt,
    send.sendAt,
    send.expiresAt,
    send.reference,
  )
  if (send.key && send.key.approveBy !== null) insertApproval(prepare, send, send.key)
  for (const uploadId of send.held?.uploadIds ?? [])
    prepare(
      'update media_uploads set held_instance_id = ?, held_message_id = ?, kept_until = ? where id = ?',
    ).run(send.instanceId, send.messageId, send.held?.until ?? 0, uploadId)
  if (!send.idempotency) return
  const { key, fingerprint, answer } = send.idempotency
  prepare(
    'insert or replace into idempotency_keys (account_id, key, fingerprint, answer, created_at) values (?, ?, ?, ?, ?)',
  ).run(send.accountId, key, fingerprint, answer, send.createdAt)
}
