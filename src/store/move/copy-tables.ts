// Copies every table from one engine to another, reads the copy back, and compares counts and checksums.
import { MaintenanceError } from '../maintenance.ts'
import { copiedTables } from './moved-tables.ts'
import { createRowDigest, type MovedRow, type RowDigest, sizeOfRow } from './row-digest.ts'

export interface MoveSource {
  columns(table: string): string[]
  count(table: string): number
  rows(table: string, columns: readonly string[]): Iterable<MovedRow>
  /** The highest id that the table has ever given out. Numbers of files refer to ids of rows that were deleted since. */
  lastId(table: string, column: string): number
}

export interface MoveTarget {
  columns(table: string): Promise<string[]>
  insert(table: string, columns: readonly string[], rows: readonly MovedRow[]): Promise<void>
  read(table: string, columns: readonly string[], rowsAtOnce: number): AsyncIterable<readonly MovedRow[]>
  /** The column that numbers new rows by itself; undefined: the table has none. */
  numberedColumn(table: string): Promise<string | undefined>
  /** The next row gets a higher number than `last`. */
  continueAfter(table: string, column: string, last: number): Promise<void>
}

export interface MovedTable {
  table: string
  rows: number
  checksum: string
}

export interface CopyReport {
  tables: MovedTable[]
  /** Texts with NUL characters, which PostgreSQL cannot store. They were replaced. */
  replacedTexts: number
}

export interface CopyProgress {
  (table: string, done: number, of: number): void
}

/** Both limits hold: rows are small in most tables, and a megabyte each in those of files. */
const BATCH_ROWS = 1000
const BATCH_BYTES = 4 * 1024 * 1024

export async function copyTables(
  source: MoveSource,
  target: MoveTarget,
  onProgress: CopyProgress,
): Promise<CopyReport> {
  const report: CopyReport = { tables: [], replacedTexts: 0 }
  for (const table of copiedTables()) {
    const columns = source.columns(table)
    requireSameColumns(table, columns, await target.columns(table))
    const written = await copyRows({ source, target, onProgress, report }, table, columns)
    await requireSameRows(target, table, columns, written)
    const numbered = await target.numberedColumn(table)
    if (numbered !== undefined) await target.continueAfter(table, numbered, source.lastId(table, numbered))
    report.tables.push({ table, rows: written.digest.rows(), checksum: written.digest.text() })
  }
  return report
}

function requireSameColumns(table: string, of: readonly string[], there: readonly string[]): void {
  if (of.toSorted().join() === there.toSorted().join()) return
  throw new MaintenanceError(`${table}: the columns of the two databases differ`)
}

interface CopyParts {
  source: MoveSource
  target: MoveTarget
  onProgress: CopyProgress
  report: CopyReport
}

interface Written {
  digest: RowDigest
  largestRow: number
}

async function copyRows(parts: CopyParts, table: string, columns: readonly string[]): Promise<Written> {
  const { source, target, onProgress, report } = parts
  const digest = createRowDigest()
  const total = source.count(table)
  let [batch, bytes, largestRow]: [MovedRow[], number, number] = [[], 0, 0]
  const flush = async () => {
    if (batch.length > 0) await target.insert(table, columns, batch)
    ;[batch, bytes] = [[], 0]
    onProgress(table, digest.rows(), total)
  }
  for (const read of source.rows(table, columns)) {
    const { row, replaced } = withoutNul(read)
    report.replacedTexts += replaced
    digest.add(row)
    const size = sizeOfRow(row)
    largestRow = Math.max(largestRow, size)
    bytes += size
    batch.push(row)
    if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await flush()
  }
  await flush()
  return { digest, largestRow }
}

/** The copy is compared as it is stored, not as it was sent. */
async function requireSameRows(
  target: MoveTarget,
  table: string,
  columns: readonly string[],
  { digest, largestRow }: Written,
): Promise<void> {
  const rowsAtOnce = Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_BYTES / Math.max(1, largestRow))))
  const copied = createRowDigest()
  for await (const rows of target.read(table, columns, rowsAtOnce)) for (const row of rows) copied.add(row)
  if (copied.rows() !== digest.rows())
    throw new MaintenanceError(
      `${table}: ${digest.rows()} rows were copied, and ${copied.rows()} are there; nothing was changed`,
    )
  if (copied.text() !== digest.text())
    throw new MaintenanceError(`${table}: the checksum of the copy differs; nothing was changed`)
}

const NUL = '\0'

function withoutNul(row: MovedRow): { row: MovedRow; replaced: number } {
  let replaced = 0
  const clean = row.map((value) => {
    if (typeof value !== 'string' || !value.includes(NUL)) return value
    replaced += 1
    return value.replaceAll(NUL, '\ufffd')
  })
  return { row: clean, replaced }
}
