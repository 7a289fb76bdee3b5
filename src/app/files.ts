// The file service: stores files of received messages and uploaded files, and fetches profile pictures.
import type { Logger } from 'pino'
import { startPictureWorker } from '../contacts/picture-worker.ts'
import { startMediaFetcher } from '../files/media-fetcher.ts'
import { createReceivedFiles, type ReceivedFiles } from '../files/received-files.ts'
import { startUploadSweep } from '../files/upload-sweep.ts'
import type { UploadedFiles } from '../files/uploaded-files.ts'
import type { LiveSessions } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { FileLocations } from './file-locations.ts'

export interface FileServiceParts {
  locations: FileLocations
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  uploads: UploadedFiles
  nodeId: number | undefined
  sessions: LiveSessions
}

export interface FileService {
  files: ReceivedFiles
  start(): void
  /** Stops fetching. Files can still be read. */
  stop(): Promise<void>
  close(): Promise<void>
}

export function createFileService(parts: FileServiceParts): FileService {
  const { store, vault, clock, logger, uploads, nodeId, sessions } = parts
  const { locations, close } = parts.locations
  const files = createReceivedFiles({ locations, store, vault, logger })
  let workers: { stop(): Promise<void> }[] = []
  return {
    files,
    start() {
      if (workers.length > 0) return
      workers = [
        startMediaFetcher({ store, clock, logger, nodeId, files, download: sessions.downloadMedia }),
        startPictureWorker({ store, vault, clock, logger, nodeId, sessions }),
        startUploadSweep({ store, clock, logger, uploads }),
      ]
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
    close,
  }
}
