// What a downloaded file really is, and whether that may be sent as what it is called (decisions 6, attack list 8).
import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { pixelsOf, readAt } from './image-size.ts'

export type MediaKind = 'image' | 'video' | 'audio' | 'document'

export type TypeJudgement =
  | { mimetype: string }
  | { failed: 'media_unavailable' | 'media_too_large'; message: string }

export interface NamedTypes {
  /** The caller's word: it names the type, but does not make an image of what is none. */
  mimetype?: string | undefined
  /** The host's word, taken where the bytes say nothing. */
  contentType?: string | undefined
}

const MAX_PIXELS = 40_000_000
/** Enough for the magic numbers and the first words of a text. */
const HEAD_BYTES = 4100
const SNIFF_MS = 5000
const SNIFF_BUFFER_BYTES = 1024 * 1024
const PLAIN_TYPE = /^[\w.+-]+\/[\w.+-]+$/
/** Sound and moving pictures share their containers. */
const MOVING = /^(?:video|audio)\/|^application\/(?:ogg|mxf|vnd\.ms-asf|vnd\.rn-realmedia)$/

const FITS: Record<MediaKind, (type: string) => boolean> = {
  image: (type) => type.startsWith('image/') && type !== 'image/svg+xml',
  video: (type) => MOVING.test(type),
  audio: (type) => MOVING.test(type),
  document: () => true,
}

export async function judgeType(path: string, kind: MediaKind, named: NamedTypes): Promise<TypeJudgement> {
  const file = await open(path, 'r')
  try {
    const found = markupType(await readAt(file, 0, HEAD_BYTES)) ?? (await sniff(path))
    const claimed = named.mimetype ?? (kind === 'image' ? undefined : plainType(named.contentType))
    const type = found ?? claimed ?? 'application/octet-stream'
    if (!FITS[kind](type)) return { failed: 'media_unavailable', message: `The file is not ${NAMES[kind]}.` }
    if (kind === 'image' && ((await pixelsOf(file)) ?? 0) > MAX_PIXELS) {
      return { failed: 'media_too_large', message: 'The image has more than 40 million pixels.' }
    }
    return { mimetype: named.mimetype ?? type }
  } finally {
    await file.close()
  }
}

const NAMES: Record<MediaKind, string> = {
  image: 'an image',
  video: 'a video',
  audio: 'a sound',
  document: 'a document',
}

/** Web pages and vector drawings carry scripts and have no magic number, so they are known by how they begin. */
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

/** A file that cannot be made out is a file of no known type: detectors may stumble over what strangers send. */
async function sniff(path: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(SNIFF_MS)
    const found = await fileTypeFromFile(path, { maxBufferSize: SNIFF_BUFFER_BYTES, signal })
    return found?.mime
  } catch {
    return undefined
  }
}

const plainType = (contentType: string | undefined): string | undefined => {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return PLAIN_TYPE.test(type) ? type : undefined
}
