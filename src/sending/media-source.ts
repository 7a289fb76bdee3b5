// The files of outgoing messages: downloaded through the outbound client, or uploaded before, and prepared for their kind. A file that
// is not available fails the message.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MEDIA_LIMIT_BYTES } from '../contract/media.ts'
import { IMAGE_TOO_LARGE, ImageTooLargeError } from '../files/media/images.ts'
import {
  AUDIO_TOO_LONG,
  AudioTooLongError,
  type MediaTools,
  NoStickerError,
  type PreparedKind,
} from '../files/media/media-tools.ts'
import { findUpload } from '../files/upload-queries.ts'
import { FileGoneError, type UploadedFiles } from '../files/uploaded-files.ts'
import type { MediaFile, Outbound } from '../kernel/outbound/client.ts'
import { createDownloadDirectory } from '../kernel/outbound/download-directory.ts'
import { createMediaCache, type FetchedFile, isFailure } from '../kernel/outbound/media-cache.ts'
import { checkMediaType, type FileKind } from '../kernel/outbound/media-type.ts'
import { type FileOrigin, type MediaSource, NetworkError } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import { MediaError, type MediaOf } from './send-one.ts'

/** Copies of uploaded files are kept for a moment, because the messages of a campaign share their file. */
const KEEP_MS = 60_000
const IDLE_BYTES = 512 * 1024 * 1024

export interface MediaSourceParts {
  outbound: Pick<Outbound, 'download'>
  uploads: Pick<UploadedFiles, 'read'>
  store: Pick<Store, 'db'>
  tools: Pick<MediaTools, 'prepare' | 'close'>
  /** The parent of the directory for copies of uploaded files. */
  directory: string
}

interface Wanted {
  accountId: number
  kind: FileKind
  mimetype: string | undefined
  signal: AbortSignal | undefined
}

interface OpenedFile extends MediaFile {
  fileName?: string | undefined
}

export function createMediaSource(parts: MediaSourceParts): { media: MediaOf; close(): Promise<void> } {
  const copies = createUploadCopies(parts)
  const open = (origin: FileOrigin, wanted: Wanted): Promise<OpenedFile> =>
    'url' in origin ? download(parts.outbound, origin.url, wanted) : copies.open(origin.mediaId, wanted)
  const sourceOf =
    (accountId: number): MediaSource =>
    async ({ origin, kind, mimetype, signal }) => {
      const file = await open(origin, { accountId, kind: kindOfFile(kind), mimetype, signal })
      try {
        const source = { ...file, accountId, isTypeGiven: mimetype !== undefined }
        const { stream, facts } = await parts.tools.prepare(kind, source, signal)
        const release = () => {
          stream.destroy()
          return file.release()
        }
        return { stream, facts: { ...facts, fileName: file.fileName }, release }
      } catch (error) {
        await file.release()
        throw mediaErrorOf(error)
      }
    }
  async function close() {
    parts.tools.close()
    await copies.close()
  }
  return { media: sourceOf, close }
}

/** A sticker is made of an image. */
const kindOfFile = (kind: PreparedKind): FileKind => (kind === 'sticker' ? 'image' : kind)

function mediaErrorOf(error: unknown): unknown {
  if (error instanceof ImageTooLargeError) return new MediaError('media_too_large', IMAGE_TOO_LARGE)
  if (error instanceof AudioTooLongError) return new MediaError('media_too_large', AUDIO_TOO_LONG)
  if (error instanceof NoStickerError)
    return new MediaError('media_unavailable', 'The image cannot be converted to a sticker.')
  return error
}

async function download(
  outbound: MediaSourceParts['outbound'],
  url: string,
  wanted: Wanted,
): Promise<OpenedFile> {
  const file = await outbound.download({ ...wanted, url })
  if ('failed' in file) throw new MediaError(file.failed, file.message)
  return file
}

/** Uploaded files, decrypted for the time of the send. */
function createUploadCopies({ uploads, store, directory }: MediaSourceParts) {
  const copies = createDownloadDirectory(directory)
  const cache = createMediaCache({ fetch: copyUpload, keepMs: KEEP_MS, idleBytes: IDLE_BYTES })

  /** `name` is the account and the id of the upload: the cache passes nothing else. */
  async function copyUpload(name: string): Promise<FetchedFile> {
    const [accountId = '', mediaId = ''] = name.split(' ')
    const row = await rowOf(Number(accountId), mediaId)
    const path = join(await copies.path(), randomUUID())
    const file = { accountId: row.account_id, uploadId: row.id }
    try {
      await pipeline(
        uploads.read(file, row.size_bytes),
        createWriteStream(path, { flags: 'wx', mode: 0o600 }),
      )
    } catch (error) {
      await rm(path, { force: true })
      throw error instanceof FileGoneError ? gone() : unreadable(error)
    }
    return { path, sizeBytes: row.size_bytes, contentType: row.mimetype, reusableMs: KEEP_MS }
  }
  async function rowOf(accountId: number, mediaId: string) {
    const row = await findUpload(store.db, accountId, mediaId)
    if (!row) throw gone()
    return row
  }
  return {
    async open(mediaId: string, { accountId, kind, mimetype }: Wanted): Promise<OpenedFile> {
      const { file_name: fileName } = await rowOf(accountId, mediaId)
      const limitBytes = MEDIA_LIMIT_BYTES[kind]
      const file = await cache.acquire({ accountId, href: `${accountId} ${mediaId}`, limitBytes })
      if (isFailure(file)) throw new MediaError(file.failed, file.message)
      const type = await checkMediaType(file.path, kind, { mimetype, contentType: file.contentType })
      if (!isFailure(type)) return { ...file, ...type, fileName: fileName ?? undefined }
      await file.release()
      throw new MediaError(type.failed, type.message)
    },
    async close() {
      cache.clear()
      await copies.remove()
    },
  }
}

const gone = (): MediaError =>
  new MediaError('media_unavailable', 'The uploaded file is no longer available.')

/** The location of the file cannot be reached: the message is tried again later. */
const unreadable = (cause: unknown): NetworkError =>
  new NetworkError('unavailable', 'the uploaded file cannot be read now', cause)
