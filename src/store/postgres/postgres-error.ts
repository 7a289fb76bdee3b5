// PostgreSQL's error codes, told apart as the store's kinds.
import { StoreError, type StoreErrorKind } from '../store-error.ts'

/** Connection trouble, resources, shutdown, and conflicts that a second try may pass. */
const PASSING = /^(08|53|57|40|25006|55P03)/
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

function kindOf(code: string | undefined, message: string): StoreErrorKind {
  if (code === '23505') return 'unique'
  if (code === '23503') return 'reference'
  if (code && (PASSING.test(code) || SOCKET.has(code))) return 'unavailable'
  // The driver raises these without a code.
  return /timeout|terminated|connection/i.test(message) && !code ? 'unavailable' : 'failed'
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { code, message } = error as { code?: string; message?: string }
  return new StoreError(kindOf(code, message ?? ''), `postgres: ${message} (${code ?? 'no code'})`, error)
}
