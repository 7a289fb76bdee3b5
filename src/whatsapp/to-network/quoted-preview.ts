// The copy of a quoted message that a reply contains: clients show it above the reply.
import type { proto } from 'baileys'
import type { Json, JsonObject, MessageReference } from '../../network/message.ts'
import { decodePayload } from '../sending/payload.ts'
import { innerMessage } from './view-once.ts'

export function quotedPreview(quoted: MessageReference): proto.IMessage {
  if (quoted.payload) return withoutContext(innerMessage(decodePayload(quoted.payload).message))
  return (PREVIEWS[quoted.type] ?? textPreview)(quoted)
}

type Preview = (quoted: MessageReference) => proto.IMessage

const textPreview: Preview = ({ text }) => ({ conversation: text ?? '' })
const caption = ({ text }: MessageReference) => (text === null ? {} : { caption: text })

/** The file itself is left out: a preview needs its type, name and caption. */
const PREVIEWS: Record<string, Preview> = {
  image: (quoted) => ({ imageMessage: { ...mimetypeOf(quoted), ...caption(quoted) } }),
  video: (quoted) => ({ videoMessage: { ...mimetypeOf(quoted), ...caption(quoted) } }),
  document: (quoted) => ({
    documentMessage: { ...mimetypeOf(quoted), ...nameOf(quoted), ...caption(quoted) },
  }),
  audio: (quoted) => ({ audioMessage: { ...mimetypeOf(quoted), ptt: true } }),
  sticker: (quoted) => ({ stickerMessage: mimetypeOf(quoted) }),
  location: ({ content }) => ({
    locationMessage: {
      degreesLatitude: numberOr(content.latitude, 0),
      degreesLongitude: numberOr(content.longitude, 0),
      ...(typeof content.name === 'string' && { name: content.name }),
    },
  }),
  event: ({ text }) => ({ eventMessage: { name: text ?? '' } }),
  poll: ({ text }) => ({ pollCreationMessageV3: { name: text ?? '' } }),
}

const mediaOf = ({ content }: MessageReference): JsonObject =>
  typeof content.media === 'object' && content.media !== null && !Array.isArray(content.media)
    ? content.media
    : {}

function mimetypeOf(quoted: MessageReference): { mimetype?: string } {
  const mimetype = mediaOf(quoted).mimetype ?? quoted.content.mimetype
  return typeof mimetype === 'string' ? { mimetype } : {}
}

function nameOf(quoted: MessageReference): { fileName?: string } {
  const fileName = mediaOf(quoted).fileName ?? quoted.content.fileName
  return typeof fileName === 'string' ? { fileName } : {}
}

const numberOr = (value: Json | undefined, other: number): number =>
  typeof value === 'number' ? value : other

/** Without what the quoted message itself refers to, so that replies to replies do not grow. */
export function withoutContext({ messageContextInfo: _info, ...content }: proto.IMessage): proto.IMessage {
  const parts = Object.entries(content).map(([name, part]) => {
    if (typeof part !== 'object' || part === null || !('contextInfo' in part)) return [name, part]
    const { contextInfo: _context, ...rest } = part as { contextInfo?: unknown }
    return [name, rest]
  })
  return Object.fromEntries(parts) as proto.IMessage
}
