// Receipts on SQLite: many messages get further in one transaction.
import { type Progress, progressEvents } from '../progress.ts'
import type { HotTransaction } from './writes.ts'

/** Whether each was news. */
export const moveMessages = (tx: HotTransaction, steps: Progress[]): boolean[] =>
  steps.map((step) => moveMessage(tx, step))

function moveMessage({ prepare, append }: HotTransaction, step: Progress): boolean {
  const { instanceId, messageId, before, status, timeColumn, atMs, now } = step
  const waited = prepare(
    `update messages set status = 'sent', sent_at = ? where instance_id = ? and id = ? and direction = 'outgoing'
       and status in ('queued', 'sending') returning chat`,
  ).get(atMs, instanceId, messageId)
  if (waited) prepare('update instances set queued_count = queued_count - 1 where id = ?').run(instanceId)
  const moved = prepare(
    `update messages set status = ?, ${timeColumn} = ?, updated_at = ? where instance_id = ? and id = ?
       and direction = 'outgoing' and status in (${before.map(() => '?').join(', ')}) returning chat`,
  ).get(status, atMs, now, instanceId, messageId, ...before)
  const events = progressEvents(step, {
    waited: waited && String(waited.chat),
    moved: moved && String(moved.chat),
  })
  append(events)
  return events.length > 0
}
