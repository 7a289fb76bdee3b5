/** What each phone shows: its chats, message by message, with the plain content kept for quotes and retries. */
import type { ShownContent, ShownMessage, ShownStatus } from '../phone/shown-message.ts'
import type { Database } from './database.ts'

export type StoredMessage = ShownMessage & { seq: number; content: Uint8Array }

type Row = {
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

export type MessageFilter = {
  after?: number | undefined
  before?: number | undefined
  chat?: string | undefined
  limit?: number
  /** Which end the limit counts from; either way the oldest of them comes first. */
  from?: 'start' | 'end'
}

/** Keeps a message; false when this phone has had it before, as after a retry. */
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

/** The message of that id; people can pick the same id, so the author narrows it down where known. */
export function findMessage(
  database: Database,
  number: string,
  id: string,
  author?: string,
): StoredMessage | undefined {
  const [row] = database.rows<Row>(
    'SELECT * FROM messages WHERE number = ? AND id = ? AND (?3 IS NULL OR author = ?3)',
    number,
    id,
    author ?? null,
  )
  return row && toMessage(row)
}

export function listMessages(database: Database, number: string, filter: MessageFilter): StoredMessage[] {
  const fromEnd = filter.from === 'end'
  const messages = database
    .rows<Row>(
      `SELECT * FROM messages
       WHERE number = ? AND seq > ? AND (?3 IS NULL OR chat = ?3) AND (?4 IS NULL OR seq < ?4)
       ORDER BY seq ${fromEnd ? 'DESC' : 'ASC'} LIMIT ?5`,
      number,
      filter.after ?? 0,
      filter.chat ?? null,
      filter.before ?? null,
      filter.limit ?? 1000,
    )
    .map(toMessage)
  return fromEnd ? messages.toReversed() : messages
}

export type ChatSummary = { chat: string; seq: number; unread: number }

/** The chats of a phone, the one with the latest message first. What is about another message makes none unread. */
export function summarizeChats(database: Database, number: string): ChatSummary[] {
  return database.rows<ChatSummary>(
    `SELECT chat, max(seq) AS seq,
       sum(from_me = 0 AND status = 'received' AND shown ->> '$.visible' = 1) AS unread
     FROM messages WHERE number = ? AND shown ->> '$.target' IS NULL
     GROUP BY chat ORDER BY max(seq) DESC`,
    number,
  )
}

export function messageAt(database: Database, seq: number): StoredMessage | undefined {
  const [row] = database.rows<Row>('SELECT * FROM messages WHERE seq = ?', seq)
  return row && toMessage(row)
}

export function listUnread(database: Database, number: string, chat: string): StoredMessage[] {
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
    .rows<{ chat: string }>('SELECT DISTINCT chat FROM messages WHERE number = ?', number)
    .map((row) => row.chat)
}

/** Has this person ever written to the phone? The network lets replies through where it stops cold contact. */
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

export function setShown(database: Database, seq: number, shown: ShownContent): void {
  database.write('UPDATE messages SET shown = ? WHERE seq = ?', JSON.stringify(shown), seq)
}

/** As callers see it. */
export function withoutContent({ content: _content, ...message }: StoredMessage) {
  return message
}

function toMessage(row: Row): StoredMessage {
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
