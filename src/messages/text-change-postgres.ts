// Applying an edit or a deletion on PostgreSQL: the search finds the message by its new words, and the chat whose last message was
// changed shows the new text. Changes are rare, so each has statements of its own.

import { CHAT_COLUMNS, chatUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { prepared, type QueryClient } from '../store/engines/postgres/statement.ts'
import type { Row } from '../store/tables.ts'
import { DELETED_MARK, indexedWords } from './rules-search-words.ts'
import type { AppliedChange, IndexedMessage } from './text-change-store.ts'

const FIND_CHANGED = prepared(
  'find_changed_message',
  `select row_id, account_id, instance_id, chat, content from messages
   where id = $1::text and instance_id = $2::bigint and direction = $3::text`,
)
const CHANGE_LAST_TEXT = prepared(
  'change_last_text',
  `update chats set last_message_text = $4::text, last_message_deleted = $5::bigint, updated_at = $6::bigint
   where instance_id = $1::bigint and jid = $2::text and last_message_row_id = $3::bigint and last_message_deleted = 0
   returning ${CHAT_COLUMNS.join(', ')}`,
)

/**
 * Returns the event of the chat. A deleted message stays deleted: an edit that arrives later changes nothing. The caller's transaction
 * has locked the instance.
 */
export async function applyTextChange(client: QueryClient, change: AppliedChange): Promise<NewEvent[]> {
  const { instanceId, messageId, direction, isDeletion, text, now } = change
  const found = await client.query<IndexedMessage & { chat: string }>(
    FIND_CHANGED([messageId, instanceId, direction]),
  )
  const [message] = found.rows
  if (!message) return []
  await indexAgain(client, message, isDeletion ? null : (text ?? ''))
  const { rows } = await client.query<Row<'chats'>>(
    CHANGE_LAST_TEXT([instanceId, message.chat, message.row_id, text, isDeletion ? 1 : 0, now]),
  )
  return rows.map((row) => chatUpdate(row, now))
}

const INDEX_AGAIN = prepared(
  'index_again',
  `insert into message_search (rowid, words) values ($1::bigint, array_to_tsvector($2::text[]))
   on conflict (rowid) do update set words = excluded.words
   where not message_search.words @@ '''${DELETED_MARK}'''::tsquery`,
)

/** Also before the worker has indexed the message: it leaves out what is indexed already. */
export async function indexAgain(
  client: QueryClient,
  message: IndexedMessage,
  text?: string | null,
): Promise<void> {
  const words = indexedWords(message, text)
  if (words.length > 0) await client.query(INDEX_AGAIN([message.row_id, words]))
}
