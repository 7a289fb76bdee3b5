// What every conversion gives: a message of the network, with the nodes that must travel beside it.
import type { BinaryNode, proto } from 'baileys'
import type { UploadedMedia } from './uploaded-media.ts'

export interface NetworkMessage {
  message: proto.IMessage
  additionalNodes: BinaryNode[]
}

/** All that is not in the content. The same facts give the same message, so that a re-send is no second message. */
export interface SendFacts {
  nowMs: number
  /** 32 random bytes, drawn once for the message. Votes, edits and reports are keyed with it. */
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
