// The directory of this process's downloads: made at the first one, gone at the end, and swept of what a crash left behind.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sweepLeftBehind } from './left-behind.ts'

export interface DownloadDirectory {
  path(): Promise<string>
  remove(): Promise<void>
}

const PREFIX = 'downloads-'
/** Longer than any download lives; a younger one may belong to another process that shares the parent. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000

export function createDownloadDirectory(parent: string): DownloadDirectory {
  let made: Promise<string> | undefined
  const make = async () => {
    await mkdir(parent, { recursive: true })
    await sweepLeftBehind(parent, LEFT_BEHIND_MS, PREFIX)
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
