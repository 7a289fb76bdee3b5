// What a killed process leaves in a directory that is made for a while only.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes what is older than anything that is still in use can be; what is younger may be another process's. */
export async function sweepLeftBehind(parent: string, olderThanMs: number, prefix = ''): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const path = join(parent, name)
    // Gone meanwhile: whoever made it has taken it away.
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > olderThanMs) await rm(path, { recursive: true, force: true })
  }
}
