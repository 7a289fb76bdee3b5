// A forwarded message to the network. A sent one is sent again as it was; a received one is rebuilt from what is stored.
import type { proto } from 'baileys'
import type { Json, JsonObject, MessageReference } from '../../network/message.ts'
import { mediaReference } from '../from-network/received-media.ts'
import { decodePayload } from '../sending/payload.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'
import { withoutContext } from './quoted-preview.ts'
import { innerMessage } from './view-once.ts'

export function forwardToNetwork(source: MessageReference, facts: SendFacts): NetworkMessage {
  if (!source.payload) return networkMessage(rebuilt(source, facts), facts)
  const { message, additionalNodes } = decodePayload(source.payload)
  return networkMessage(withoutContext(innerMessage(message)), facts, additionalNodes)
}

type Rebuild = (source: MessageReference, facts: SendFacts) => proto.IMessage

function rebuilt(source: MessageReference, facts: SendFacts): proto.IMessage {
  const rebuild = REBUILDS[source.type]
  if (!rebuild) throw new Error(`a message of type ${source.type} cannot be forwarded`)
  return rebuild(source, facts)
}

const captionOf = ({ text }: MessageReference) => (text === null ? {} : { caption: text })

/** The types of received messages that can be forwarded. */
const REBUILDS: Record<string, Rebuild> = {
  text: ({ text }) => ({ conversation: text ?? '' }),
  image: (source, facts) => ({ imageMessage: { ...fileOf(source, facts), ...captionOf(source) } }),
  video: (source, facts) => ({ videoMessage: { ...fileOf(source, facts), ...captionOf(source) } }),
  document: (source, facts) => ({ documentMessage: { ...fileOf(source, facts), ...captionOf(source) } }),
  audio: (source, facts) => ({ audioMessage: { ...fileOf(source, facts), ptt: true } }),
  sticker: (source, facts) => ({ stickerMessage: fileOf(source, facts) }),
  location: ({ content: { latitude, longitude, name, address } }) => ({
    locationMessage: {
      degreesLatitude: Number(latitude),
      degreesLongitude: Number(longitude),
      ...textField('name', name),
      ...textField('address', address),
    },
  }),
}

const textField = (name: string, value: Json | undefined) =>
  typeof value === 'string' ? { [name]: value } : {}
const numberField = (name: string, value: Json | undefined) =>
  typeof value === 'number' ? { [name]: value } : {}

/** The file stays where it is on the network's media servers. */
function fileOf({ media, content }: MessageReference, { nowMs }: SendFacts) {
  const file = mediaReference(media)
  const shown = (content.media ?? {}) as JsonObject
  return {
    directPath: file.directPath,
    url: `https://mmg.whatsapp.net${file.directPath}`,
    mediaKey: file.mediaKey,
    mediaKeyTimestamp: Math.floor(nowMs / 1000),
    ...(file.fileSha256 && { fileSha256: file.fileSha256 }),
    ...(file.fileEncSha256 && { fileEncSha256: file.fileEncSha256 }),
    ...numberField('fileLength', file.sizeBytes ?? undefined),
    ...textField('mimetype', shown.mimetype),
    ...textField('fileName', shown.fileName),
    ...numberField('seconds', shown.seconds),
    ...numberField('width', shown.width),
    ...numberField('height', shown.height),
  }
}
