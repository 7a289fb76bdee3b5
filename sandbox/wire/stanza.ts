// Builds and reads stanzas, the binary nodes that clients and the network exchange.
import { randomBytes } from 'node:crypto'
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, S_WHATSAPP_NET } from 'baileys'

export type Stanza = BinaryNode
export type StanzaAttributes = Record<string, string | undefined>

export const SERVER_JID = S_WHATSAPP_NET

/** Builds a stanza without the attributes that are undefined. */
export function stanza(tag: string, attributes: StanzaAttributes = {}, content?: Stanza['content']): Stanza {
  const attrs: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) attrs[name] = value
  return content === undefined ? { tag, attrs } : { tag, attrs, content }
}

export function children(node: Stanza | undefined): Stanza[] {
  return Array.isArray(node?.content) ? node.content : []
}

export const child = getBinaryNodeChild
export const childrenOf = getBinaryNodeChildren

/** The content of a stanza as bytes. The encoder may have chosen text or bytes for it. */
export function bytesOf(node: Stanza | undefined): Buffer {
  const content = node?.content
  if (content === undefined || Array.isArray(content)) return Buffer.alloc(0)
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
}

export function childBytes(node: Stanza | undefined, tag: string): Buffer {
  return bytesOf(child(node, tag))
}

export function childNumber(node: Stanza | undefined, tag: string): number {
  return readUnsigned(childBytes(node, tag))
}

/** Key ids and registration ids travel as big-endian bytes of varying length. */
export function readUnsigned(bytes: Uint8Array): number {
  let value = 0
  for (const byte of bytes) value = value * 256 + byte
  return value
}

/** `shiftMs`: from now. */
export function nowSeconds(shiftMs = 0): string {
  return Math.floor((Date.now() + shiftMs) / 1000).toString()
}

export function newStanzaId(): string {
  return randomBytes(8).toString('hex').toUpperCase()
}
