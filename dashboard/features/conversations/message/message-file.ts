// The file of a message: what it is, where it is read from, and whether a browser may show it.
import { type Message, textAt } from '../model/message-fields.ts'

export type ShownKind = 'picture' | 'video' | 'audio' | 'document'

export interface MessageFile {
  kind: ShownKind
  messageId: string
  instanceName: string
  /** Whether the gateway can have it by now. */
  isReadable: boolean
  /** Of a file that was uploaded to be sent. */
  mediaId: string | null
  name: string | null
  mimetype: string | null
  sizeBytes: number | null
  seconds: number | null
  /** Width and height, if both are known. */
  size: readonly [width: number, height: number] | null
  isVoice: boolean
}

const KINDS: Partial<Record<Message['type'], ShownKind>> = {
  image: 'picture',
  sticker: 'picture',
  video: 'video',
  audio: 'audio',
  document: 'document',
}

/** The gateway reads the file of a message that it sent from the network, which has it only once the message was sent. */
const SENT: ReadonlySet<Message['status']> = new Set(['sent', 'delivered', 'read', 'played'])

/** Describes a received file. A sent one has what the request said about it. */
interface Descriptor {
  mimetype?: string | null
  fileName?: string | null
  sizeBytes?: number | null
  seconds?: number | null
  width?: number | null
  height?: number | null
}

export function fileOf({ type, content, status, messageId, instanceName }: Message): MessageFile | null {
  const kind = KINDS[type]
  if (kind === undefined) return null
  const received = content.media as Descriptor | null | undefined
  const { width, height } = received ?? {}
  return {
    kind,
    messageId,
    instanceName,
    isReadable: received ? true : SENT.has(status),
    mediaId: textAt(content, 'mediaId'),
    name: received?.fileName ?? textAt(content, 'fileName'),
    mimetype: received?.mimetype ?? textAt(content, 'mimetype'),
    sizeBytes: received?.sizeBytes ?? null,
    seconds: received?.seconds ?? null,
    size: width && height ? [width, height] : null,
    isVoice: content.voice === true || (type === 'audio' && !received),
  }
}

/**
 * The types that are shown, by kind. The bytes come from a stranger, and a page at the address of a blob belongs to this origin: so
 * no type that contains scripts, such as SVG, is among them.
 */
const SHOWN: Record<ShownKind, RegExp | undefined> = {
  picture: /^image\/(?:jpeg|png|gif|webp|avif|bmp)$/,
  video: /^video\/(?:mp4|webm|ogg|quicktime|3gpp|x-m4v)$/,
  audio: /^(?:audio\/(?:ogg|opus|mpeg|mp3|mp4|m4a|x-m4a|aac|wav|x-wav|webm|amr|3gpp|flac)|application\/ogg)$/,
  document: undefined,
}

/** The type that a blob gets; undefined: the file is only downloaded. */
export function shownType(kind: ShownKind, contentType: string): string | undefined {
  const base = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  return SHOWN[kind]?.test(base) ? base : undefined
}
