// The rules of files: what a message refers to, detected types, when a received file is fetched, and how long files are kept.

import { UPLOAD_HOURS } from '../contract/media.ts'
import { MEDIA_LIMIT_BYTES } from '../contract/media-limits.ts'
import type { NetworkErrorKind } from '../network/network.ts'

// The files that a message refers to: by URL, or uploaded before, and how large each may be.

export type SentFileKind = keyof typeof MEDIA_LIMIT_BYTES

/** The part of the content that names a file. */
interface NamedFile {
  mediaUrl?: unknown
  mediaId?: unknown
}
interface Header extends NamedFile {
  type?: string
}

export interface NamedFilePart {
  /** The fields that lead to it, with a dot at the end; empty: it is the file of the message itself. */
  path: string
  kind: SentFileKind
  /** A part of the content that was given. */
  named: NamedFile
}

interface Message {
  kind: string
  content: Record<string, unknown>
}

/** Otherwise it is an image: of a sticker, or of a card. */
const fileKind = (kind: string | undefined): SentFileKind =>
  kind !== undefined && kind in MEDIA_LIMIT_BYTES ? (kind as SentFileKind) : 'image'

/** In the order in which they are sent. */
export function messageFiles({ kind, content }: Message): NamedFilePart[] {
  const { header, cards = [] } = (content.interactive ?? {}) as {
    header?: Header
    cards?: { header?: Header }[]
  }
  const named: [path: string, file: NamedFile | undefined, kind: string | undefined][] = [
    ['', content, kind],
    ['interactive.header.', header, header?.type],
    ...cards.map(({ header: card }, index): (typeof named)[number] => [
      `interactive.cards.${index}.header.`,
      card,
      card?.type,
    ]),
  ]
  return named.flatMap(([path, file, type]) =>
    typeof file?.mediaUrl === 'string' || typeof file?.mediaId === 'string'
      ? [{ path, kind: fileKind(type), named: file }]
      : [],
  )
}

export interface UsedUpload {
  /** The field that names it. */
  path: string
  mediaId: string
  limitBytes: number
}

/** The uploaded files that a message uses. */
export function uploadsOf(message: Message): UsedUpload[] {
  // A forwarded message uses the file of its source.
  if (message.content.forwardOf !== undefined) return []
  return messageFiles(message).flatMap(({ path, kind, named: { mediaId } }) =>
    typeof mediaId === 'string'
      ? [{ path: `${path}mediaId`, mediaId, limitBytes: MEDIA_LIMIT_BYTES[kind] }]
      : [],
  )
}

// Whether the declared media type of an uploaded file fits its bytes.

/** Types that say nothing about the content: the detected type is used instead. */
const UNSPECIFIC = new Set(['application/octet-stream', 'binary/octet-stream'])

const ALIASES: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/apng': 'image/png',
  'image/x-png': 'image/png',
  'image/heif': 'image/heic',
  'image/x-ms-bmp': 'image/bmp',
}

/** `type/subtype` in lower case, without parameters. */
const baseType = (mimetype: string): string => (mimetype.split(';')[0] ?? '').trim().toLowerCase()

/** Audio and video share containers, and so do archives and office documents. Only the family can be compared there. */
function familyOf(type: string): string {
  if (/^(?:audio|video)\//.test(type) || type === 'application/ogg') return 'audio or video'
  if (type === 'image/svg+xml' || /^text\/|\bxml$|\+xml$/.test(type)) return 'text'
  if (type.startsWith('image/') || type === 'application/pdf') return ALIASES[type] ?? type
  return type.split('/')[0] ?? type
}

type DeclaredType = { mimetype: string } | { refused: string }

/** `detected` is undefined where the bytes do not show the type. */
export function checkDeclaredType(declared: string, detected: string | undefined): DeclaredType {
  const type = baseType(declared)
  if (UNSPECIFIC.has(type)) return { mimetype: detected ?? 'application/octet-stream' }
  if (detected === undefined)
    return type.startsWith('image/') && type !== 'image/svg+xml'
      ? { refused: `is ${type}, but the file is not an image` }
      : { mimetype: declared }
  return familyOf(type) === familyOf(baseType(detected))
    ? { mimetype: declared }
    : { refused: `is ${type}, but the file is ${baseType(detected)}` }
}

// Detects the type of an image by its first bytes. The declared type of a file is not trusted.

const startsWith = (bytes: Uint8Array, offset: number, text: string): boolean =>
  Buffer.from(bytes.subarray(offset, offset + text.length)).toString('latin1') === text

/** The media type of a JPEG, PNG or WebP; undefined for everything else, SVG included. */
export function imageType(bytes: Uint8Array): 'image/jpeg' | 'image/png' | 'image/webp' | undefined {
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return 'image/webp'
  return undefined
}

// How a file is shown if the sender does not say it: by its media type, or by the ending of its name.

export type MediaMessageKind = 'image' | 'video' | 'audio' | 'document'

export interface FileHints {
  /** Of the uploaded file, found in its bytes or declared with it. */
  uploadedType?: string | undefined
  mimetype?: string | undefined
  fileName?: string | undefined
  mediaUrl?: string | undefined
}

const BY_ENDING: Record<MediaMessageKind, readonly string[]> = {
  image: ['jpg', 'jpeg', 'png', 'webp', 'gif'],
  video: ['mp4', 'm4v', 'mov', '3gp', 'webm', 'mkv'],
  audio: ['ogg', 'oga', 'opus', 'mp3', 'm4a', 'aac', 'wav', 'amr', 'flac'],
  document: [
    'pdf',
    'doc',
    'docx',
    'xls',
    'xlsx',
    'ppt',
    'pptx',
    'odt',
    'ods',
    'csv',
    'txt',
    'zip',
    'xml',
    'json',
    'vcf',
    'ics',
  ],
}

/** Undefined: nothing shows it. A type that says nothing about the content is ignored. */
export function mediaKind({
  uploadedType,
  mimetype,
  fileName,
  mediaUrl,
}: FileHints): MediaMessageKind | undefined {
  return (
    kindOfType(uploadedType) ?? kindOfType(mimetype) ?? kindOfName(fileName) ?? kindOfName(pathOf(mediaUrl))
  )
}

function kindOfType(mimetype: string | undefined): MediaMessageKind | undefined {
  const type = mimetype?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === '' || type.endsWith('/octet-stream')) return undefined
  const [family = ''] = type.split('/')
  // Phones do not draw an SVG.
  if (family === 'image') return type === 'image/svg+xml' ? 'document' : 'image'
  return family === 'video' || family === 'audio' ? family : 'document'
}

