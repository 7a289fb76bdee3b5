// Media from the network: the description of a file, and the reference to fetch it later.
import { z } from 'zod'
import type { JsonObject, ReceivedMedia } from '../../network/message.ts'
import { bytesOrNull, countOf, type WireNumber } from './wire-values.ts'

/** The fields common to all kinds of media. The sender controls all of them. */
interface WireMedia {
  url?: string | null
  directPath?: string | null
  mimetype?: string | null
  mediaKey?: Uint8Array | null
  fileSha256?: Uint8Array | null
  fileEncSha256?: Uint8Array | null
  fileLength?: WireNumber
  mediaKeyTimestamp?: WireNumber
  seconds?: number | null
  width?: number | null
  height?: number | null
  fileName?: string | null
}

const USUAL_TYPES: Record<ReceivedMedia['kind'], string> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
  document: 'application/octet-stream',
  sticker: 'image/webp',
}

export function mediaFrom(kind: ReceivedMedia['kind'], part: WireMedia): ReceivedMedia {
  return {
    kind,
    mimetype: mimetypeOf(part.mimetype) ?? USUAL_TYPES[kind],
    fileName: safeFileName(part.fileName),
    sizeBytes: countOf(part.fileLength),
    seconds: countOf(part.seconds),
    width: countOf(part.width),
    height: countOf(part.height),
    sha256: bytesOrNull(part.fileSha256)?.toString('hex') ?? null,
    reference: referenceOf(kind, part),
  }
}

/** Validated, because it becomes an HTTP header. */
function mimetypeOf(mimetype: string | null | undefined): string | null {
  return mimetype && /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(; ?[\w-]+=[\w".-]+)*$/.test(mimetype)
    ? mimetype
    : null
}

const LONGEST_NAME = 255

/** A name without a path and without characters that could break a header. */
function safeFileName(fileName: string | null | undefined): string | null {
  const name = fileName?.split(/[/\\]/).at(-1) ?? ''
  // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
  const printable = name.replace(/[\u0000-\u001f\u007f]/g, '').trim()
  return /^\.*$/.test(printable) ? null : printable.slice(0, LONGEST_NAME)
}

export interface MediaReference {
  /** The kind, as `downloadContentFromMessage` names it. */
  type: ReceivedMedia['kind']
  directPath: string
  mediaKey: Buffer
  fileSha256: Buffer | null
  fileEncSha256: Buffer | null
  sizeBytes: number | null
}

/**
 * The sender controls the URL in the message, and the library would connect to any host in it. Only the path is kept; the
 * gateway chooses the host.
 */
function referenceOf(kind: ReceivedMedia['kind'], part: WireMedia): JsonObject | null {
  const directPath = safePath(part.directPath) ?? pathOfUrl(part.url)
  const mediaKey = bytesOrNull(part.mediaKey)
  if (directPath === null || mediaKey === null) return null
  return {
    type: kind,
    directPath,
    mediaKey: mediaKey.toString('base64'),
    fileSha256: bytesOrNull(part.fileSha256)?.toString('base64') ?? null,
    fileEncSha256: bytesOrNull(part.fileEncSha256)?.toString('base64') ?? null,
    sizeBytes: countOf(part.fileLength),
  }
}

/** Put behind a host name, anything but a leading slash would change the host: `@evil.example`, `.evil.example`. */
function safePath(path: string | null | undefined): string | null {
  return path && /^\/[\u0021-\u007e]*$/.test(path) ? path : null
}

function pathOfUrl(url: string | null | undefined): string | null {
  const parsed = url ? URL.parse(url) : null
  return parsed?.protocol === 'https:' ? safePath(parsed.pathname + parsed.search) : null
}

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'))
const StoredReference = z.object({
  type: z.enum(['image', 'video', 'document', 'audio', 'sticker']),
  directPath: z.string().refine((path) => safePath(path) !== null),
  mediaKey: bytes,
  fileSha256: bytes.nullable(),
  fileEncSha256: bytes.nullable(),
  sizeBytes: z.int().nullable(),
})

/** Parses a stored reference, for `downloadContentFromMessage(reference, reference.type, { host })`. */
export const mediaReference = (reference: unknown): MediaReference => StoredReference.parse(reference)
