// Receipts on SQLite: many messages get further in one transaction.
import type { MessageStatus } from '../../contract/sending.ts'
import { type Progress, progressEvents } from '../progress.ts'
import type { HotTransaction } from './writes.ts'

/** Whether each was news. */
export const moveMessages = (tx: HotTransaction, steps: Progress[]): boolean[] =>
  steps.map((step) => moveMessage(tx, step))

function moveMessage({ prepare, append }: HotTransaction, step: Progress): boolean {
  const { instanceId, messageId, before, status, timeColumn, atMs, now } = step
  const row = prepare(
    `select row_id, status, chat from messages where id = ? and instance_id = ? and direction = 'outgoing'`,
  ).get(messageId, instanceId)
  if (!row) return false
  const [rowId, chat] = [Number(row.row_id), String(row.chat)]
  const waited = row.status === 'queued' || row.status === 'sending'
  if (waited) {
    prepare(`update messages set status = 'sent', sent_at = ? where row_id = ?`).run(atMs, rowId)
    prepare('update instances set queued_count = queued_count - 1 where id = ?').run(instanceId)
  }
  const moved = before.includes(waited ? 'sent' : (row.status as MessageStatus))
  if (moved) {
    prepare(`update messages set status = ?, ${timeColumn} = ?, updated_at = ? where row_id = ?`).run(
      status,
      atMs,
      now,
      rowId,
    )
  }
  const events = progressEvents(step, {
    waited: waited ? chat : undefined,
    moved: moved ? chat : undefined,
  })
  append(events)
  return events.length > 0
}
