// Fetches the files of received messages soon after they arrive, so that they are available while webhooks are being retried.
import type { Logger } from 'pino'
import { startWakeLoop } from '../kernel/async/wake-loop.ts'
import { NetworkError } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import {
  type DueFile,
  deleteFileRow,
  type FileOutcome,
  findFileRows,
  findLivingIds,
  listDueFiles,
  listOldFiles,
  settleFile,
} from './file-queries.ts'
import { afterFailedFetch, afterFailedWrite, MEDIA_KEPT_MS, STORE_PAUSE_MS } from './rules.ts'

/** Each file is held in memory while it is fetched. */
const AT_ONCE = 2
const SWEEP_SIZE = 500
/** How often stored files are compared with the database, besides at the start. */
const COMPARE_EVERY_MS = 60 * 60 * 1000
const SWEEP_RETRY_MS = 60_000

export interface MediaFetcherDeps {
  store: Store
  clock: () => number
  logger: Logger
  download(instanceId: number, reference: unknown): Promise<Uint8Array | null>
  files: KeptFiles
  /** This node, if several may use the database. */
  nodeId?: number | undefined
}

interface KeptFiles {
  put(instanceId: number, rowId: number, bytes: Uint8Array): Promise<void>
  remove(instanceId: number, rowId: number): Promise<void>
  forget(instanceIds: number[]): Promise<void>
  instanceIds(): Promise<number[]>
  rowIds(instanceId: number): Promise<number[]>
  removeInterrupted(instanceId: number): Promise<void>
}

export function startMediaFetcher(deps: MediaFetcherDeps): { wake(): void; stop(): Promise<void> } {
  const sweeps = [createSweep(deps, 0, removeOldFiles), createSweep(deps, COMPARE_EVERY_MS, removeOrphans)]
  let pausedUntil = 0
  return startWakeLoop({
    async poll() {
      for (const sweep of sweeps) await sweep()
      if (deps.clock() < pausedUntil) return 'all'
      const wanted = await listDueFiles(deps.store.db, deps.clock(), AT_ONCE, deps.nodeId)
      const isStored = await Promise.all(wanted.map((file) => fetchAndSettle(deps, file)))
      if (isStored.includes(false)) pausedUntil = deps.clock() + STORE_PAUSE_MS
      return wanted.length === AT_ONCE ? 'more' : 'all'
    },
    nextDueAt: async () => undefined,
    clock: deps.clock,
    onError: (err) => deps.logger.warn({ err }, 'media fetcher: could not fetch received files; retrying'),
  })
}

/** Runs `work` when it is due. If it fails it is repeated later; files are fetched meanwhile. */
function createSweep(
  deps: MediaFetcherDeps,
  everyMs: number,
  work: (deps: MediaFetcherDeps) => Promise<void>,
): () => Promise<void> {
  let dueAt = 0
  return async () => {
    if (deps.clock() < dueAt) return
    try {
      await work(deps)
      dueAt = deps.clock() + everyMs
    } catch (err) {
      deps.logger.warn({ err }, 'media fetcher: could not remove received files; retrying')
      dueAt = deps.clock() + SWEEP_RETRY_MS
    }
  }
}

/** False: the file could not be stored. */
async function fetchAndSettle(deps: MediaFetcherDeps, file: DueFile): Promise<boolean> {
  const fetched = await fetchFile(deps, file)
  const outcome = fetched instanceof Uint8Array ? await putFile(deps, file, fetched) : fetched
  const isSettled = await settleFile(deps.store.db, file.rowId, outcome)
  // The account was deleted during the download.
  if (!isSettled && outcome.status === 'kept') await deps.files.remove(file.instanceId, file.rowId)
  return outcome.status === 'kept' || outcome === fetched
}

async function fetchFile(deps: MediaFetcherDeps, file: DueFile): Promise<Uint8Array | FileOutcome> {
  const { instanceId, reference, tries } = file
  try {
    return (await deps.download(instanceId, JSON.parse(reference))) ?? { status: 'lost' }
  } catch (err) {
    const kind = err instanceof NetworkError ? err.kind : undefined
    const outcome = afterFailedFetch(kind, tries, deps.clock())
    const next = outcome.status === 'lost' ? 'giving up' : 'retrying'
    deps.logger.debug({ err, instanceId, tries }, `media fetcher: could not fetch a received file; ${next}`)
    return outcome
  }
}

async function putFile(deps: MediaFetcherDeps, file: DueFile, bytes: Uint8Array): Promise<FileOutcome> {
  const { rowId, instanceId, tries } = file
  try {
    await deps.files.put(instanceId, rowId, bytes)
    return { status: 'kept' }
  } catch (err) {
    deps.logger.warn({ err, instanceId }, 'media fetcher: could not store a received file; retrying')
    return afterFailedWrite(tries, deps.clock())
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
 * the file, or interrupted a write. The row of a file is older than the file, and never comes back: a file that another node
 * writes now has its row. Only this loop writes files to the data directory, so none of those is being written now.
 */
async function removeOrphans({ store, files }: MediaFetcherDeps): Promise<void> {
  const instanceIds = await files.instanceIds()
  const living = await findLivingIds(store.db, instanceIds)
  await files.forget(instanceIds.filter((id) => !living.has(id)))
  for (const instanceId of living) {
    const rowIds = await files.rowIds(instanceId)
    const known = await findFileRows(store.db, rowIds)
    for (const rowId of rowIds) if (!known.has(rowId)) await files.remove(instanceId, rowId)
    await files.removeInterrupted(instanceId)
  }
}
