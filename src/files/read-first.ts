// Reads a file from the first place that has it.
import type { FileStore } from './file-store.ts'

/** A place that cannot be reached matters only if no other one has the file. */
export async function readFirst(
  places: readonly FileStore[],
  folderId: number,
  fileId: number,
): Promise<Uint8Array | null> {
  const failures: unknown[] = []
  for (const place of places) {
    try {
      const sealed = await place.read(folderId, fileId)
      if (sealed !== null) return sealed
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return null
}
