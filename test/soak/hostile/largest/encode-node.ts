// Encodes a stanza, with the short words of the dictionary and without its other compressions. The encoder of the library collects single bytes in an array, which takes most
// of a second for a stanza of the largest size.
import type { BinaryNode } from 'baileys'
import { SINGLE_BYTE_TOKENS } from 'baileys/lib/WABinary/constants.js'

const LIST_EMPTY = 0
const LIST_8 = 248
const LIST_16 = 249
const BINARY_8 = 252
const BINARY_20 = 253
const BYTE = 256
/** The first byte of a stanza: it is not compressed. */
const PLAIN = Buffer.from([0])

function listHead(length: number): Buffer {
  if (length === 0) return Buffer.from([LIST_EMPTY])
  return length < BYTE ? Buffer.from([LIST_8, length]) : Buffer.from([LIST_16, length >> 8, length % BYTE])
}

function binary(content: Uint8Array): Buffer[] {
  const { length } = content
  const head =
    length < BYTE
      ? [BINARY_8, length]
      : [BINARY_20, (length >> 16) & 0x0f, (length >> 8) % BYTE, length % BYTE]
  return [Buffer.from(head), Buffer.from(content)]
}

const words = new Map(SINGLE_BYTE_TOKENS.map((word, index) => [word, index] as const))

function text(value: string): Buffer[] {
  const index = value === '' ? undefined : words.get(value)
  return index === undefined ? binary(Buffer.from(value)) : [Buffer.from([index])]
}

function collect({ tag, attrs, content }: BinaryNode, parts: Buffer[]): void {
  const entries = Object.entries(attrs)
  parts.push(listHead(1 + 2 * entries.length + (content === undefined ? 0 : 1)), ...text(tag))
  for (const [name, value] of entries) parts.push(...text(name), ...text(value))
  if (Array.isArray(content)) {
    parts.push(listHead(content.length))
    for (const child of content) collect(child, parts)
  } else if (content !== undefined) parts.push(...binary(Buffer.from(content)))
}

export function encodeNode(node: BinaryNode): Buffer {
  const parts = [PLAIN]
  collect(node, parts)
  return Buffer.concat(parts)
}
