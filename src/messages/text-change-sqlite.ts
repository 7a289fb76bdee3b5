// Applying an edit or a deletion on SQLite: the search finds the message by its new words, and the chat whose last message was changed
// shows the new text.

import { CHAT_COLUMNS, chatUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import type { HotTransaction } from '../store/engines/sqlite/hot-transaction.ts'
import type { Row } from '../store/tables.ts'
import { DELETED_MARK, indexedWords } from './rules-search-words.ts'
import type { AppliedChange, IndexedMessage } from './text-change-store.ts'

/** Returns the event of the chat. A deleted message stays deleted: an edit that arrives later changes nothing. */
export function applyTextChange(
  { prepare }: Pick<HotTransaction, 'prepare'>,
  change: AppliedChange,
): NewEvent[] {
  const { instanceId, messageId, direction, isDeletion, text, now } = change
  const message = prepare(
    `select row_id, account_id, instance_id, chat, content from messages
     where id = ? and instance_id = ? and direction = ?`,
  ).get(messageId, instanceId, direction) as unknown as (IndexedMessage & { chat: string }) | undefined
  if (!message) return []
  indexAgain({ prepare }, message, isDeletion ? null : (text ?? ''))
  const row = prepare(
    `update chats set last_message_text = ?4, last_message_deleted = ?5, updated_at = ?6
     where instance_id = ?1 and jid = ?2 and last_message_row_id = ?3 and last_message_deleted = 0
     returning ${CHAT_COLUMNS.join(', ')}`,
  ).get(instanceId, message.chat, message.row_id, text, isDeletion ? 1 : 0, now)
  return row ? [chatUpdate(row as unknown as Row<'chats'>, now)] : []
}

/** Also before the worker has indexed the message: it leaves out what is indexed already. */
export function indexAgain(
  { prepare }: Pick<HotTransaction, 'prepare'>,
  message: IndexedMessage,
  text?: string | null,
): void {
  const words = indexedWords(message, text)
  if (words.length === 0) return
  // FTS5 answers `rowid = ?` with the next row that matches, if the index has no positions.
  const isDeleted = prepare(
    'select 1 from message_search where message_search match ?1 and rowid between ?2 and ?2',
  ).get(`"${DELETED_MARK}"`, message.row_id)
  if (isDeleted) return
  prepare('insert or replace into message_search (rowid, words) values (?, ?)').run(
    message.row_id,
    words.join(' '),
  )
}
