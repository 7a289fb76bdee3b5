// Maps SQLite's result codes to the kinds of `StoreError`.
import { StoreError, type StoreErrorKind } from '../../../kernel/store-error.ts'

/** By extended result code, else by the primary code in its low byte. Any other code is a bug in this program. */
const CODES: Record<number, StoreErrorKind> = {
  /** PRIMARYKEY, UNIQUE, FOREIGNKEY. */
  1555: 'unique',
  2067: 'unique',
  787: 'reference',
  /** PERM. */
  3: 'unavailable',
  /** BUSY, LOCKED: another process held the file for longer than a write waits. */
  5: 'unavailable',
  6: 'unavailable',
  /** NOMEM. */
  7: 'unavailable',
  /** READONLY, IOERR, FULL. */
  8: 'unavailable',
  10: 'unavailable',
  13: 'unavailable',
  /** CANTOPEN: also when the process has no file descriptor left. */
  14: 'unavailable',
  /** PROTOCOL: the write-ahead log could not be locked. */
  15: 'unavailable',
  /** TOOBIG, other constraints, MISMATCH: data that do not fit their column. */
  18: 'refused',
  19: 'refused',
  20: 'refused',
  /** NOLFS: the file is as large as the file system allows. */
  22: 'unavailable',
  /** AUTH. */
  23: 'unavailable',
}

export function toStoreError({ message, errcode }: { message: string; errcode: number }): StoreError {
  const kind = CODES[errcode] ?? CODES[errcode & 0xff] ?? 'failed'
  return new StoreError(kind, `sqlite: ${message} (${errcode})`)
}
