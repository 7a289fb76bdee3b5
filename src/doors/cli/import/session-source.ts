// Where sessions of other programs are read from. A source only reads, and gives texts: what they mean is decided elsewhere.

export interface ForeignKeyText {
  kind: string
  name: string
  text: string
}

/** Something in the source that is not a key, or is larger than any key. */
export interface UnreadKey {
  unread: string
  why: string
}

/** What a program stores of a session beside its keys. All of it is unchecked. */
export interface Belongings {
  /** The name and the token with which clients of the other program use the session. */
  name?: string | undefined
  token?: string | undefined
  settings?: Record<string, unknown> | undefined
  proxy?: Record<string, unknown> | undefined
  webhook?: Record<string, unknown> | undefined
  /** People with the names that the program knows them by. Can be read more than once. */
  contacts?(): AsyncIterable<{ jid: string; name: string }>
}

export interface FoundSession {
  /** How the source names it. */
  label: string
  /** The login, as JSON. */
  creds(): Promise<string>
  /** Can be read more than once. */
  keys(): AsyncIterable<ForeignKeyText | UnreadKey>
  /** When the source last changed it; undefined: not known. */
  changedAt(): Promise<number | undefined>
  belongings?(): Promise<Belongings>
}

export interface SessionSource {
  sessions(): AsyncIterable<FoundSession>
  /** What shows that the program of the source still runs; undefined: nothing does. */
  runningNow?(): Promise<string | undefined>
  close(): Promise<void>
}

/** A text for the user: the source cannot be read. */
export class SourceError extends Error {}

/** Far more than the largest key, the state of an account with a hundred thousand contacts. */
export const MAX_KEY_BYTES = 16 * 1024 * 1024
export const MAX_CREDS_BYTES = 4 * 1024 * 1024
