// The mark of a data directory whose data was moved to PostgreSQL. A server that starts on the old data would use keys of the
// sessions that the new one has used since then, so that contacts could not read its messages (decision 0137).
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../../../kernel/store-error.ts'
import { syncPath } from '../../backup-file.ts'

export const MOVED_FILE = 'moved-to-postgres'

export interface MovedMark {
  /** The same as in the database that the data was moved to. */
  id: string
  /** When, in ISO form. */
  at: string
  /** Host and database, without user and password. */
  to: string
  /** False: the copy was about to be committed. */
  isComplete: boolean
}

export async function readMovedMark(directory: string): Promise<MovedMark | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, MOVED_FILE), 'utf8')) as MovedMark
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StoreError('failed', `${join(directory, MOVED_FILE)} cannot be read`, error)
  }
}

/** Complete or absent, and on the disk when the promise resolves. */
export async function writeMovedMark(directory: string, mark: MovedMark): Promise<void> {
  const draft = join(directory, `${MOVED_FILE}.partial`)
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(mark, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(directory, MOVED_FILE))
  await syncPath(directory)
}

export const removeMovedMark = (directory: string): Promise<void> => rm(join(directory, MOVED_FILE))

export async function refuseMovedDirectory(directory: string): Promise<void> {
  const mark = await readMovedMark(directory)
  if (mark) throw new StoreError('failed', movedText(directory, mark))
}

export const movedText = (directory: string, { at, to, isComplete }: MovedMark): string =>
  isComplete
    ? `the data of ${directory} was moved to ${to} at ${at} and must not be used any more: set DATABASE_URL to that database. ` +
      `If no server has ever run on it, you can remove ${join(directory, MOVED_FILE)} and go back`
    : `a move of ${directory} to ${to} was interrupted at its end: run the same migrate --to again, which completes it`
