// The result of every conversion: a message of the network, with its additional nodes.
import type { BinaryNode, proto } from 'baileys'
import type { UploadedMedia } from './uploaded-media.ts'

export interface NetworkMessage {
  message: proto.IMessage
  additionalNodes: BinaryNode[]
}

/** Everything besides the content. The same facts produce the same message, so that a retry is not a second message. */
export interface SendFacts {
  nowMs: number
  /** 32 random bytes, generated once per message. Votes, edits and reports are encrypted with it. */
  messageSecret: Uint8Array
  /** One for each of `mediaRequests`, in the same order. */
  media: readonly UploadedMedia[]
}

const SECRET_BYTES = 32

export function networkMessage(
  content: proto.IMessage,
  { messageSecret }: Pick<SendFacts, 'messageSecret'>,
  additionalNodes: BinaryNode[] = [],
): NetworkMessage {
  if (messageSecret.length !== SECRET_BYTES) throw new Error('a message secret has 32 bytes')
  return { message: { ...content, messageContextInfo: { messageSecret } }, additionalNodes }
}

export function onlyMedia({ media }: Pick<SendFacts, 'media'>): UploadedMedia {
  const [first, ...others] = media
  if (!first || others.length > 0) throw new Error('this kind of message needs exactly one uploaded file')
  return first
}
