// The hot operations on SQLite: plain statements on the writing connection, each batch inside one transaction.
import type { SQLOutputValue } from 'node:sqlite'
import {
  type AcceptFacts,
  type AcceptOutcome,
  acceptedEvent,
  decideSend,
  IDEMPOTENCY_TTL_MS,
  type InstanceRow,
  idempotencyKey,
  instanceFacts,
  type SendToAccept,
  sendLane,
  usageKey,
} from '../accept.ts'
import { messageUpdate, type NewEvent } from '../event-log.ts'
import { type ClaimedSend, type ClaimRequest, runOf } from '../lanes.ts'
import type { Prepare } from './worker.ts'
import type { HotTransaction } from './writes.ts'

export function acceptSends({ prepare, append }: HotTransaction, sends: SendToAccept[]): AcceptOutcome[] {
  const facts: AcceptFacts = { instances: new Map(), used: new Map(), answers: new Map() }
  const outcomes = sends.map((send) => {
    loadFacts(prepare, send, facts)
    const outcome = decideSend(send, facts)
    if (outcome.outcome === 'accepted') {
      writeSend(prepare, send)
      append([acceptedEvent(send, facts)])
    }
    return outcome
  })
  countSends(
    prepare,
    sends.filter((_send, index) => outcomes[index]?.outcome === 'accepted'),
  )
  return outcomes
}

/** Once for the batch: many sends change the same few counts. */
function countSends(prepare: Prepare, accepted: SendToAccept[]): void {
  for (const [instanceId, sends] of Map.groupBy(accepted, (send) => send.instanceId)) {
    prepare('update instances set queued_count = queued_count + ? where id = ?').run(sends.length, instanceId)
  }
  for (const [first, ...others] of Map.groupBy(accepted, usageKey).values()) {
    if (!first) continue
    prepare(
      `insert into usage (account_id, resource, period, used) values (?, 'messages', ?, ?)
       on conflict (account_id, resource, period) do update set used = used + excluded.used`,
    ).run(first.accountId, first.period, 1 + others.length)
  }
}

function loadFacts(prepare: Prepare, send: SendToAccept, facts: AcceptFacts): void {
  if (!facts.instances.has(send.instanceId)) {
    const row = prepare(
      'select logged_in, queued_count, number, lid, profile_name from instances where id = ? and deleted_at is null',
    ).get(send.instanceId) as unknown as InstanceRow | undefined
    if (row) facts.instances.set(send.instanceId, instanceFacts(row))
  }
  if (!facts.used.has(usageKey(send))) {
    const row = prepare(
      `select used from usage where account_id = ? and resource = 'messages' and period = ?`,
    ).get(send.accountId, send.period)
    facts.used.set(usageKey(send), Number(row?.used ?? 0))
  }
  if (!send.idempotency) return
  const key = idempotencyKey(send.accountId, send.idempotency.key)
  if (facts.answers.has(key)) return
  const row = prepare(
    'select fingerprint, answer from idempotency_keys where account_id = ? and key = ? and created_at > ?',
  ).get(send.accountId, send.idempotency.key, send.createdAt - IDEMPOTENCY_TTL_MS)
  if (row) facts.answers.set(key, { fingerprint: String(row.fingerprint), answer: String(row.answer) })
}

function writeSend(prepare: Prepare, send: SendToAccept): void {
  const lane = sendLane(send)
  const taken = prepare(
    `insert into lanes (key, kind, instance_id, due_at, last_seq) values (?, 'send', ?, ?, 1)
     on conflict (key) do update set last_seq = last_seq + 1, due_at = coalesce(due_at, excluded.due_at)
     returning last_seq`,
  ).get(lane, send.instanceId, send.createdAt)
  prepare(
    `insert into messages (id, account_id, instance_id, direction, chat, number, group_jid, kind, content, delay_ms,
       status, lane, lane_seq, created_at, updated_at)
     values (?, ?, ?, 'outgoing', ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?)`,
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
    lane,
    Number(taken?.last_seq),
    send.createdAt,
    send.createdAt,
  )
  if (!send.idempotency) return
  const { key, fingerprint, answer } = send.idempotency
  prepare(
    'insert or replace into idempotency_keys (account_id, key, fingerprint, answer, created_at) values (?, ?, ?, ?, ?)',
  ).run(send.accountId, key, fingerprint, answer, send.createdAt)
}

