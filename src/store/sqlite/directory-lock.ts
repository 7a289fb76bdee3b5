// One server per data directory: a lock that the operating system frees when the process ends, however it ends.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store-error.ts'

/** Holds an exclusive SQLite lock on a file of its own, because Node has no flock. */
export function lockDirectory(directory: string): () => void {
  const db = new DatabaseSync(join(directory, 'server.lock'), { timeout: 0 })
  try {
    db.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (cause) {
    db.close()
    throw new StoreError(
      'unavailable',
      `another Switchboard server is running on the data directory ${directory}; stop it or set DATA_DIR`,
      cause,
    )
  }
  return () => db.close()
}
