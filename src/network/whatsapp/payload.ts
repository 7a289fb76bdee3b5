// The payload of a sent message, stored for retries and for phones that request it again: the message, its additional nodes, and
// its chat.
import { type BinaryNode, BufferJSON, proto } from 'baileys'

export interface WirePayload {
  /** Absent in payloads stored by older versions. */
  chat?: string | undefined
  message: proto.IMessage
  additionalNodes: BinaryNode[]
}

export function encodePayload({ chat, message, additionalNodes }: WirePayload): Uint8Array {
  const bytes = proto.Message.encode(message).finish()
  const text = JSON.stringify(
    { chat, message: Buffer.from(bytes).toString('base64'), additionalNodes },
    BufferJSON.replacer,
  )
  // Not from Buffer's pool: a pooled buffer would copy the whole 64 KiB pool to the thread of the store.
  return new TextEncoder().encode(text)
}

export function decodePayload(payload: Uint8Array): WirePayload {
  const { chat, message, additionalNodes } = JSON.parse(
    Buffer.from(payload).toString(),
    BufferJSON.reviver,
  ) as {
    chat?: string
    message: string
    additionalNodes: BinaryNode[]
  }
  return { chat, message: proto.Message.decode(Buffer.from(message, 'base64')), additionalNodes }
}
