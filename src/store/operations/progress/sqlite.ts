// Recording receipts on SQLite.
import type { MessageStatus } from '../../../contract/sending.ts'
import { progressOf } from '../../../rules/message-progress.ts'
import type { HotTransaction, SqliteOperation } from '../../engines/sqlite/hot-transaction.ts'
import { type MessageProgress, progressEvents } from './types.ts'

export const recordProgress: SqliteOperation<'recordProgress'> = (tx, inputs) =>
  inputs.map((progress) => recordReceipt(tx, progress))

function recordReceipt({ prepare, append }: HotTransaction, progress: MessageProgress): boolean {
  const { instanceId, messageId, chats, timeColumn, atMs, now } = progress
  const row = prepare(
    `select row_id, status, chat from messages where id = ? and instance_id = ? and direction = 'outgoing'`,
  ).get(messageId, instanceId)
  if (!row || !chats.includes(String(row.chat))) return false
  const rowId = Number(row.row_id)
  const { status, becameSent, moved } = progressOf(row.status as MessageStatus, progress)
  if (becameSent) {
    prepare(`update messages set status = 'sent', sent_at = ? where row_id = ?`).run(atMs, rowId)
    prepare('update instances set queued_count = queued_count - 1 where id = ?').run(instanceId)
  }
  if (moved) {
    prepare(`update messages set status = ?, ${timeColumn} = ?, updated_at = ? where row_id = ?`).run(
      status,
      atMs,
      now,
      rowId,
    )
  }
  append(progressEvents(progress, { chat: String(row.chat), becameSent, moved }))
  return becameSent || moved
}
