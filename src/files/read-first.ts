// Reads a file from the first location that has it.
import type { FileStore } from './file-store.ts'

/** A location that cannot be reached matters only if no other one has the file. */
export async function readFirst(
  locations: readonly FileStore[],
  folderId: number,
  fileId: number,
): Promise<Uint8Array | null> {
  const failures: unknown[] = []
  for (const location of locations) {
    try {
      const sealed = await location.read(folderId, fileId)
      if (sealed !== null) return sealed
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return null
}
