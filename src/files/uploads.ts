// Uploaded files: stored once, and used by messages until they expire.
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import type { CheckUrl, Deps, UploadedFileStore } from '../context.ts'
import { MEDIA_LIMIT_BYTES, UPLOAD_QUOTA_BYTES, type uploadMedia } from '../contract/media.ts'
import type { ArrivingFile } from '../contract/route.ts'
import type { OutgoingKind } from '../contract/sending.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { iso } from '../kernel/time.ts'
import { hasAnswer } from '../sending/queue-queries.ts'
import { lockAccount } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { checkDeclaredType, keptFor, unfinishedUntil, uploadExpiry, uploadsOf } from './rules.ts'
import * as rows from './upload-queries.ts'

export interface FileToStore extends ArrivingFile {
  fileName?: string | undefined
}

export type UploadDeps = Pick<Deps, 'store' | 'clock'> & { uploads: Omit<UploadedFileStore, 'read'> }
type Answer = Omit<z.output<(typeof uploadMedia)['answer']>, 'success'>

const MEDIA_TYPE = /^[A-Za-z\d][\w!#$&^.+-]*\/[A-Za-z\d][\w!#$&^.+-]*(; ?[\w-]+=[\w".-]+)*$/
const LONGEST_TYPE = 127

/** The row comes first, then the file: a crash in between leaves a row that expires, and never a file that nothing knows. */
export async function storeUpload(deps: UploadDeps, caller: Caller, file: FileToStore): Promise<Answer> {
  const declared = declaredType(file.contentType)
  const row = await reserve(deps, caller.account.id, file, declared)
  try {
    return await complete(deps, row, file, declared)
  } catch (error) {
    await discardUpload(deps, row.id)
    throw error
  }
}

/** A file that the gateway has fetched for a send. */
export interface FileForSend {
  bytes: AsyncIterable<Uint8Array>
  sizeBytes: number
  mimetype: string
}

export interface HeldFile {
  uploadId: number
  mediaId: string
}

/** Stores a fetched file like an upload, in the same space. Only the send that it was fetched for can use it: it must be accepted soon. */
export async function storeFetched(
  deps: UploadDeps,
  accountId: number,
  { bytes, sizeBytes, mimetype }: FileForSend,
): Promise<HeldFile> {
  const { store, clock, uploads } = deps
  const row = await reserve(deps, accountId, { sizeBytes }, mimetype)
  try {
    const written = await uploads.write({ accountId, uploadId: row.id }, bytes, () => undefined)
    const now = clock()
    const until = { expiresAt: now, keptUntil: unfinishedUntil(now) }
    const isComplete = await rows.completeUpload(store.db, row.id, { ...written, mimetype, ...until })
    if (!isComplete) throw new GatewayError('unavailable')
    return { uploadId: row.id, mediaId: row.media_id }
  } catch (error) {
    await discardUpload(deps, row.id)
    throw error
  }
}

function declaredType(contentType: string | undefined): string {
  if (contentType === undefined) throw invalidField('Content-Type', 'required: the media type of the file')
  if (contentType.length > LONGEST_TYPE || !MEDIA_TYPE.test(contentType))
    throw invalidField('Content-Type', 'expected <type>/<subtype>, such as image/png')
  return contentType
}

/** Reserves the announced size, so that uploads at the same time do not exceed the quota together. */
const reserve = (
  { store, clock }: UploadDeps,
  accountId: number,
  { fileName, sizeBytes }: Pick<FileToStore, 'fileName' | 'sizeBytes'>,
  mimetype: string,
): Promise<rows.UploadRow> =>
  store.transaction(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new GatewayError('unauthorized')
    const now = clock()
    const reserved = sizeBytes ?? MEDIA_LIMIT_BYTES.document
    await requireSpace(tx, accountId, reserved)
    return rows.insertUpload(tx, {
      account_id: accountId,
      media_id: `media-${randomBytes(16).toString('base64url')}`,
      mimetype,
      file_name: fileName ?? null,
      size_bytes: reserved,
      created_at: now,
      expires_at: unfinishedUntil(now),
      kept_until: unfinishedUntil(now),
    })
  })

async function requireSpace(tx: Db, accountId: number, wantedBytes: number): Promise<void> {
  const usedBytes = await rows.sumUploadBytes(tx, accountId)
  if (usedBytes + wantedBytes <= UPLOAD_QUOTA_BYTES) return
  throw new GatewayError('upload_space_full', { limitBytes: UPLOAD_QUOTA_BYTES, usedBytes })
}

