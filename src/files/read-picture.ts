// Pictures that a request names: downloaded through the outbound client, or uploaded before, and converted to what the network takes. A
// picture that cannot be used refuses the request, before anything else is done.
import { readFile } from 'node:fs/promises'
import type { PictureOrigin, ReadPicture } from '../context.ts'
import { GROUP_PICTURE_BYTES } from '../contract/media-limits.ts'
import { GatewayError, invalidField } from '../errors.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import type { Store } from '../store/store.ts'
import { IMAGE_TOO_LARGE, type Images, ImageTooLargeError } from './media/images.ts'
import { imageType } from './rules.ts'
import { findUpload } from './upload-queries.ts'
import { FileGoneError, type UploadedFiles } from './uploaded-files.ts'

export interface PictureParts {
  outbound: Pick<Outbound, 'download'>
  uploads: Pick<UploadedFiles, 'read'>
  store: Pick<Store, 'db'>
  images: Pick<Images, 'toProfilePicture'>
  clock: () => number
}

const MB = 1024 * 1024

export const createReadPicture =
  (parts: PictureParts): ReadPicture =>
  async (accountId, origin, path) => {
    const bytes = await bytesOf(parts, accountId, origin, path)
    const type = imageType(bytes)
    if (type !== 'image/jpeg' && type !== 'image/png')
      throw invalidField(path, 'expected a JPEG or PNG image')
    return parts.images.toProfilePicture(accountId, bytes).catch((error: unknown) => {
      const isTooLarge = error instanceof ImageTooLargeError
      throw invalidField(path, isTooLarge ? IMAGE_TOO_LARGE : 'the image cannot be read')
    })
  }

function bytesOf(parts: PictureParts, accountId: number, origin: PictureOrigin, path: string) {
  if ('bytes' in origin) return origin.bytes
  return 'url' in origin
    ? downloaded(parts, accountId, origin.url, path)
    : uploaded(parts, accountId, origin.mediaId, path)
}

async function downloaded({ outbound }: PictureParts, accountId: number, url: string, path: string) {
  const file = await outbound.download({
    accountId,
    kind: 'image',
    url,
    mimetype: undefined,
    signal: undefined,
  })
  if ('failed' in file) throw invalidField(path, file.message)
  try {
    requireSize(file.sizeBytes, path)
    return await readFile(file.path)
  } finally {
    await file.release()
  }
}

async function uploaded(
  { store, uploads, clock }: PictureParts,
  accountId: number,
  mediaId: string,
  path: string,
) {
  const row = await findUpload(store.db, accountId, mediaId)
  if (!row || row.expires_at <= clock()) throw notFound(path)
  requireSize(row.size_bytes, path)
  try {
    const parts = await Array.fromAsync(
      uploads.read({ accountId: row.account_id, uploadId: row.id }, row.size_bytes),
    )
    return Buffer.concat(parts)
  } catch (error) {
    throw error instanceof FileGoneError ? notFound(path) : error
  }
}

const notFound = (path: string): GatewayError =>
  new GatewayError('media_not_found', { details: [{ path, message: 'unknown or expired' }] })

function requireSize(sizeBytes: number, path: string): void {
  if (sizeBytes > GROUP_PICTURE_BYTES)
    throw invalidField(path, `the image is larger than ${GROUP_PICTURE_BYTES / MB} MB`)
}
