// Moves the data of a stopped gateway from SQLite to PostgreSQL. The old data stays as it is (decision 0137).
import { randomUUID } from 'node:crypto'
import { wallClock } from '../kernel/async/clock.ts'
import { readFact, withMoveTarget } from '../store/engines/postgres/move-target.ts'
import { openMoveSource, type SqliteMoveSource } from '../store/engines/sqlite/move-source.ts'
import {
  type MovedMark,
  movedText,
  readMovedMark,
  removeMovedMark,
  writeMovedMark,
} from '../store/engines/sqlite/moved-mark.ts'
import { MaintenanceError } from '../store/maintenance.ts'
import { type CopyProgress, type CopyReport, copyTables } from '../store/move/copy-tables.ts'

/** A fact of the new database: which move has filled it. */
const MOVE_FACT = 'moved_from_sqlite'

export type MoveReport =
  | ({ outcome: 'moved' } & CopyReport)
  /** An earlier run has committed the copy, and was interrupted before it could say so. */
  | { outcome: 'moved_before' }

export async function moveToPostgres(
  directory: string,
  url: string,
  onProgress: CopyProgress,
): Promise<MoveReport> {
  const source = await openMoveSource(directory)
  try {
    if (await completeEarlierMove(directory, url)) return { outcome: 'moved_before' }
    requireCurrentSchema(source)
    return { outcome: 'moved', ...(await move(source, directory, url, onProgress)) }
  } finally {
    source.close()
  }
}

/** True: the mark of an interrupted run belongs to a copy that was committed. */
async function completeEarlierMove(directory: string, url: string): Promise<boolean> {
  const mark = await readMovedMark(directory)
  if (!mark) return false
  if (mark.isComplete || mark.to !== nameOf(url)) throw new MaintenanceError(movedText(directory, mark))
  if ((await readFact(url, MOVE_FACT)) !== mark.id) return false
  await writeMovedMark(directory, { ...mark, isComplete: true })
  return true
}

function requireCurrentSchema({ schema }: SqliteMoveSource): void {
  const [first] = schema.pending
  if (first)
    throw new MaintenanceError(
      `the data has an older schema than this program (migration ${first.version} is pending): run migrate first, without --to`,
    )
}

async function move(
  source: SqliteMoveSource,
  directory: string,
  url: string,
  onProgress: CopyProgress,
): Promise<CopyReport> {
  const mark: MovedMark = {
    id: randomUUID(),
    at: new Date(wallClock()).toISOString(),
    to: nameOf(url),
    isComplete: false,
  }
  const report = await withMoveTarget(url, async (target) => {
    const copied = await copyTables(source, target, onProgress)
    await target.setFact(MOVE_FACT, mark.id)
    // Before the commit, so that at no moment a server could start on both.
    await writeMovedMark(directory, mark)
    await commitOrUnmark(target, directory)
    return copied
  })
  await writeMovedMark(directory, { ...mark, isComplete: true })
  return report
}

/** Whether a commit took place is unknown when its connection breaks. The mark then stays, and the next run finds out. */
async function commitOrUnmark(target: { commit(): Promise<void> }, directory: string): Promise<void> {
  try {
    await target.commit()
  } catch (error) {
    if (isRefusal(error)) await removeMovedMark(directory)
    throw error
  }
}

/** The server itself has answered that the transaction failed. */
const isRefusal = (error: unknown): boolean => /^(23|40)/.test(String((error as { code?: unknown }).code))

/** Host and database of a URL, without what is secret in it. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
