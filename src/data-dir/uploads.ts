// The directory for files while they are encrypted and uploaded. By default the library uses the system's directory for
// temporary files, which is often in memory, and files stay there when the process is killed.
import { join } from 'node:path'
import { removeStaleFiles } from '../kernel/outbound/stale-files.ts'
import { prepareDirectory } from './secrets.ts'

/** Longer than any upload takes. */
const LEFT_BEHIND_MS = 60 * 60 * 1000

export async function prepareUploadDirectory(dataDirectory: string): Promise<string> {
  const directory = join(dataDirectory, 'media', 'uploads')
  await prepareDirectory(directory)
  await removeStaleFiles(directory, LEFT_BEHIND_MS)
  return directory
}
