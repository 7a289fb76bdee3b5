// The directory for this process's downloads: created with the first download and removed at the end. Directories left by a
// crashed process are removed too.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeStaleFiles } from './stale-files.ts'

export interface DownloadDirectory {
  path(): Promise<string>
  remove(): Promise<void>
}

const PREFIX = 'downloads-'
/** Longer than any download exists. A newer directory may belong to another running process. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1000

export function createDownloadDirectory(parent: string): DownloadDirectory {
  let made: Promise<string> | undefined
  const make = async () => {
    await mkdir(parent, { recursive: true })
    await removeStaleFiles(parent, STALE_AFTER_MS, PREFIX)
    return mkdtemp(join(parent, PREFIX))
  }
  return {
    path() {
      made ??= make().catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    async remove() {
      if (made) await rm(await made, { recursive: true, force: true })
    },
  }
}