function kindOfName(name: string | undefined): MediaMessageKind | undefined {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name ?? '')?.[1]?.toLowerCase()
  if (ending === undefined) return undefined
  const [kind] = Object.entries(BY_ENDING).find(([, endings]) => endings.includes(ending)) ?? []
  return kind as MediaMessageKind | undefined
}

/** The query of a URL can end in anything. */
const pathOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : URL.parse(url)?.pathname

// When the file of a received message is fetched from the network, and how long it is kept.

const DAY_MS = 24 * 60 * 60 * 1000
/** Longer than the attempts of a webhook delivery can last, so that a receiver of a late delivery finds the file. */
export const MEDIA_KEPT_MS = 14 * DAY_MS
/** How long nothing is fetched after a file could not be stored: every attempt downloads a file again. */
export const STORE_PAUSE_MS = 30_000
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 60 * 60 * 1000
const MAX_TRIES = 12

/** lost: the file is given up. wanted: it is fetched again at `dueAt`. */
type FetchOutcome = { status: 'lost' } | { status: 'wanted'; dueAt: number; tries: number }

/** The instance is not connected here: the network was not queried, so the attempt does not count. */
const UNCOUNTED: ReadonlySet<NetworkErrorKind | undefined> = new Set(['unavailable', 'no_longer_owner'])

/** `tries` counts the failed fetches before this one; `kind` is undefined for an error that is not the network's. */
export function afterFailedFetch(
  kind: NetworkErrorKind | undefined,
  tries: number,
  now: number,
): FetchOutcome {
  const counted = UNCOUNTED.has(kind) ? tries : tries + 1
  if (kind === 'refused' || counted >= MAX_TRIES) return { status: 'lost' }
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** counted)
  return { status: 'wanted', dueAt: now + pauseMs, tries: counted }
}

/** The file was fetched and could not be stored. The network is not the cause, so the try does not count. */
export const afterFailedWrite = (tries: number, now: number): FetchOutcome => ({
  status: 'wanted',
  dueAt: now + STORE_PAUSE_MS,
  tries,
})

// How long uploaded files are kept.

const HOUR_MS = 60 * 60 * 1000
const UPLOAD_MS = UPLOAD_HOURS * HOUR_MS
/** Longer than an upload may take. */
const UNFINISHED_MS = HOUR_MS
/** A message is sent or has expired a day after its time; the hour covers the last try. */
const SENDABLE_MS = 25 * HOUR_MS

/** When an upload that was not completed is a leftover. */
export const unfinishedUntil = (now: number): number => now + UNFINISHED_MS

/** Until when new messages may use an upload. */
export const uploadExpiry = (now: number): number => now + UPLOAD_MS

/**
 * Until when the file must be kept for a message that is due at `dueAt`; undefined: it is kept long enough already. An hour more than
 * needed, so that the messages of a campaign do not each write the time again.
 */
export function keptFor(dueAt: number, keptUntil: number): number | undefined {
  const needed = dueAt + SENDABLE_MS
  return keptUntil >= needed ? undefined : needed + HOUR_MS
}

// The waveform that phones draw for a voice message: 64 values from 0 to 100.

const BARS = 64
const HIGHEST = 100

/** `levels` are the mean amplitudes of equally long pieces of the recording. The loudest bar is 100; silence is flat. */
export function waveformOf(levels: readonly number[]): Uint8Array {
  const bars = Array.from({ length: BARS }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / BARS)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / BARS))
    return mean(levels.slice(from, to))
  })
  const loudest = Math.max(...bars)
  return Uint8Array.from(bars, (level) => (loudest > 0 ? Math.round((level / loudest) * HIGHEST) : 0))
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
