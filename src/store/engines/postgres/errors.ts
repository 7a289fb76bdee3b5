// Maps PostgreSQL's error codes and the driver's own errors to the kinds of `StoreError`.
import { StoreError, type StoreErrorKind } from '../../../kernel/store-error.ts'

/** By SQLSTATE, else by its first two characters. Any other code is a bug in this program. */
const SQLSTATES: Record<string, StoreErrorKind> = {
  '23505': 'unique',
  '23503': 'reference',
  /** Data that do not fit their column: a NUL, a number out of range, a missing value, a violated check. */
  '22': 'refused',
  '23': 'refused',
  /** Data beyond a limit of the server: a value that is too long for its index. */
  '54': 'refused',
  /** Serialization failure, deadlock. */
  '40001': 'conflict',
  '40P01': 'conflict',
  /** Other aborted transactions, for example a commit with an unknown outcome. */
  '40': 'unavailable',
  /** Connection errors, also as poolers report them. */
  '08': 'unavailable',
  /** A standby or read-only database; a transaction that was idle or ran for too long. */
  '25006': 'unavailable',
  '25P03': 'unavailable',
  '25P04': 'unavailable',
  /** The role or its password was changed. */
  '28': 'unavailable',
  /** The database was dropped or renamed. */
  '3D': 'unavailable',
  /** A privilege was revoked. */
  '42501': 'unavailable',
  /** Out of disk, memory or connections. */
  '53': 'unavailable',
  /** The database accepts no connections; a lock was not granted in time. */
  '55000': 'unavailable',
  '55P03': 'unavailable',
  /** Shutdown, crash recovery, startup, a dropped database, a statement that was cancelled or took too long. */
  '57': 'unavailable',
  /** The server's disk. */
  '58': 'unavailable',
  /** The server's configuration. */
  F0: 'unavailable',
  /** Internal errors; some poolers report every refusal this way. Corrupted data (XX001, XX002) is not included. */
  XX000: 'unavailable',
}

/** Errors of the operating system, name resolution or TLS. */
const SYSTEM_CODE =
  /^(E[A-Z]+|EAI_[A-Z]+|ERR_(TLS|SSL|OSSL|SOCKET|STREAM)_\w+|CERT_\w+|\w+_CERT\w*|\w+_SIGNATURE)$/

/** Errors that the driver throws without a code. */
const DRIVER_MESSAGE =
  /timeout|terminated|connection|not queryable|pool after calling end|unexpected \w+ message/i

/** A check of a table has a name in the error, a partition's bounds have none. */
const CHECK_VIOLATION = '23514'

interface DatabaseError {
  code?: string
  constraint?: string
  message?: string
}

function kindOf({ code, constraint, message = '' }: DatabaseError): StoreErrorKind {
  if (code === undefined) return DRIVER_MESSAGE.test(message) ? 'unavailable' : 'failed'
  if (SYSTEM_CODE.test(code)) return 'unavailable'
  // The row was on its way to the default partition when its day got a partition of its own.
  if (code === CHECK_VIOLATION && !constraint) return 'conflict'
  return SQLSTATES[code] ?? SQLSTATES[code.slice(0, 2)] ?? 'failed'
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  return new StoreError(kindOf(error as DatabaseError), describe(error), error)
}

/** Any error while connecting means that the database is unavailable: password, name, descriptors, certificate. */
export function toConnectError(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError('unavailable', describe(error), error)
}

function describe(error: unknown): string {
  const { code, message } = error as DatabaseError
  return `postgres: ${message} (${code ?? 'no code'})`
}
