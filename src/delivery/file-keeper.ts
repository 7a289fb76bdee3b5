// Fetches the files of received messages soon after they arrive, so that they are there while webhooks are still being tried.
import type { Logger } from 'pino'
import { NetworkError } from '../network/network.ts'
import {
  type FileOutcome,
  listOldFiles,
  listWantedFiles,
  removeFileRow,
  settleFile,
  type WantedFile,
} from '../store/queries/received-files.ts'
import type { Store } from '../store/store.ts'
import { startWakeLoop } from './wake-loop.ts'

/** Each is in memory while it is fetched. */
const AT_ONCE = 2
const DAY_MS = 24 * 60 * 60 * 1000
/** Longer than the tries of a delivery can last. */
export const FILES_KEPT_MS = 14 * DAY_MS
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 60 * 60 * 1000
const MAX_TRIES = 12
const SWEEP_SIZE = 500

export interface FileKeeperDeps {
  store: Store
  clock: () => number
  logger: Logger
  download(instanceId: number, reference: unknown): Promise<Uint8Array | null>
  files: {
    put(instanceId: number, rowId: number, bytes: Uint8Array): Promise<void>
    remove(instanceId: number, rowId: number): Promise<void>
  }
}

export function startFileKeeper(deps: FileKeeperDeps): { wake(): void; stop(): Promise<void> } {
  return startWakeLoop({
    async look() {
      await sweep(deps)
      const wanted = await listWantedFiles(deps.store.db, deps.clock(), AT_ONCE)
      await Promise.all(wanted.map((file) => keep(deps, file)))
      return wanted.length === AT_ONCE ? 'more' : 'all'
    },
    nextDueAt: async () => undefined,
    clock: deps.clock,
    onError: (err) => deps.logger.warn({ err }, 'files of received messages cannot be kept right now'),
  })
}

async function keep(deps: FileKeeperDeps, file: WantedFile): Promise<void> {
  await settleFile(deps.store.db, file.rowId, await fetchFile(deps, file))
}

async function fetchFile(deps: FileKeeperDeps, file: WantedFile): Promise<FileOutcome> {
  const { rowId, instanceId, reference, tries } = file
  try {
    const bytes = await deps.download(instanceId, JSON.parse(reference))
    if (bytes === null) return { status: 'lost' }
    await deps.files.put(instanceId, rowId, bytes)
    return { status: 'kept' }
  } catch (err) {
    const isAway = err instanceof NetworkError && err.kind !== 'timeout'
    const next = isAway ? tries : tries + 1
    deps.logger.debug({ err, instanceId, tries: next }, 'a file could not be fetched')
    if (next >= MAX_TRIES) return { status: 'lost' }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** next)
    return { status: 'wanted', dueAt: deps.clock() + pauseMs, tries: next }
  }
}

/** The file before its row: a row without a file is harmless, a file without a row would stay for ever. */
async function sweep({ store, clock, files }: FileKeeperDeps): Promise<void> {
  for (const { instanceId, rowId } of await listOldFiles(store.db, clock() - FILES_KEPT_MS, SWEEP_SIZE)) {
    await files.remove(instanceId, rowId)
    await removeFileRow(store.db, rowId)
  }
}
