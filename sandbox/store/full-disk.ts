// Recognizes the errors of a full disk, from the file system and from SQLite.

const FILE_CODES = new Set(['ENOSPC', 'EDQUOT'])
/** SQLITE_FULL, and SQLITE_IOERR_WRITE, which SQLite raises when a quota is used up. */
const SQLITE_CODES = new Set([13, 778])

export function isFullDisk(error: unknown): boolean {
  const { code = '', errcode = 0 } = (error ?? {}) as { code?: string; errcode?: number }
  return FILE_CODES.has(code) || SQLITE_CODES.has(errcode)
}
