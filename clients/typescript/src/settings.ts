// What a client is created with, what a call takes, and the form of a row in the generated table.

export interface ClientSettings {
  /** URL of the gateway, without `/api/v1`. Empty in a page that the gateway itself serves. */
  url: string
  /** An API key of the account, or the operator key. */
  key?: string | undefined
  /** How often a call is repeated after a temporary failure; default 4. */
  retries?: number
  /** A longer `Retry-After` is reported as an error at once; default 60. */
  maxPauseSeconds?: number
  /** Time for one attempt, without `waitSeconds`; default 30. */
  timeoutSeconds?: number
  fetch?: typeof globalThis.fetch
  /** Waits before the next attempt. Tests replace it. */
  sleep?: (seconds: number, signal: AbortSignal | undefined) => Promise<void>
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface SendOptions extends CallOptions {
  /** Default: a new random key for each call, the same for all of its attempts. */
  idempotencyKey?: string | undefined
  /** The answer waits up to 60 seconds for the status `sent` or `failed`. */
  waitSeconds?: number | undefined
}

export interface FileContent {
  bytes: Uint8Array<ArrayBuffer>
  contentType: string
}

export interface OperationRow {
  method: string
  path: string
  query?: readonly string[]
  body?: 'json' | 'file'
  answer?: 'file' | 'stream'
  needsKey?: boolean
  isIdempotent?: boolean
  /** The list in an answer that has pages. */
  pageOf?: string
}
