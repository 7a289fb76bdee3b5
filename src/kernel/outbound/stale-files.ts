// Removes temporary files that a killed process left.

import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { wallClock } from '../async/clock.ts'

/** `olderThanMs` must exceed the lifetime of any file in use: a newer file may belong to another running process. */
export async function removeStaleFiles(parent: string, olderThanMs: number, prefix = ''): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const path = join(parent, name)
    // Another process may remove its file between readdir and stat.
    const found = await stat(path).catch(() => undefined)
    if (found && wallClock() - found.mtimeMs > olderThanMs) await rm(path, { recursive: true, force: true })
  }
}
