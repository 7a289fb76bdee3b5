// What goes over the wire, as kept for a second try and for phones that ask again: the message, the nodes
// beside it, and the chat they are for.
import { type BinaryNode, BufferJSON, proto } from 'baileys'

export interface WirePayload {
  /** Absent in what was kept before chats were noted here. */
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
  // Bytes of its own: a piece of the pool takes all 64 KiB of it along to the store's thread.
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
