/** The media store: encrypted uploads and profile pictures, as files named by the hash of their bytes. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export type MediaStore = {
  readonly maxBytes: number
  /** Uploads must show it; clients learn it over their encrypted connection. */
  readonly uploadToken: string
  /** Keeps the bytes and returns the name of the file. */
  save(bytes: Uint8Array, kind: 'media' | 'picture'): Promise<string>
  /** Keeps a stream of encrypted media; its hash must be the one announced. */
  receive(stream: Readable, sha256: Buffer): Promise<string | undefined>
  read(file: string): Promise<Buffer>
  sizeOf(file: string): Promise<number | undefined>
  stream(file: string, start: number, end: number): ReadStream
  /** Where clients find a file on the media host. */
  pathOf(file: string): string
  fileAt(path: string): string
}

const MAX_BYTES = 128 * 1024 * 1024
const PATH_PREFIX = '/v/'
const FILE_NAME = /^[0-9a-f]{64}\.(enc|jpg)$/

export async function openMediaStore(directory: string, uploadToken: string): Promise<MediaStore> {
  await mkdir(directory, { recursive: true })
  const location = (file: string) => {
    if (!FILE_NAME.test(file)) throw new Error('not a media file')
    return join(directory, file)
  }
  return {
    maxBytes: MAX_BYTES,
    uploadToken,
    async save(bytes, kind) {
      const file = fileName(createHash('sha256').update(bytes).digest(), kind)
      await writeFile(location(file), bytes)
      return file
    },
    async receive(stream, sha256) {
      const hash = createHash('sha256')
      const draft = join(directory, `${randomUUID()}.part`)
      stream.on('data', (chunk: Buffer) => hash.update(chunk))
      await pipeline(stream, createWriteStream(draft))
      if (!hash.digest().equals(sha256)) {
        await rm(draft)
        return undefined
      }
      const file = fileName(sha256, 'media')
      await rename(draft, location(file))
      return file
    },
    read: (file) => readFile(location(file)),
    sizeOf: (file) =>
      FILE_NAME.test(file)
        ? stat(location(file)).then(
            (found) => found.size,
            () => undefined,
          )
        : Promise.resolve(undefined),
    stream: (file, start, end) => createReadStream(location(file), { start, end }),
    pathOf: (file) => PATH_PREFIX + file,
    fileAt: (path) => path.slice(path.lastIndexOf('/') + 1),
  }
}

function fileName(sha256: Buffer, kind: 'media' | 'picture'): string {
  return `${sha256.toString('hex')}.${kind === 'media' ? 'enc' : 'jpg'}`
}
