// The settings of each chat on a phone. They are the owner's, except how long messages are kept, which both sides see.
import type { Database } from './database.ts'

export interface StoredChatSettings {
  archived: boolean
  pinned: boolean
  /** Unix milliseconds; null when the chat is not muted. */
  mutedUntil: number | null
  /** The owner marked the chat as unread, whether or not a message is. */
  markedUnread: boolean
  /** How long new messages are kept; 0 when they do not disappear. */
  disappearingSeconds: number
  /** Ids of the labels that the owner has given to the chat. */
  labels: string[]
}

const DEFAULTS: StoredChatSettings = {
  archived: false,
  pinned: false,
  mutedUntil: null,
  markedUnread: false,
  disappearingSeconds: 0,
  labels: [],
}

export function readChatSettings(database: Database, number: string, chat: string): StoredChatSettings {
  const [row] = database.rows<{ document: string }>(
    'SELECT document FROM chat_settings WHERE number = ? AND chat = ?',
    number,
    chat,
  )
  return { ...DEFAULTS, ...(row && (JSON.parse(row.document) as Partial<StoredChatSettings>)) }
}

/** A label was deleted. */
export function removeLabel(database: Database, number: string, labelId: string): void {
  const rows = database.rows<{ chat: string }>('SELECT chat FROM chat_settings WHERE number = ?', number)
  for (const { chat } of rows) {
    const { labels } = readChatSettings(database, number, chat)
    if (labels.includes(labelId))
      changeChatSettings(database, number, chat, { labels: labels.filter((id) => id !== labelId) })
  }
}

export function changeChatSettings(
  database: Database,
  number: string,
  chat: string,
  change: Partial<StoredChatSettings>,
): void {
  const settings = { ...readChatSettings(database, number, chat), ...change }
  database.write(
    'INSERT OR REPLACE INTO chat_settings (number, chat, document) VALUES (?, ?, ?)',
    number,
    chat,
    JSON.stringify(settings),
  )
}
