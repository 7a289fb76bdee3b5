// The outbox on SQLite: claims sends, settles them, and saves their payloads. A claim reads the lanes that are due, then the first messages of each.
import type { MessageStatus } from '../contract/sending.ts'
import { CHAT_COLUMNS, chatUpdate } from '../events/append-store.ts'
import { applyTextChange } from '../messages/text-change-sqlite.ts'
import { isGroupJid } from '../network/jid.ts'
import type { HotTransaction, Prepare, SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
import type { Row } from '../store/tables.ts'
import {
  type ClaimedColumns,
  type ClaimedSend,
  type ClaimRequest,
  DISAPPEARING,
  movesChat,
  type SettleRequest,
  sendingEvents,
  settledColumns,
  settledEvents,
  toClaimedSend,
} from './outbox.ts'
import { chooseLanes, takeRun } from './rules.ts'

export const claimSends: SqliteOperation<'claimSends'> = (tx, requests) =>
  requests.map((request) => claim(tx, request))

/** A lock that has expired can be renewed as long as no other claim has taken the lane. */
export const renewClaim: SqliteOperation<'renewClaim'> = ({ prepare }, renewals) =>
  renewals.map(({ lane, fence, lockedUntil }) => {
    const { changes } = prepare(
      'update lanes set locked_until = ? where key = ? and fence = ? and locked_until is not null',
    ).run(lockedUntil, lane, fence)
    return Number(changes) > 0
  })

function claim(tx: HotTransaction, request: ClaimRequest): ClaimedSend[] {
  const { prepare } = tx
  const { owner, now, lockMs } = request
  return chooseLanes(dueLanes(prepare, request), request).flatMap(({ key }) => {
    const lane = prepare(
      'update lanes set owner = ?, locked_until = ?, fence = fence + 1 where key = ? returning fence',
    ).get(owner, now + lockMs, key)
    const run = claimRun(tx, key, Number(lane?.fence), request)
    // Every message of the lane was cancelled: it rests until the next send.
    if (run.length === 0)
      prepare('update lanes set due_at = null, locked_until = null, owner = null where key = ?').run(key)
    return run
  })
}

/** Instance by instance: an instance with a long queue costs no more than one with a short queue. */
function dueLanes(prepare: Prepare, { now, perInstance }: ClaimRequest) {
  const instances = prepare('select id from instances where queued_count > 0 and state = ?').all('open')
  return instances.map(({ id }) => {
    const row = prepare('select count(*) as lanes from lanes where instance_id = ? and locked_until > ?').get(
      Number(id),
      now,
    )
    const locked = Number(row?.lanes)
    const due = prepare(
      `select key, due_at from lanes where instance_id = ?1 and due_at <= ?2
         and (locked_until is null or locked_until <= ?2) order by due_at, key limit ?3`,
    ).all(Number(id), now, Math.max(0, perInstance - locked))
    return { locked, due: due.map(({ key, due_at }) => ({ key: String(key), dueAt: Number(due_at) })) }
  })
}

function claimRun(
  { prepare, append }: HotTransaction,
  lane: string,
  fence: number,
  { now, runLength }: ClaimRequest,
): ClaimedSend[] {
  const waiting = prepare(
    `select row_id, status, delay_ms from messages where lane = ? and status in ('queued', 'sending')
     order by lane_seq limit ?`,
  ).all(lane, runLength)
  const run = takeRun(
    waiting.map(({ row_id, status, delay_ms }) => ({
      rowId: Number(row_id),
      status: status as MessageStatus,
      delayMs: Number(delay_ms),
    })),
  )
  return run.map(({ rowId }) => {
    const row = prepare(
      `update messages set status = 'sending', tries = tries + 1, updated_at = ? where row_id = ?
       returning row_id, id, account_id, instance_id, chat, kind, content, delay_ms, tries, created_at, send_at, expires_at,
         (select state_reason from instances where id = instance_id) as state_reason, ${DISAPPEARING}`,
    ).get(now, rowId) as unknown as ClaimedColumns
    const claimed = toClaimedSend(row, lane, fence)
    append(sendingEvents(claimed, now))
    return claimed
  })
}

// Settling: the outcomes of claimed messages, and the chats they moved, in one transaction for many of them.

export const settleSend: SqliteOperation<'settleSend'> = (tx, requests) =>
  requests.map((request) => settle(tx, request))

/** Applies `statusAfter` and `laneDueAt` of the settle-send rule. */
function settle(tx: HotTransaction, request: SettleRequest): boolean {
  const { prepare, append } = tx
  const { instanceId, lane, fence, rowId, now, outcome, release } = request
  const owned = prepare('select key from lanes where key = ? and fence = ? and locked_until is not null').get(
    lane,
    fence,
  )
  if (!owned) return false
  const next = settledColumns(outcome, now)
  const { changes } = prepare(
    `update messages set status = ?, failure_reason = ?, failure_error = ?, failure_code = ?, sent_at = ?, updated_at = ?
     where row_id = ? and status in ('queued', 'sending')`,
  ).run(next.status, next.failure_reason, next.failure_error, next.failure_code, next.sent_at, now, rowId)
  const hasChanged = Number(changes) > 0
  if (outcome.kind !== 'retry' && hasChanged) {
    prepare('update instances set queued_count = queued_count - 1 where id = ?').run(instanceId)
    append(settledEvents(request))
  }
  if (outcome.kind === 'sent') {
    if (outcome.chat !== request.chat)
      prepare('update messages set chat = ? where row_id = ?').run(outcome.chat, rowId)
    if (movesChat(outcome) && hasChanged) showLastMessage(tx, { ...outcome, rowId, instanceId, now })
    if (outcome.textChange && hasChanged)
      append(applyTextChange(tx, { ...outcome.textChange, instanceId, now }))
  }
  if (!release) return true
  prepare(
    `update lanes set locked_until = null, owner = null, due_at = case
       when exists (select 1 from messages where lane = ?1 and status in ('queued', 'sending')) then ?2 end where key = ?1`,
  ).run(lane, outcome.kind === 'retry' ? outcome.at : now)
  return true
}

interface ShownMessage {
  instanceId: number
  rowId: number
  chat: string
  text: string | null
  now: number
}

/** The chat shows its newest message: one that arrived after this send stays the last. */
export function showLastMessage(
  { prepare, append }: HotTransaction,
  { instanceId, rowId, chat, text, now }: ShownMessage,
): void {
  const row = prepare(
    `insert into chats (instance_id, jid, is_group, last_message_text, last_message_at, active_at, created_at, updated_at,
       disappearing_seconds, last_message_row_id)
     values (?1, ?2, ?3, ?4, ?5, ?5, ?5, ?5,
       coalesce((select disappearing_seconds from groups where instance_id = ?1 and jid = ?2), 0), ?6)
     on conflict (instance_id, jid) do update set
       last_message_text = case when coalesce(last_message_at, 0) <= ?5 then ?4 else last_message_text end,
       last_message_row_id = case when coalesce(last_message_at, 0) <= ?5 then ?6 else last_message_row_id end,
       last_message_deleted = case when coalesce(last_message_at, 0) <= ?5 then 0 else last_message_deleted end,
       last_message_at = max(coalesce(last_message_at, 0), ?5), active_at = max(active_at, ?5), updated_at = ?5
     returning ${CHAT_COLUMNS.join(', ')}`,
  ).get(instanceId, chat, isGroupJid(chat) ? 1 : 0, text, now, rowId)
  append([chatUpdate(row as unknown as Row<'chats'>, now)])
}

export const savePayload: SqliteOperation<'savePayload'> = ({ prepare }, payloads) =>
  payloads.map(({ instanceId, messageId, payload, acceptedAt }) => {
    prepare(
      `insert into sent_payloads (instance_id, message_id, payload, created_at) values (?, ?, ?, ?)
       on conflict (instance_id, message_id) do nothing`,
    ).run(instanceId, messageId, payload, acceptedAt)
    return null
  })
