// Recording receipts on SQLite.
import type { MessageStatus } from '../contract/sending.ts'
import { CHAT_COLUMNS, chatUpdate } from '../events/append-store.ts'
import { showLastMessage } from '../sending/outbox-sqlite.ts'
import type { HotTransaction, SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
import type { Row } from '../store/tables.ts'
import {
  type MessageProgress,
  progressEvents,
  type RecordedProgress,
  sentChatChange,
} from './progress-store.ts'
import { type Progress, progressOf } from './rules.ts'
import { applyTextChange } from './text-change-sqlite.ts'

interface FoundRow extends Omit<RecordedProgress, keyof Progress> {
  status: MessageStatus
}

export const recordProgress: SqliteOperation<'recordProgress'> = (tx, inputs) =>
  inputs.map((progress) => recordReceipt(tx, progress))

function recordReceipt(tx: HotTransaction, progress: MessageProgress): boolean {
  const { prepare, append } = tx
  const { instanceId, messageId, chats, timeColumn, atMs, now } = progress
  const row = prepare(
    `select row_id, status, chat, kind, content, instances.number, lid, profile_name
     from messages left join instances on instances.id = instance_id
     where messages.id = ? and instance_id = ? and direction = 'outgoing'`,
  ).get(messageId, instanceId) as unknown as FoundRow | undefined
  if (!row || !chats.includes(row.chat)) return false
  const rowId = row.row_id
  const { status, becameSent, moved } = progressOf(row.status, progress)
  const chat = becameSent ? (progress.networkChat ?? row.chat) : row.chat
  if (becameSent) {
    prepare(`update messages set status = 'sent', sent_at = ?, chat = ? where row_id = ?`).run(
      atMs,
      chat,
      rowId,
    )
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
  append(progressEvents(progress, { ...row, chat, becameSent, moved }))
  if (becameSent) changeChat(tx, progress, { ...row, chat })
  return becameSent || moved
}

function changeChat(tx: HotTransaction, { instanceId, chats, now }: MessageProgress, sent: FoundRow): void {
  const change = sentChatChange(sent)
  if (change?.kind === 'last_message')
    showLastMessage(tx, { instanceId, rowId: sent.row_id, chat: sent.chat, text: change.text, now })
  if (change?.kind === 'text') tx.append(applyTextChange(tx, { ...change.change, instanceId, now }))
  if (change?.kind !== 'timer') return
  const rows = tx
    .prepare(
      `update chats set disappearing_seconds = ?1, updated_at = ?2
       where instance_id = ?3 and jid in (select value from json_each(?4)) and disappearing_seconds <> ?1
       returning ${CHAT_COLUMNS.join(', ')}`,
    )
    .all(change.seconds, now, instanceId, JSON.stringify(chats)) as unknown as Row<'chats'>[]
  tx.append(rows.map((row) => chatUpdate(row, now)))
}
