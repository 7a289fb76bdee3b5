// Builds what keeps the files of received messages: the shelf in the data directory, and the one who fills it.
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from './config.ts'
import { startFileKeeper } from './delivery/file-keeper.ts'
import { createFileShelf, type FileShelf } from './file-shelf.ts'
import type { LiveSessions } from './network/network.ts'
import type { Store } from './store/store.ts'
import type { Vault } from './store/vault.ts'

export interface FileParts {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
}

export function attachFiles(
  settings: Pick<Settings, 'DATA_DIR'>,
  parts: FileParts,
  sessions: LiveSessions,
): { files: FileShelf; stop(): Promise<void> } {
  const directory = join(settings.DATA_DIR, 'media', 'received')
  const files = createFileShelf({ ...parts, directory })
  const keeper = startFileKeeper({ ...parts, files, download: sessions.downloadMedia })
  return { files, stop: keeper.stop }
}
