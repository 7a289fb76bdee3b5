// Settling on SQLite: what became of claimed messages, and the chats they moved, in one transaction for many of them.

import { isGroupJid } from '../network/jid.ts'
import type { HotTransaction, SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
import { CHAT_COLUMNS, chatUpdate } from '../store/operations/events/store-events.ts'
import { applyTextChange } from '../store/operations/text-change/sqlite.ts'
import type { Row } from '../store/tables.ts'
import { movesChat, type SettleRequest, settledColumns, settledEvents } from './outbox-settle.ts'

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
