// Where files lie while they are encrypted and uploaded. The library puts them into the system's directory for temporary files
// and takes them away itself, unless the process is killed: then nobody would, and that directory is often memory.
import { join } from 'node:path'
import { prepareDirectory } from './key-files.ts'
import { sweepLeftBehind } from './outbound/left-behind.ts'

/** No upload takes that long. */
const LEFT_BEHIND_MS = 60 * 60 * 1000

export async function prepareUploadDirectory(dataDirectory: string): Promise<string> {
  const directory = join(dataDirectory, 'media', 'uploads')
  await prepareDirectory(directory)
  await sweepLeftBehind(directory, LEFT_BEHIND_MS)
  return directory
}
