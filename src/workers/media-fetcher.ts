// Fetches the files of received messages soon after they arrive, so that they are available while webhooks are being retried.
import type { Logger } from 'pino'
import { startWakeLoop } from '../async/wake-loop.ts'
import { NetworkError } from '../network/network.ts'
import { afterFailedFetch, MEDIA_KEPT_MS } from '../rules/media-fetch.ts'
import {
  type DueFile,
  deleteFileRow,
  type FileOutcome,
  findFileRows,
  findLivingIds,
  listDueFiles,
  listOldFiles,
  settleFile,
} from '../store/queries/received-files.ts'
import type { Store } from '../store/store.ts'

/** Each file is held in memory while it is fetched. */
const AT_ONCE = 2
const SWEEP_SIZE = 500
/** How often folders are compared with the store, besides at the start. */
const COMPARE_EVERY_MS = 60 * 60 * 1000

export interface MediaFetcherDeps {
  store: Store
  clock: () => number
  logger: Logger
  download(instanceId: number, reference: unknown): Promise<Uint8Array | null>
  files: KeptFiles
}

interface KeptFiles {
  put(instanceId: number, rowId: number, bytes: Uint8Array): Promise<void>
  remove(instanceId: number, rowId: number): Promise<void>
  forget(instanceIds: number[]): Promise<void>
  instanceIds(): Promise<number[]>
  contents(instanceId: number): Promise<{ rowIds: number[]; leftovers: string[] }>
  removeLeftover(instanceId: number, name: string): Promise<void>
}

export function startMediaFetcher(deps: MediaFetcherDeps): { wake(): void; stop(): Promise<void> } {
  let compareAt = 0
  return startWakeLoop({
    async poll() {
      await removeOldFiles(deps)
      if (deps.clock() >= compareAt) {
        await removeOrphans(deps)
        compareAt = deps.clock() + COMPARE_EVERY_MS
      }
      const wanted = await listDueFiles(deps.store.db, deps.clock(), AT_ONCE)
      await Promise.all(wanted.map((file) => fetchAndSettle(deps, file)))
      return wanted.length === AT_ONCE ? 'more' : 'all'
    },
    nextDueAt: async () => undefined,
    clock: deps.clock,
    onError: (err) => deps.logger.warn({ err }, 'media fetcher: could not fetch received files; retrying'),
  })
}

async function fetchAndSettle(deps: MediaFetcherDeps, file: DueFile): Promise<void> {
  const isSettled = await settleFile(deps.store.db, file.rowId, await fetchFile(deps, file))
  // The account was deleted during the download.
  if (!isSettled) await deps.files.remove(file.instanceId, file.rowId)
}

async function fetchFile(deps: MediaFetcherDeps, file: DueFile): Promise<FileOutcome> {
  const { rowId, instanceId, reference, tries } = file
  try {
    const bytes = await deps.download(instanceId, JSON.parse(reference))
    if (bytes === null) return { status: 'lost' }
    await deps.files.put(instanceId, rowId, bytes)
    return { status: 'kept' }
  } catch (err) {
    const kind = err instanceof NetworkError ? err.kind : undefined
    const outcome = afterFailedFetch(kind, tries, deps.clock())
    const next = outcome.status === 'lost' ? 'giving up' : 'retrying'
    deps.logger.debug({ err, instanceId, tries }, `media fetcher: could not fetch a received file; ${next}`)
    return outcome
  }
}

/** Removes the file before its row: a row without a file is harmless, a file without a row would stay until the next comparison. */
async function removeOldFiles({ store, clock, files }: MediaFetcherDeps): Promise<void> {
  for (const { instanceId, rowId } of await listOldFiles(store.db, clock() - MEDIA_KEPT_MS, SWEEP_SIZE)) {
    await files.remove(instanceId, rowId)
    await deleteFileRow(store.db, rowId)
  }
}

/**
 * Removes files whose instance or row no longer exists: a crash came between the commit that deleted the row and the removal of
 * the file, or interrupted a write. Only this loop writes files, so none of them is being written now.
 */
async function removeOrphans({ store, files }: MediaFetcherDeps): Promise<void> {
  const instanceIds = await files.instanceIds()
  const living = await findLivingIds(store.db, instanceIds)
  await files.forget(instanceIds.filter((id) => !living.has(id)))
  for (const instanceId of living) {
    const { rowIds, leftovers } = await files.contents(instanceId)
    const known = await findFileRows(store.db, rowIds)
    for (const rowId of rowIds) if (!known.has(rowId)) await files.remove(instanceId, rowId)
    for (const name of leftovers) await files.removeLeftover(instanceId, name)
  }
}
