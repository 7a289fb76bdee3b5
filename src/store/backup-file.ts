// Backup files: complete or absent, never overwriting another file, readable by their owner only.
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MaintenanceError } from './maintenance.ts'

const HEADERS = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' } as const

/**
 * Reserves the name, writes to a file beside it, and renames that file when it is on the disk. A backup that was interrupted leaves
 * an empty file under the name, which a restore refuses.
 */
export async function writeBackupFile(
  file: string,
  write: (partial: string) => Promise<unknown>,
): Promise<void> {
  const partial = `${file}.partial`
  await createEmpty(file)
  try {
    await createEmpty(partial)
    try {
      await write(partial)
      await syncPath(partial)
      await rename(partial, file)
    } catch (error) {
      await rm(partial, { force: true })
      throw error
    }
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  await syncPath(dirname(file))
}

async function createEmpty(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'EEXIST'
        ? 'the file exists, and a backup never overwrites a file'
        : `the file cannot be created (${code})`
    throw new MaintenanceError(`${file}: ${why}`, error)
  }
}

/** Makes a file or a directory entry survive a power failure. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Refuses a file that is not a backup of this engine, before anything is changed. */
export async function requireBackupOf(engine: keyof typeof HEADERS, file: string): Promise<void> {
  const found = await readHeader(file)
  if (found.startsWith(HEADERS[engine])) return
  const other = Object.entries(HEADERS).find(([, header]) => found.startsWith(header))?.[0]
  if (other === undefined) throw new MaintenanceError(`${file}: not a backup`)
  throw new MaintenanceError(
    other === 'postgres'
      ? `${file}: a backup of PostgreSQL; set DATABASE_URL to the database to restore it into`
      : `${file}: a backup of SQLite; restore it with DATABASE_URL unset`,
  )
}

async function readHeader(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
      return buffer.toString('latin1', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new MaintenanceError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`, error)
  }
}
