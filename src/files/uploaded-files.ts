// Uploaded files: written and read as a stream, in parts that are encrypted with the key of their account. No more than a few parts of
// a file are in memory at a time.
import { createHash } from 'node:crypto'
import { detectType } from '../kernel/outbound/media-type.ts'
import type { Store } from '../store/store.ts'
import { accountScope, type Box, type Vault } from '../store/vault.ts'
import type { FileStore } from './file-store.ts'

/** Larger parts are slower to return to the system: an upload of 100 MB would then add more than 20 MB of memory (bench/upload.ts). */
const PART_BYTES = 256 * 1024

export interface UploadKey {
  accountId: number
  uploadId: number
}

export interface WrittenUpload {
  sizeBytes: number
  /** In hex. */
  sha256: string
}

export interface UploadedFiles {
  /** Reads the source to its end. `check` gets the type that the first bytes show, before anything is stored; what it throws ends the upload. */
  write(
    file: UploadKey,
    source: AsyncIterable<Uint8Array>,
    check: (detected: string | undefined) => void,
  ): Promise<WrittenUpload>
  /** Throws `FileGoneError` if a part is missing. */
  read(file: UploadKey, sizeBytes: number): AsyncGenerator<Uint8Array>
  remove(uploadId: number): Promise<void>
  /** The uploads that may have parts. */
  uploadIds(): Promise<number[]>
}

export interface UploadedFilesParts {
  /** New files go to the first one. */
  locations: readonly [FileStore, ...FileStore[]]
  store: Pick<Store, 'db'>
  vault: Vault
}

/** The file was removed, or its account was deleted together with its key. */
export class FileGoneError extends Error {}

export function createUploadedFiles({ locations, store, vault }: UploadedFilesParts): UploadedFiles {
  const boxOf = ({ accountId }: UploadKey): Promise<Box> => vault.box(store.db, accountScope(accountId))
  return {
    async write(file, source, check) {
      const box = await boxOf(file)
      const hash = createHash('sha256')
      let sizeBytes = 0
      let part = 0
      for await (const plain of partsOf(source)) {
        if (part === 0) check(await detectType(plain))
        part += 1
        sizeBytes += plain.length
        hash.update(plain)
        await locations[0].write(file.uploadId, part, box.seal(cellOf(file, part), plain))
      }
      return { sizeBytes, sha256: hash.digest('hex') }
    },
    async *read(file, sizeBytes) {
      const box = await boxOf(file)
      for (let part = 1; (part - 1) * PART_BYTES < sizeBytes; part += 1) {
        const sealed = await readFirst(locations, file.uploadId, part)
        if (sealed === null) throw new FileGoneError(`part ${part} of upload ${file.uploadId} is missing`)
        yield opened(box, file, part, sealed)
      }
    },
    async remove(uploadId) {
      for (const location of locations) await location.removeFolder(uploadId)
    },
    uploadIds: async () => [
      ...new Set((await Promise.all(locations.map((location) => location.folderIds()))).flat()),
    ],
  }
}

const cellOf = ({ uploadId }: UploadKey, part: number) => ({
  table: 'media_uploads',
  column: 'file',
  row: `${uploadId}/${part}`,
})

function opened(box: Box, file: UploadKey, part: number, sealed: Uint8Array): Uint8Array {
  try {
    return box.unseal(cellOf(file, part), sealed)
  } catch (cause) {
    throw new FileGoneError(`part ${part} of upload ${file.uploadId} cannot be opened`, { cause })
  }
}

/** Joins and splits chunks of any size into parts. */
async function* partsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(PART_BYTES)
  let filled = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const some = chunk.subarray(at, at + PART_BYTES - filled)
      buffer.set(some, filled)
      filled += some.length
      at += some.length
      if (filled < PART_BYTES) continue
      yield buffer
      // The same memory again: the part has been encrypted into a copy.
      filled = 0
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}

// Reads a file from the first location that has it.

/** A location that cannot be reached matters only if no other one has the file. */
async function readFirst(
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
