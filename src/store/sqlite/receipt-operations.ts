// Receipts on SQLite: one for nearly every message that is sent, so that they share commits with the sends.
import { messageUpdate } from '../event-log.ts'
import type { Progress } from '../receipts.ts'
import { appendEvents } from './event-operations.ts'
import type { Prepare } from './worker.ts'

/** Whether anything has moved. */
export const noteProgress = (prepare: Prepare, receipts: Progress[]): boolean[] =>
  receipts.map((receipt) => receipt.messageIds.map((id) => moveOn(prepare, receipt, id)).includes(true))

/** A receipt can overtake the network's own word that it took the message. */
function moveOn(prepare: Prepare, progress: Progress, messageId: string): boolean {
  const { instanceId, before, status, timeColumn, atMs, now } = progress
  const waited = prepare(
    `update messages set status = 'sent', sent_at = ? where id = ? and instance_id = ? and direction = 'outgoing'
       and status in ('queued', 'sending') returning chat`,
  ).get(atMs, messageId, instanceId)
  if (waited) prepare('update instances set queued_count = queued_count - 1 where id = ?').run(instanceId)
  const moved = prepare(
    `update messages set status = ?, ${timeColumn} = ?, updated_at = ? where id = ? and instance_id = ?
       and direction = 'outgoing' and status in (select value from json_each(?)) returning chat`,
  ).get(status, atMs, now, messageId, instanceId, JSON.stringify(before))
  for (const [step, row] of [
    ['sent', waited],
    [status, moved],
  ] as const) {
    if (!row) continue
    const chat = String(row.chat)
    appendEvents(prepare, [
      messageUpdate({ instanceId, messageId, chat, status: step, failure: null, at: now }),
    ])
  }
  return waited !== undefined || moved !== undefined
}
