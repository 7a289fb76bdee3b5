// What goes over the wire, as kept for a second try and for phones that ask again: the message and the nodes beside it.
import { type BinaryNode, BufferJSON, proto } from 'baileys'

export interface WirePayload {
  message: proto.IMessage
  additionalNodes: BinaryNode[]
}

export function encodePayload({ message, additionalNodes }: WirePayload): Uint8Array {
  const bytes = proto.Message.encode(message).finish()
  return Buffer.from(
    JSON.stringify({ message: Buffer.from(bytes).toString('base64'), additionalNodes }, BufferJSON.replacer),
  )
}

export function decodePayload(payload: Uint8Array): WirePayload {
  const { message, additionalNodes } = JSON.parse(Buffer.from(payload).toString(), BufferJSON.reviver) as {
    message: string
    additionalNodes: BinaryNode[]
  }
  return { message: proto.Message.decode(Buffer.from(message, 'base64')), additionalNodes }
}
