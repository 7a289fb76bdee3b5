// The content of a send that a person approves, held as it was when the send was accepted: the files that it names by URL and the link preview
// are fetched then. The approver sees them, and the recipient gets them (decision 0193).

import { createReadStream } from 'node:fs'
import { GatewayError, invalidField } from '../errors.ts'
import { messageFiles, type SentFileKind } from '../files/rules.ts'
import {
  discardUpload,
  type FileForSend,
  type HeldFile,
  storeFetched,
  type UploadDeps,
} from '../files/uploads.ts'
import { entryName } from '../kernel/async/entry-name.ts'
import { ignoreErrors } from '../kernel/async/ignore-errors.ts'
import { createFairSemaphore } from '../kernel/async/locks.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import { OutboundError } from '../kernel/outbound/failure.ts'
import { findSentPayload } from '../messages/message-queries.ts'
import type { LinkPreview } from '../network/message.ts'

/** Fetches a file that a send names. A file that cannot be fetched has a sentence for people. */
export type FetchMedia = (wanted: {
  accountId: number
  url: string
  kind: SentFileKind
  mimetype: string | undefined
}) => Promise<(FileForSend & { release(): Promise<void> }) | { failed: string }>

/** The preview of the first link in a text; undefined: there is none, or it is not available in time. Never rejects. */
export type PreviewOf = (
  accountId: number,
  text: string,
  stopping: AbortSignal,
) => Promise<LinkPreview | undefined>

export interface HeldContent {
  content: Record<string, unknown>
  files: HeldFile[]
}

export interface HoldDeps extends UploadDeps {
  fetchMedia: FetchMedia
  previewOf: PreviewOf
}

interface MessageToHold {
  accountId: number
  instanceId: number
  kind: string
  content: Record<string, unknown>
  /** The fields of the request that lead to the content, with a dot at the end; absent: it is the request itself. */
  path?: string | undefined
}

export interface ContentHold {
  /** Refuses the send if a file cannot be fetched or stored; nothing of it is left then. */
  hold(message: MessageToHold): Promise<HeldContent>
  /** Removes the files of a send that was not accepted. What cannot be removed now is removed by the sweep. */
  discard(held: HeldContent): Promise<void>
}

export const createContentHold = (deps: HoldDeps): ContentHold => ({
  hold: (message) => holdContent(deps, message),
  discard: ({ files }) => discardAll(deps, files),
})

async function discardAll(deps: HoldDeps, files: readonly HeldFile[]): Promise<void> {
  for (const { uploadId } of files) await discardUpload(deps, uploadId)
}

async function holdContent(deps: HoldDeps, message: MessageToHold): Promise<HeldContent> {
  const { accountId } = message
  const content = structuredClone(message.content)
  if (await isForwardedAsItWas(deps, { ...message, content })) {
    for (const { named } of messageFiles({ ...message, content })) delete named.mediaUrl
    delete content.linkPreview
    return { content, files: [] }
  }
  const files: HeldFile[] = []
  try {
    for (const { path, kind, named } of messageFiles({ ...message, content })) {
      const { mediaUrl: url, mediaId } = named
      if (typeof url !== 'string' || mediaId !== undefined) continue
      const mimetype = typeof content.mimetype === 'string' ? content.mimetype : undefined
      const file = await fetchAndStore(
        deps,
        { accountId, url, kind, mimetype },
        `${message.path ?? ''}${path}mediaUrl`,
      )
      named.mediaId = file.mediaId
      files.push(file)
    }
    return { content: { ...content, ...(await heldPreview(deps, accountId, content)) }, files }
  } catch (error) {
    await discardAll(deps, files)
    throw error
  }
}

/** A forwarded message is sent from its stored payload. Without a URL it can never be fetched again instead. */
async function isForwardedAsItWas(
  { store }: Pick<HoldDeps, 'store'>,
  { instanceId, content }: MessageToHold,
): Promise<boolean> {
  const { forwardOf } = content as { forwardOf?: { messageId: string; direction: string } }
  if (forwardOf?.direction !== 'outgoing') return false
  return (await findSentPayload(store.db, instanceId, forwardOf.messageId)) !== undefined
}

async function fetchAndStore(
  deps: HoldDeps,
  wanted: Parameters<FetchMedia>[0],
  path: string,
): Promise<HeldFile> {
  const fetched = await deps.fetchMedia(wanted)
  if ('failed' in fetched) throw invalidField(path, fetched.failed)
  try {
    return await storeFetched(deps, wanted.accountId, fetched)
  } finally {
    await fetched.release()
  }
}

/** As it is stored, with the picture in Base64. Null: there was none, so that none is sent. */
interface StoredPreview {
  url: string
  title: string
  description: string | null
  thumbnail: string | null
}

/** The sender asks for a preview where one is available: without one the text is sent alone. */
async function heldPreview(
  { previewOf }: Pick<HoldDeps, 'previewOf'>,
  accountId: number,
  { message, linkPreview }: Record<string, unknown>,
): Promise<{ preview?: StoredPreview | null }> {
  if (linkPreview !== true || typeof message !== 'string') return {}
  const preview = await previewOf(accountId, message, new AbortController().signal)
  if (!preview) return { preview: null }
  const { url, title, description, jpegThumbnail } = preview
  const thumbnail = jpegThumbnail ? Buffer.from(jpegThumbnail).toString('base64') : null
  return { preview: { url, title, description, thumbnail } }
}

/** The preview that is sent; null: none is. Undefined: it was not held, and is fetched now. */
export function previewInContent({ preview }: Record<string, unknown>): LinkPreview | null | undefined {
  if (preview === undefined || preview === null) return preview
  const { thumbnail, ...text } = preview as StoredPreview
  return { ...text, jpegThumbnail: thumbnail === null ? undefined : Buffer.from(thumbnail, 'base64') }
}

// Files of sends that a person approves: fetched through the outbound client while the request waits.

/** Requests that fetch a file at a time, each up to the size limit of its kind. */
const FETCHES = { size: 16, perKey: 4 }
/** Also for the wait before. Clients give up after a minute. */
const LIMIT_MS = 30_000

export function createFetchMedia(
  { download }: Pick<Outbound, 'download'>,
  limitMs: number = LIMIT_MS,
): FetchMedia {
  const takeTurn = createFairSemaphore(FETCHES)
  return async (wanted) => {
    const late = AbortSignal.timeout(limitMs)
    let endTurn = () => undefined as void
    try {
      endTurn = await takeTurn(entryName('account', wanted.accountId), late)
      const file = await download({ ...wanted, signal: late })
      if ('failed' in file) {
        endTurn()
        return { failed: file.message }
      }
      const { path, sizeBytes, mimetype } = file
      const bytes = ignoreErrors(createReadStream(path))
      const release = async () => {
        bytes.destroy()
        endTurn()
        await file.release()
      }
      return { bytes, sizeBytes, mimetype, release }
    } catch (error) {
      endTurn()
      if (late.aborted)
        return { failed: `The file could not be fetched within ${Math.ceil(limitMs / 1000)} s.` }
      throw error instanceof OutboundError ? new GatewayError('unavailable', {}, { cause: error }) : error
    }
  }
}
