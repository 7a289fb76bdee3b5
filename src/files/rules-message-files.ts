// The files that a message refers to: by URL, or uploaded before, and how large each may be.
import { MEDIA_LIMIT_BYTES } from '../contract/media-limits.ts'

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
