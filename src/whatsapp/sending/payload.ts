// The payload of a sent message, stored for retries and for phones that request it again: the message, its additional nodes and
// attributes, its chat, and the audience of a status.
import { type BinaryNode, BufferJSON, proto } from '../library/protocol.ts'

export interface WirePayload {
  /** Absent in payloads stored by older versions. */
  chat?: string | undefined
  message: proto.IMessage
  additionalNodes: BinaryNode[]
  /** Additional attributes of the stanza. Absent in payloads stored by older versions. */
  attributes?: Record<string, string> | undefined
  /** The people who see a status post. Absent for other messages. */
  audience?: string[] | undefined
}

export function encodePayload({ message, ...others }: WirePayload): Uint8Array {
  const bytes = proto.Message.encode(message).finish()
  const text = JSON.stringify(
    { ...others, message: Buffer.from(bytes).toString('base64') },
    BufferJSON.replacer,
  )
  // Not from Buffer's pool: a pooled buffer would copy the whole 64 KiB pool to the thread of the store.
  return new TextEncoder().encode(text)
}

export function decodePayload(payload: Uint8Array): WirePayload {
  const { message, ...others } = JSON.parse(Buffer.from(payload).toString(), BufferJSON.reviver) as Omit<
    WirePayload,
    'message'
  > & { message: string }
  return { ...others, message: proto.Message.decode(Buffer.from(message, 'base64')) }
}
