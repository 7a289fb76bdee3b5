// Detects the media type of a downloaded file and checks that it fits the kind of message.
import { open } from 'node:fs/promises'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import { countPixels, readAt } from './image-size.ts'

export type FileKind = 'image' | 'video' | 'audio' | 'document'

export type MediaTypeResult =
  /** `detected` is undefined if the bytes do not show the type. */
  | { mimetype: string; detected: string | undefined }
  | { failed: 'media_unavailable' | 'media_too_large'; message: string }

export interface ClaimedTypes {
  /** From the sender. Sets the type that is sent, but does not bypass the check of the kind. */
  mimetype?: string | undefined
  /** From the host. Used only when the type cannot be detected. */
  contentType?: string | undefined
}

const MAX_PIXELS = 40_000_000
/** Enough for magic numbers and for the start of markup. */
const HEAD_BYTES = 4100
const SNIFF_MS = 5000
const SNIFF_BUFFER_BYTES = 1024 * 1024
const PLAIN_TYPE = /^[\w.+-]+\/[\w.+-]+$/
/** Audio and video share container formats. */
const AUDIO_OR_VIDEO = /^(?:video|audio)\/|^application\/(?:ogg|mxf|vnd\.ms-asf|vnd\.rn-realmedia)$/

const FITS_KIND: Record<FileKind, (type: string) => boolean> = {
  image: (type) => type.startsWith('image/') && type !== 'image/svg+xml',
  video: (type) => AUDIO_OR_VIDEO.test(type),
  audio: (type) => AUDIO_OR_VIDEO.test(type),
  document: () => true,
}

export async function checkMediaType(
  path: string,
  kind: FileKind,
  named: ClaimedTypes,
): Promise<MediaTypeResult> {
  const file = await open(path, 'r')
  try {
    const detected = markupType(await readAt(file, 0, HEAD_BYTES)) ?? (await sniff(path))
    const claimed = named.mimetype ?? (kind === 'image' ? undefined : plainType(named.contentType))
    const type = detected ?? claimed ?? 'application/octet-stream'
    if (!FITS_KIND[kind](type))
      return { failed: 'media_unavailable', message: `The file is not ${NAMES[kind]}.` }
    if (kind === 'image' && ((await countPixels(file)) ?? 0) > MAX_PIXELS) {
      return { failed: 'media_too_large', message: 'The image has more than 40 million pixels.' }
    }
    return { mimetype: named.mimetype ?? type, detected }
  } finally {
    await file.close()
  }
}

const NAMES: Record<FileKind, string> = {
  image: 'an image',
  video: 'a video',
  audio: 'an audio file',
  document: 'a document',
}

/** HTML and SVG can carry scripts and have no magic number, so they are detected by their first tag. */
export function markupType(head: Buffer): string | undefined {
  const text = decoded(head)
    .replace(/^(?:\s|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)*/, '')
    .toLowerCase()
  if (/^<svg[\s>/:]/.test(text) || /^<!doctype\s+svg/.test(text) || /^<[\w-]+:svg[\s>]/.test(text))
    return 'image/svg+xml'
  if (/^<!doctype\s+html/.test(text)) return 'text/html'
  if (!/^<[a-z!]/.test(text)) return undefined
  return HTML_TAG.test(text) ? 'text/html' : 'application/xml'
}

const HTML_TAG =
  /^<(?:html|head|body|script|title|meta|link|style|iframe|div|span|p|a|h[1-6]|table|form|img|br|center|font|b)[\s>/]/

function decoded(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString('utf16le', 2)
  if (head[0] === 0xfe && head[1] === 0xff) {
    return Buffer.from(head.subarray(2, head.length - (head.length % 2)))
      .swap16()
      .toString('utf16le')
  }
  const skip = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  return head.toString('latin1', skip)
}

const sniff = (path: string): Promise<string | undefined> => mimeOf(fileTypeFromFile(path, sniffLimits()))

/** Detects the media type by the beginning of a file. Undefined: the bytes do not show it. */
export const detectType = async (head: Buffer): Promise<string | undefined> =>
  markupType(head.subarray(0, HEAD_BYTES)) ?? (await mimeOf(fileTypeFromBuffer(head, sniffLimits())))

const sniffLimits = () => ({ maxBufferSize: SNIFF_BUFFER_BYTES, signal: AbortSignal.timeout(SNIFF_MS) })

/** Undefined also when the detector throws: it may fail on malformed input. */
const mimeOf = (detection: Promise<{ mime: string } | undefined>): Promise<string | undefined> =>
  detection.then(
    (found) => found?.mime,
    () => undefined,
  )

const plainType = (contentType: string | undefined): string | undefined => {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return PLAIN_TYPE.test(type) ? type : undefined
}
