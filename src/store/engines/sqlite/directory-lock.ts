// One server per data directory. The operating system releases the lock when the process ends, even after a crash.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../kernel/store-error.ts'

/** Locks a separate file exclusively through SQLite, because Node has no flock. Returns the function that unlocks it. */
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
