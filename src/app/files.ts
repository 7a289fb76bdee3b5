// The file service: stores files of received messages and uploaded files, and fetches profile pictures.
import type { Logger } from 'pino'
import { createReceivedFiles, type ReceivedFiles } from '../files/received-files.ts'
import type { UploadedFiles } from '../files/uploaded-files.ts'
import type { LiveSessions } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { startMediaFetcher } from '../workers/media-fetcher.ts'
import { startPictureWorker } from '../workers/picture-worker.ts'
import { startUploadSweep } from '../workers/upload-sweep.ts'
import type { FilePlaces } from './file-places.ts'

export interface FileServiceDeps {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  uploads: UploadedFiles
  nodeId?: number | undefined
}

export interface FileService {
  files: ReceivedFiles
  start(): void
  /** Stops fetching. Files can still be read. */
  stop(): Promise<void>
  close(): Promise<void>
}

export function createFileService(
  { places, close }: FilePlaces,
  parts: FileServiceDeps,
  sessions: LiveSessions,
): FileService {
  const files = createReceivedFiles({ ...parts, places })
  let workers: { stop(): Promise<void> }[] = []
  return {
    files,
    start() {
      if (workers.length > 0) return
      workers = [
        startMediaFetcher({ ...parts, files, download: sessions.downloadMedia }),
        startPictureWorker({ ...parts, sessions }),
        startUploadSweep(parts),
      ]
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
    close,
  }
}
