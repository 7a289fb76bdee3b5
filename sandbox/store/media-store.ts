// The media store: encrypted uploads and profile pictures, in files named by their hash.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface MediaStore {
  readonly maxBytes: number
  /** Required for uploads. Clients get it over their encrypted connection. */
  readonly uploadToken: string
  /** Stores a stream without buffering it as a whole. A stream that fails leaves no file. */
  keep(bytes: Readable, kind: 'media' | 'picture'): Promise<{ file: string; sha256: Buffer }>
  /** Stores a stream of encrypted media. Undefined when its hash differs from the announced one. */
  receive(stream: Readable, sha256: Buffer): Promise<string | undefined>
  sizeOf(file: string): Promise<number | undefined>
  stream(file: string, start: number, end: number): ReadStream
  /** The media host no longer serves the file. Phones keep their copy. */
  expire(file: string): Promise<void>
  isExpired(file: string): Promise<boolean>
  /** Serves an expired file again. False when there is no such file. */
  restore(file: string): Promise<boolean>
  /** The path of a file on the media host. */
  pathOf(file: string): string
  fileAt(path: string): string
}

const MAX_BYTES = 128 * 1024 * 1024
const PATH_PREFIX = '/v/'
/** Clients append further parameters with `&`. */
const PATH_QUERY = '?ccb=11-4'
const FILE_NAME = /^[0-9a-f]{64}\.(enc|jpg)$/

export async function openMediaStore(directory: string, uploadToken: string): Promise<MediaStore> {
  await mkdir(directory, { recursive: true })
  await removeDrafts(directory)
  const location = (file: string) => {
    if (!FILE_NAME.test(file)) throw new Error('not a media file')
    return join(directory, file)
  }
  const expiryOf = (file: string) => `${location(file)}.expired`
  return {
    maxBytes: MAX_BYTES,
    uploadToken,
    keep: (bytes, kind) =>
      withDraft(directory, bytes, async (draft, sha256) => {
        const file = fileName(sha256, kind)
        await rename(draft, location(file))
        return { file, sha256 }
      }),
    receive: (stream, announced) =>
      withDraft(directory, stream, async (draft, sha256) => {
        if (!sha256.equals(announced)) return undefined
        const file = fileName(sha256, 'media')
        await rename(draft, location(file))
        return file
      }),
    sizeOf: (file) =>
      FILE_NAME.test(file)
        ? stat(location(file)).then(
            (found) => found.size,
            () => undefined,
          )
        : Promise.resolve(undefined),
    expire: (file) => writeFile(expiryOf(file), ''),
    isExpired: (file) =>
      stat(expiryOf(file)).then(
        () => true,
        () => false,
      ),
    async restore(file) {
      if (!FILE_NAME.test(file)) return false
      await rm(expiryOf(file), { force: true })
      return stat(location(file)).then(
        () => true,
        () => false,
      )
    },
    stream: (file, start, end) => createReadStream(location(file), { start, end }),
    pathOf: (file) => `${PATH_PREFIX}${file}${PATH_QUERY}`,
    fileAt: (path) => path.slice(path.lastIndexOf('/') + 1).split('?', 1)[0] as string,
  }
}

const DRAFT = '.part'
const DRAFT_NAME = /^[0-9a-f-]{36}\.part$/

/** Writes the stream to a draft file and removes the draft unless `use` renames it. */
async function withDraft<T>(
  directory: string,
  bytes: Readable,
  use: (draft: string, sha256: Buffer) => Promise<T>,
): Promise<T> {
  const draft = join(directory, `${randomUUID()}${DRAFT}`)
  const hash = createHash('sha256')
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(bytes, hashed, createWriteStream(draft))
    return await use(draft, hash.digest())
  } finally {
    await rm(draft, { force: true })
  }
}

/** A process that was killed during an upload leaves a draft. */
async function removeDrafts(directory: string): Promise<void> {
  const files = await readdir(directory)
  await Promise.all(
    files.filter((file) => DRAFT_NAME.test(file)).map((file) => rm(join(directory, file), { force: true })),
  )
}

function fileName(sha256: Buffer, kind: 'media' | 'picture'): string {
  return `${sha256.toString('hex')}.${kind === 'media' ? 'enc' : 'jpg'}`
}