/**
 * Free and due lanes, longest due first, at most `perInstance` of an instance counting those already held. Instance by
 * instance: an instance whose queue is long costs no more than one whose queue is short, and holds up no other.
 */
function dueLanes(prepare: Prepare, { now, limit, perInstance }: ClaimRequest): string[] {
  const instances = prepare('select id from instances where queued_count > 0 and state = ?').all('open')
  const due = instances.flatMap(({ id }) => {
    const held = prepare(
      `select count(*) as lanes from lanes where instance_id = ? and kind = 'send' and locked_until > ?`,
    ).get(Number(id), now)
    return prepare(
      `select key, due_at from lanes where instance_id = ?1 and kind = 'send' and due_at <= ?2
         and (locked_until is null or locked_until <= ?2) order by due_at, key limit ?3`,
    ).all(Number(id), now, Math.max(0, perInstance - Number(held?.lanes)))
  })
  return due
    .map(({ key, due_at }) => ({ key: String(key), dueAt: Number(due_at) }))
    .sort((a, b) => a.dueAt - b.dueAt || (a.key < b.key ? -1 : 1))
    .slice(0, limit)
    .map(({ key }) => key)
}

export function claimSends(tx: HotTransaction, request: ClaimRequest): ClaimedSend[] {
  const { prepare } = tx
  const { owner, now, lockMs } = request
  return dueLanes(prepare, request).flatMap((key) => {
    const lane = prepare(
      'update lanes set owner = ?, locked_until = ?, fence = fence + 1 where key = ? returning fence',
    ).get(owner, now + lockMs, key)
    const run = takeRun(tx, key, request)
    // All that waited here was cancelled: the lane rests until the next send.
    if (run.length === 0)
      prepare('update lanes set due_at = null, locked_until = null, owner = null where key = ?').run(key)
    return run.map((row) => toClaimedSend(row, key, Number(lane?.fence)))
  })
}

type MessageRow = Record<string, SQLOutputValue>

function takeRun(
  { prepare, append }: HotTransaction,
  lane: string,
  { now, runLength }: ClaimRequest,
): MessageRow[] {
  const waiting = prepare(
    `select row_id, status, delay_ms from messages where lane = ? and status in ('queued', 'sending')
     order by lane_seq limit ?`,
  ).all(lane, runLength)
  const run = runOf(
    waiting.map(({ row_id, status, delay_ms }) => ({
      rowId: Number(row_id),
      status: String(status),
      delayMs: Number(delay_ms),
    })),
  )
  return run.map(({ rowId }) => {
    const row = prepare(
      `update messages set status = 'sending', tries = tries + 1, updated_at = ? where row_id = ?
       returning row_id, id, instance_id, chat, kind, content, delay_ms, tries, created_at,
         (select state_reason from instances where id = instance_id) as state_reason`,
    ).get(now, rowId) as MessageRow
    if (Number(row.tries) === 1) append([sendingStep(row, now)])
    return row
  })
}

const toClaimedSend = (row: MessageRow, lane: string, fence: number): ClaimedSend => ({
  lane,
  fence,
  instanceId: Number(row.instance_id),
  rowId: Number(row.row_id),
  messageId: String(row.id),
  chat: String(row.chat),
  kind: String(row.kind),
  content: String(row.content),
  delayMs: Number(row.delay_ms),
  tries: Number(row.tries),
  createdAt: Number(row.created_at),
  restricted: row.state_reason === 'restricted',
})

const sendingStep = (row: MessageRow, at: number): NewEvent =>
  messageUpdate({
    instanceId: Number(row.instance_id),
    messageId: String(row.id),
    chat: String(row.chat),
    status: 'sending',
    failure: null,
    at,
  })