async function complete(
  { store, clock, uploads }: UploadDeps,
  row: rows.UploadRow,
  { bytes }: FileToStore,
  declared: string,
): Promise<Answer> {
  let mimetype = declared
  const written = await uploads.write({ accountId: row.account_id, uploadId: row.id }, bytes, (detected) => {
    const checked = checkDeclaredType(declared, detected)
    if ('refused' in checked) throw invalidField('Content-Type', checked.refused)
    mimetype = checked.mimetype
  })
  if (written.sizeBytes === 0) throw invalidField('', 'the body must not be empty')
  const expiresAt = uploadExpiry(clock())
  const isComplete = await rows.completeUpload(store.db, row.id, {
    ...written,
    mimetype,
    expiresAt,
    keptUntil: expiresAt,
  })
  if (!isComplete) throw new GatewayError('unavailable')
  return { mediaId: row.media_id, mimetype, ...written, expiresAt: iso(expiresAt) }
}

/** Messages that use the file are sent. The sweep removes the file. False: the account has no such upload. */
export const deleteUpload = (
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  caller: Caller,
  mediaId: string,
): Promise<boolean> => rows.endUpload(store.db, caller.account.id, mediaId, clock())

/** What cannot be removed now is removed when the row expires. */
export async function discardUpload(
  { store, uploads }: Pick<UploadDeps, 'store' | 'uploads'>,
  uploadId: number,
): Promise<void> {
  try {
    await uploads.remove(uploadId)
    await rows.deleteUploadRow(store.db, uploadId)
  } catch {
    // The sweep repeats it. The caller gets the error that ended the upload.
  }
}

interface MessageWithFiles {
  kind: OutgoingKind
  content: Record<string, unknown>
}

/**
 * Keeps the uploaded files of a message until it is sent or has expired. Refuses an unknown or expired one, and one of another account.
 * A repeated request gets its first answer, even if the file has expired since.
 */
export async function keepUploads(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  accountId: number,
  message: MessageWithFiles,
  { dueAt, idempotencyKey }: { dueAt: number; idempotencyKey: string | undefined },
): Promise<void> {
  const now = clock()
  for (const { path, mediaId, limitBytes } of uploadsOf(message)) {
    const row = await rows.findUpload(store.db, accountId, mediaId)
    const until = keptFor(dueAt, row?.kept_until ?? 0)
    const isUsable =
      row !== undefined &&
      row.expires_at > now &&
      (until === undefined || (await rows.keepUpload(store.db, row.id, { now, until })))
    if (!isUsable) {
      if (idempotencyKey !== undefined && (await hasAnswer(store.db, accountId, idempotencyKey))) return
      throw new GatewayError('media_not_found', { details: [{ path, message: 'unknown or expired' }] })
    }
    if (row.size_bytes > limitBytes) throw invalidField(path, tooLarge(limitBytes))
  }
}

const tooLarge = (limitBytes: number): string =>
  `the file is larger than ${limitBytes / (1024 * 1024)} MB, the limit of this kind`

// Files that a request names by URL, and pictures that it names by URL or as an uploaded file.

/** Only http and https to public hosts, without credentials. The file is not fetched before the message is sent. */
export function allowedMediaUrl(
  checkUrl: CheckUrl,
  text: string | undefined,
  path = 'mediaUrl',
): string | undefined {
  if (text === undefined) return undefined
  const checked = checkUrl(text, 'media')
  if ('href' in checked) return text
  throw new GatewayError(
    'url_not_allowed',
    { details: [{ path, message: checked.refused }] },
    { message: `mediaUrl is not allowed: ${checked.refused}.` },
  )
}

/** The contract requires exactly one of them. */
export interface NamedPicture {
  mediaUrl?: string | undefined
  mediaId?: string | undefined
}

/** The bytes of the field `picture`. A picture that cannot be used refuses the request. */
export function readNamedPicture(
  { checkUrl, readPicture }: Pick<Deps, 'checkUrl' | 'readPicture'>,
  caller: Caller,
  { mediaUrl, mediaId = '' }: NamedPicture,
): Promise<Uint8Array> {
  if (mediaUrl === undefined) return readPicture(caller.account.id, { mediaId }, 'picture.mediaId')
  allowedMediaUrl(checkUrl, mediaUrl, 'picture.mediaUrl')
  return readPicture(caller.account.id, { url: mediaUrl }, 'picture.mediaUrl')
}
