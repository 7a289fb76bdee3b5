// Settling on SQLite: what became of claimed messages, and the chats they moved, in one transaction for many of them.
import { chatUpdate } from '../event-log.ts'
import {
  type SendOutcome,
  type SentPayload,
  type SettleRequest,
  settledMessage,
  settledStep,
} from '../lanes.ts'
import type { Row } from '../tables.ts'
import type { Prepare } from './worker.ts'
import type { HotTransaction } from './writes.ts'

export const settleSends = (tx: HotTransaction, requests: SettleRequest[]): boolean[] =>
  requests.map((request) => settleSend(tx, request))

function settleSend(tx: HotTransaction, request: SettleRequest): boolean {
  const { prepare, append } = tx
  const { instanceId, lane, fence, rowId, now, outcome, release } = request
  const owned = prepare('select key from lanes where key = ? and fence = ? and locked_until is not null').get(
    lane,
    fence,
  )
  if (!owned) return false
  const next = settledMessage(outcome, now)
  const { changes } = prepare(
    `update messages set status = ?, failure_reason = ?, failure_error = ?, failure_code = ?, sent_at = ?, updated_at = ?
     where row_id = ? and status in ('queued', 'sending')`,
  ).run(next.status, next.failure_reason, next.failure_error, next.failure_code, next.sent_at, now, rowId)
  if (outcome.kind !== 'retry' && Number(changes) > 0) {
    prepare('update instances set queued_count = queued_count - 1 where id = ?').run(instanceId)
    append(settledStep(request))
  }
  if (outcome.kind === 'sent') noteSent(tx, request, outcome)
  if (!release) return true
  prepare(
    `update lanes set locked_until = null, owner = null, due_at = case
       when exists (select 1 from messages where lane = ?1 and status in ('queued', 'sending')) then ?2 end where key = ?1`,
  ).run(lane, outcome.kind === 'retry' ? outcome.at : now)
  return true
}

/** The newest message is the chat's last one; one that arrived meanwhile stays it. */
function noteSent(
  { prepare, append }: HotTransaction,
  { instanceId, rowId, chat: asked, now }: SettleRequest,
  { chat, text }: Extract<SendOutcome, { kind: 'sent' }>,
): void {
  if (chat !== asked) prepare('update messages set chat = ? where row_id = ?').run(chat, rowId)
  const row = prepare(
    `insert into chats (instance_id, jid, is_group, last_message_text, last_message_at, active_at, created_at, updated_at)
     values (?1, ?2, ?3, ?4, ?5, ?5, ?5, ?5)
     on conflict (instance_id, jid) do update set
       last_message_text = case when coalesce(last_message_at, 0) <= ?5 then ?4 else last_message_text end,
       last_message_at = max(coalesce(last_message_at, 0), ?5), active_at = max(active_at, ?5), updated_at = ?5
     returning id, instance_id, jid, is_group, name, push_name, last_message_text, last_message_at, unread_count`,
  ).get(instanceId, chat, chat.endsWith('@g.us') ? 1 : 0, text, now)
  append([chatUpdate(row as unknown as Row<'chats'>, now)])
}

/** The first one counts: a second try sends the same bytes. */
export function keepPayloads(prepare: Prepare, payloads: SentPayload[]): null[] {
  return payloads.map(({ instanceId, messageId, payload, now }) => {
    prepare(
      `insert into sent_payloads (instance_id, message_id, payload, created_at) values (?, ?, ?, ?)
       on conflict (instance_id, message_id) do nothing`,
    ).run(instanceId, messageId, payload, now)
    return null
  })
}
