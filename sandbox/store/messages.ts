// The messages that each phone shows, with the encoded content for quotes and retries.
import { STATUS_JID } from '../model/address.ts'
import type { ShownContent, ShownMessage, ShownStatus } from '../model/shown-message.ts'
import type { Database } from './database.ts'

export interface StoredPhoneMessage extends ShownMessage {
  seq: number
  /** The encoded message, for quotes and retries. */
  content: Uint8Array
}

interface Row {
  seq: number
  id: string
  chat: string
  author: string
  from_me: number
  status: ShownStatus
  timestamp: number
  shown: string
  content: Uint8Array
}

export interface PhoneMessageFilter {
  after?: number | undefined
  before?: number | undefined
  chat?: string | undefined
  limit?: number
  /** The end that the limit counts from. In both cases the oldest message comes first. */
  from?: 'start' | 'end'
}

/** Stores a message. False when this phone has it already, for instance after a retry. */
export function insertMessage(
  database: Database,
  number: string,
  message: ShownMessage,
  content: Uint8Array,
): boolean {
  if (findMessage(database, number, message.id, message.from)) return false
  const { id, chat, from, fromMe, status, timestamp, ...shown } = message
  database.write(
    `INSERT INTO messages (number, id, chat, author, from_me, status, timestamp, shown, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    number,
    id,
    chat,
    from,
    fromMe ? 1 : 0,
    status,
    timestamp,
    JSON.stringify(shown),
    content,
  )
  return true
}

/** Finds a message by its id. Two authors may use the same id, so the author is given where it is known. */
export function findMessage(
  database: Database,
  number: string,
  id: string,
  author?: string,
): StoredPhoneMessage | undefined {
  const [row] = database.rows<Row>(
    'SELECT * FROM messages WHERE number = ? AND id = ? AND (?3 IS NULL OR author = ?3)',
    number,
    id,
    author ?? null,
  )
  return row && toMessage(row)
}

/** Limits the size of one page: a thousand long texts would block the event loop. The cursor leads to the next page. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

export function listMessages(
  database: Database,
  number: string,
  filter: PhoneMessageFilter,
): StoredPhoneMessage[] {
  const fromEnd = filter.from === 'end'
  const select = (columns: string, limit: number) =>
    database.rows<Row & { bytes: number }>(
      `SELECT ${columns} FROM messages
       WHERE number = ? AND seq > ? AND (?3 IS NULL OR chat = ?3) AND (?4 IS NULL OR seq < ?4)
       ORDER BY seq ${fromEnd ? 'DESC' : 'ASC'} LIMIT ?5`,
      number,
      filter.after ?? 0,
      filter.chat ?? null,
      filter.before ?? null,
      limit,
    )
  let left = MAX_PAGE_BYTES
  const sizes = select('octet_length(shown) AS bytes', filter.limit ?? 1000)
  const fitting = sizes.findIndex(({ bytes }) => (left -= bytes) < 0)
  const messages = select('*', fitting === -1 ? sizes.length : Math.max(fitting, 1)).map(toMessage)
  return fromEnd ? messages.toReversed() : messages
}

export interface ChatSummary {
  chat: string
  seq: number
  unread: number
}

/** The chats of a phone, latest message first. Reactions, votes, edits and deletions do not count as unread. */
export function summarizeChats(database: Database, number: string): ChatSummary[] {
  return database.rows<ChatSummary>(
    `SELECT chat, max(seq) AS seq,
       sum(from_me = 0 AND status = 'received' AND shown ->> '$.visible' = 1) AS unread
     FROM messages WHERE number = ? AND chat <> '${STATUS_JID}' AND shown ->> '$.target' IS NULL
     GROUP BY chat ORDER BY max(seq) DESC`,
    number,
  )
}

export function messageAt(database: Database, seq: number): StoredPhoneMessage | undefined {
  const [row] = database.rows<Row>('SELECT * FROM messages WHERE seq = ?', seq)
  return row && toMessage(row)
}

export function listUnread(database: Database, number: string, chat: string): StoredPhoneMessage[] {
  return database
    .rows<Row>(
      `SELECT * FROM messages WHERE number = ? AND chat = ? AND from_me = 0 AND status = 'received' ORDER BY seq`,
      number,
      chat,
    )
    .map(toMessage)
}

export function listChats(database: Database, number: string): string[] {
  return database
    .rows<{ chat: string }>(
      'SELECT DISTINCT chat FROM messages WHERE number = ? AND chat <> ?',
      number,
      STATUS_JID,
    )
    .map((row) => row.chat)
}

/** Whether this person has ever written to the phone. A restricted account may reply, but not start a chat. */
export function hasWritten(database: Database, number: string, author: string): boolean {
  const found = database.rows(
    'SELECT 1 FROM messages WHERE number = ? AND author = ? AND chat = ?2 LIMIT 1',
    number,
    author,
  )
  return found.length > 0
}

export function setStatus(database: Database, seq: number, status: ShownStatus): void {
  database.write('UPDATE messages SET status = ? WHERE seq = ?', status, seq)
}

export function removeMessage(database: Database, seq: number): void {
  database.write('DELETE FROM messages WHERE seq = ?', seq)
}

/** Removes the messages of a chat, or those up to a time in Unix seconds. */
export function removeChatMessages(
  database: Database,
  number: string,
  chat: string,
  { through, keepStarred }: { through: number | undefined; keepStarred: boolean },
): void {
  database.write(
    `DELETE FROM messages WHERE number = ? AND chat = ? AND (?3 IS NULL OR timestamp <= ?3)
     AND (?4 = 0 OR coalesce(shown ->> '$.starred', 0) = 0)`,
    number,
    chat,
    through ?? null,
    keepStarred ? 1 : 0,
  )
}

export function setShown(database: Database, seq: number, shown: ShownContent): void {
  database.write('UPDATE messages SET shown = ? WHERE seq = ?', JSON.stringify(shown), seq)
}

/** The part of a message that `setShown` replaces. */
export function shownPart(message: StoredPhoneMessage): ShownContent {
  const {
    seq: _s,
    id: _i,
    chat: _c,
    from: _f,
    fromMe: _m,
    status: _t,
    timestamp: _w,
    content: _p,
    ...shown
  } = message
  return shown
}

/** The message as the API returns it. */
export function withoutContent({ content: _content, ...message }: StoredPhoneMessage) {
  return message
}

function toMessage(row: Row): StoredPhoneMessage {
  return {
    seq: row.seq,
    id: row.id,
    chat: row.chat,
    from: row.author,
    fromMe: row.from_me === 1,
    status: row.status,
    timestamp: row.timestamp,
    ...(JSON.parse(row.shown) as ShownContent),
    content: row.content,
  }
}
