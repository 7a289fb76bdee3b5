// Removes uploaded files that have expired, files of sends with approval that have ended, and what a crash or a deleted account has left of
// others.
import type { Logger } from 'pino'
import { startWakeLoop } from '../kernel/async/wake-loop.ts'
import type { Store } from '../store/store.ts'
import { deleteUploadRow, findUploadRows, listEndedUploads, listReleasedUploads } from './upload-queries.ts'

const SWEEP_SIZE = 100
/** How often expired uploads are removed. */
const SWEEP_EVERY_MS = 60_000
/** How often stored files are compared with the database, besides at the start. */
const COMPARE_EVERY_MS = 60 * 60 * 1000

export interface UploadSweepDeps {
  store: Pick<Store, 'db'>
  clock: () => number
  logger: Pick<Logger, 'warn'>
  uploads: { remove(uploadId: number): Promise<void>; uploadIds(): Promise<number[]> }
}

export function startUploadSweep(deps: UploadSweepDeps): { stop(): Promise<void> } {
  let sweepAt = 0
  let compareAt = 0
  return startWakeLoop({
    async poll() {
      const now = deps.clock()
      if (now < sweepAt) return 'nothing'
      sweepAt = now + SWEEP_EVERY_MS
      const found = await removeEndedUploads(deps)
      if (now >= compareAt) {
        await removeOrphanedUploads(deps)
        compareAt = now + COMPARE_EVERY_MS
      }
      if (found === SWEEP_SIZE) sweepAt = now
      return found === SWEEP_SIZE ? 'more' : 'all'
    },
    nextDueAt: async () => sweepAt,
    clock: deps.clock,
    onError: (err) => deps.logger.warn({ err }, 'upload sweep: could not remove uploaded files; retrying'),
  })
}

/** The file goes before its row: what fails is found again by its row. */
export async function removeEndedUploads({ store, clock, uploads }: UploadSweepDeps): Promise<number> {
  const ended = await listEndedUploads(store.db, clock(), SWEEP_SIZE)
  const released = await listReleasedUploads(store.db, SWEEP_SIZE - ended.length)
  const ids = new Set([...ended, ...released])
  for (const id of ids) {
    await uploads.remove(id)
    await deleteUploadRow(store.db, id)
  }
  return ended.length + released.length
}

/** The row of an upload is older than its file and its number is never used again: a file without a row is a leftover. */
export async function removeOrphanedUploads({ store, uploads }: UploadSweepDeps): Promise<void> {
  const ids = await uploads.uploadIds()
  const known = await findUploadRows(store.db, ids)
  for (const id of ids) if (!known.has(id)) await uploads.remove(id)
}
