// Reads a file of a received message as a whole, for tests with small files.
import type { ReceivedFiles } from '../../src/files/received-files.ts'

export async function wholeFile(
  files: Pick<ReceivedFiles, 'open'>,
  instanceId: number,
  rowId: number,
): Promise<Buffer | null> {
  const opened = await files.open(instanceId, rowId)
  return opened && Buffer.concat(await Array.fromAsync(opened.chunks()))
}
