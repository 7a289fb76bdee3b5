// The file service: stores files of received messages in the data directory, and fetches profile pictures.
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from '../config.ts'
import { createReceivedFiles, type ReceivedFiles } from '../data-dir/received-files.ts'
import type { LiveSessions } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { startMediaFetcher } from '../workers/media-fetcher.ts'
import { startPictureWorker } from '../workers/picture-worker.ts'

export interface FileServiceDeps {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
}

export function createFileService(
  settings: Pick<Settings, 'DATA_DIR'>,
  parts: FileServiceDeps,
  sessions: LiveSessions,
): { files: ReceivedFiles; start(): void; stop(): Promise<void> } {
  const directory = join(settings.DATA_DIR, 'media', 'received')
  const files = createReceivedFiles({ ...parts, directory })
  let workers: { stop(): Promise<void> }[] = []
  return {
    files,
    start() {
      if (workers.length > 0) return
      workers = [
        startMediaFetcher({ ...parts, files, download: sessions.downloadMedia }),
        startPictureWorker({ ...parts, sessions }),
      ]
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}
