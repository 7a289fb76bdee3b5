// The result of every conversion: a message of the network, with its additional nodes.
import type { BinaryNode, proto } from 'baileys'
import type { MessageReference, OutgoingContext } from '../../network/message.ts'
import type { UploadedMedia } from './uploaded-media.ts'

export interface NetworkMessage {
  message: proto.IMessage
  additionalNodes: BinaryNode[]
  /** Additional attributes of the stanza: the network tells changes of a message from new messages by them. */
  attributes?: Record<string, string>
}

/** Everything besides the content. The same facts produce the same message, so that a retry is not a second message. */
export interface SendFacts {
  nowMs: number
  /** 32 random bytes, generated once per message. Votes, edits and reports are encrypted with it. */
  messageSecret: Uint8Array
  /** One for each of `mediaRequests`, in the same order. */
  media: readonly UploadedMedia[]
  /** The chat that the message is sent to. */
  chat: string
  /** The identifier of this account. */
  me: string
  context: OutgoingContext
  /** The link of the call that an event announces. */
  callLink?: string | undefined
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

/** The message that an action changes. */
export function requireTarget({ context }: Pick<SendFacts, 'context'>): MessageReference {
  if (!context.target) throw new Error('an action needs the message that it changes')
  return context.target
}

export function onlyMedia({ media }: Pick<SendFacts, 'media'>): UploadedMedia {
  const [first, ...others] = media
  if (!first || others.length > 0) throw new Error('this kind of message needs exactly one uploaded file')
  return first
}
