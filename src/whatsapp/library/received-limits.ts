// The gate of received content: every list, text and number that a stranger has sent is bounded here, before the library and the
// conversions see it. What is over a bound is cut; a message is then marked, and a cut stanza is logged (decision 0189).
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, proto, unpadRandomMax16 } from 'baileys'
import protobuf from 'protobufjs/minimal.js'
import { cutText } from '../../contract/bounded-json.ts'

/**
 * Values that are read of one message, tags included. A group has at most 1,024 members to mention, which takes a tenth of this. The
 * rest of a message with more is not decoded, because each element costs memory and time however small it is.
 */
const MAX_READS = 20_000

/** Real messages have at most a dozen levels. */
const MAX_DEPTH = 32

/** Elements of a list, by the name of its field. */
const MAX_ELEMENTS = 256
const LISTS: Readonly<Record<string, number>> = {
  // Everyone in the largest group.
  mentionedJid: 1024,
  groupMentions: 1024,
  // Phones take ten.
  buttons: 32,
  // Phones offer twelve.
  options: 100,
  selectedOptions: 100,
  // Only the phone of the account may send these.
  keys: 4096,
  keyIds: 4096,
  peerDataOperationResult: 4096,
}

/** Code units of a text, by the name of its field. A text message has at most 65,536. */
const MAX_TEXT = 65_536
const TEXTS: Readonly<Record<string, number>> = {
  optionName: 255,
  displayName: 512,
  // With a photo, which is not read.
  vcard: 131_072,
  caption: 65_536,
  id: 1024,
  stanzaId: 1024,
  participant: 512,
  remoteJid: 512,
  mentionedJid: 512,
  directPath: 4096,
  url: 8192,
  mimetype: 256,
  fileName: 1024,
  // JSON: what is longer cannot be read.
  buttonParamsJson: 16_384,
}

/** As `TEXTS`, for fields whose name alone does not say what they are. */
const TEXTS_IN: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // An emoji is a few code points; the longest flags have fourteen code units.
  reactionMessage: { text: 64 },
}

/** Bytes of an opaque field, by its name. A part of them is of no use, so longer ones are left out. */
const MAX_BYTES = 524_288
const BYTES: Readonly<Record<string, number>> = {
  jpegThumbnail: 131_072,
  // Keys and hashes have 32 bytes.
  mediaKey: 64,
  fileSha256: 64,
  fileEncSha256: 64,
  messageSecret: 64,
  encKey: 64,
  encIv: 64,
  // Only the phone of the account may send these.
  initialHistBootstrapInlinePayload: 16_777_216,
  encodedMappingPayload: 16_777_216,
  webMessageInfoBytes: 1_048_576,
}

/** A type of the library, with its name where it is a field. */
export interface WireType<T> {
  decode(reader: protobuf.Reader): T
}

export interface Bounded<T> {
  content: T
  /** Something was over a bound, and is missing. */
  truncated: boolean
}

/** Throws for bytes that are not of this type. `name` is the field that has this type in a message. */
export function decodeBounded<T extends object>(type: WireType<T>, bytes: Uint8Array, name = ''): Bounded<T> {
  const reader = new BoundedReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const content = type.decode(reader)
  const isCut = cutFields(content as Fields, name, 0)
  return { content, truncated: isCut || reader.isSpent }
}

/** Undefined for bytes that are not a message. */
export function decodeMessage(padded: Uint8Array): Bounded<proto.IMessage> | undefined {
  try {
    return decodeBounded(proto.Message, unpadRandomMax16(padded))
  } catch {
    return undefined
  }
}

/** The padding that the library removes. */
const PADDING = Buffer.from([1])

/** The decrypted bytes of a message, as the library decodes them: those that are given, if all is within the bounds. */
export function boundPlain(padded: Buffer): { plain: Buffer; truncated: boolean } {
  const decoded = decodeMessage(padded)
  if (!decoded?.truncated) return { plain: padded, truncated: false }
  const encoded = proto.Message.encode(decoded.content).finish()
  return { plain: Buffer.concat([encoded, PADDING]), truncated: true }
}

type Fields = Record<string, unknown>

/** Returns whether something was cut. Longs have fields too, which are numbers. */
function cutFields(fields: Fields, owner: string, depth: number): boolean {
  let isCut = false
  const texts = TEXTS_IN[owner]
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (typeof value === 'string') {
      const max = texts?.[name] ?? TEXTS[name] ?? MAX_TEXT
      if (value.length <= max) continue
      fields[name] = cutText(value, max)
      isCut = true
    } else if (typeof value === 'object' && value !== null) {
      if (value instanceof Uint8Array) {
        if (value.length <= (BYTES[name] ?? MAX_BYTES)) continue
        delete fields[name]
        isCut = true
      } else if (depth >= MAX_DEPTH) {
        delete fields[name]
        isCut = true
      } else if (Array.isArray(value)) isCut = cutList(value, name, depth) || isCut
      else isCut = cutFields(value as Fields, name, depth + 1) || isCut
    }
  }
  return isCut
}

function cutList(list: unknown[], name: string, depth: number): boolean {
  const max = LISTS[name] ?? MAX_ELEMENTS
  let isCut = list.length > max
  if (isCut) list.length = max
  // A list is cut as an object whose fields all have its name.
  for (const [index, element] of list.entries()) {
    const field: Fields = { [name]: element }
    if (!cutFields(field, name, depth + 1)) continue
    list[index] = field[name] ?? Buffer.alloc(0)
    isCut = true
  }
  return isCut
}

/** A field that a later version may encode as a group would be skipped without an end: this version has none. */
const GROUP = 3

/**
 * Reads at most `MAX_READS` values. Then it is behind every position that a sender can name, so that every message and list that is being
 * decoded ends. The end of the bytes would not do: a length may exceed them, and its decoder would read zeros without an end.
 */
class BoundedReader extends protobuf.BufferReader {
  isSpent = false
  #left = MAX_READS

  #may(): boolean {
    if (this.#left > 0) {
      this.#left -= 1
      return true
    }
    this.isSpent = true
    this.pos = BEHIND_ALL
    return false
  }
  // Tags, lengths, and all numbers and booleans that are varints of 32 bits.
  override uint32(): number {
    return this.#may() ? super.uint32() : 0
  }
  override string(): string {
    return this.#may() ? super.string() : ''
  }
  override bytes(): Buffer {
    return this.#may() ? (super.bytes() as Buffer) : Buffer.alloc(0)
  }
  override skipType(wireType: number): protobuf.BufferReader {
    if (wireType === GROUP) throw new Error('groups are not part of the protocol')
    if (this.#may()) super.skipType(wireType)
    return this
  }
  // Lists of numbers are packed: one length, and then values alone.
  override int64() {
    return this.#may() ? super.int64() : NO_LONG
  }
  override uint64() {
    return this.#may() ? super.uint64() : NO_LONG
  }
  override sint64() {
    return this.#may() ? super.sint64() : NO_LONG
  }
  override fixed64() {
    return this.#may() ? super.fixed64() : NO_LONG
  }
  override sfixed64() {
    return this.#may() ? super.sfixed64() : NO_LONG
  }
  override fixed32(): number {
    return this.#may() ? super.fixed32() : 0
  }
  override sfixed32(): number {
    return this.#may() ? super.sfixed32() : 0
  }
  override float(): number {
    return this.#may() ? super.float() : 0
  }
  override double(): number {
    return this.#may() ? super.double() : 0
  }
}

/** Lengths have 32 bits. */
const BEHIND_ALL = Number.MAX_SAFE_INTEGER

const NO_LONG = { low: 0, high: 0, unsigned: false }

/** Children of a stanza's element, by its tag. */
const MAX_CHILDREN = 2048
const CHILDREN: Readonly<Record<string, number>> = {
  // Of a receipt: the ids of the messages.
  list: 256,
  presence: 16,
  chatstate: 16,
  call: 64,
}
const MAX_STANZA_DEPTH = 16
/** Elements of one stanza. A group with its members is a tenth of this. */
const MAX_NODES = 20_000
/** Code units of an attribute. Identifiers that are longer are refused as malformed where they are read. */
const MAX_ATTRIBUTE = 1024
const IDENTIFIERS: ReadonlySet<string> = new Set(['id', 'from', 'to', 'participant', 'recipient'])
/** Bytes of an element, except of those that are ciphertexts. */
const MAX_CONTENT = 65_536
const CIPHERTEXTS: ReadonlySet<string> = new Set(['enc', 'plaintext'])
/** Answers to queries of this account. They come from the network, and a group list may be long. */
const ANSWER = 'iq'

/** Cuts a stanza in place. Returns whether something was cut. */
export function boundStanza(stanza: BinaryNode): boolean {
  if (stanza.tag === ANSWER) return boundPatches(stanza)
  const left = { nodes: MAX_NODES }
  return cutNode(stanza, 0, left)
}

function cutNode(node: BinaryNode, depth: number, left: { nodes: number }): boolean {
  let isCut = cutAttributes(node.attrs)
  const { content, tag } = node
  if (content instanceof Uint8Array) {
    if (tag === 'plaintext') isCut = boundPlaintext(node, content) || isCut
    else if (!CIPHERTEXTS.has(tag) && content.length > MAX_CONTENT) {
      node.content = content.subarray(0, MAX_CONTENT)
      isCut = true
    }
  } else if (typeof content === 'string') {
    if (content.length > MAX_CONTENT) {
      node.content = cutText(content, MAX_CONTENT)
      isCut = true
    }
  } else if (content) {
    const max = depth >= MAX_STANZA_DEPTH ? 0 : Math.min(CHILDREN[tag] ?? MAX_CHILDREN, left.nodes)
    if (content.length > max) {
      content.length = max
      isCut = true
    }
    left.nodes -= content.length
    for (const child of content) isCut = cutNode(child, depth + 1, left) || isCut
  }
  return isCut
}

function cutAttributes(attrs: BinaryNode['attrs']): boolean {
  let isCut = false
  for (const [name, value] of Object.entries(attrs)) {
    if (typeof value !== 'string' || value.length <= MAX_ATTRIBUTE || IDENTIFIERS.has(name)) continue
    attrs[name] = cutText(value, MAX_ATTRIBUTE)
    isCut = true
  }
  return isCut
}

/** Changes of one patch of the app state. Devices put larger changes into a file, and at most a hundred into a patch. */
const MAX_MUTATIONS = 1024

/** The changes of the app state that other devices of the account have made, in the answer to the request for them. */
function boundPatches(answer: BinaryNode): boolean {
  let isCut = false
  for (const collection of getBinaryNodeChildren(getBinaryNodeChild(answer, 'sync'), 'collection'))
    for (const patch of patchesIn(collection)) isCut = boundPatch(patch) || isCut
  return isCut
}

const patchesIn = (collection: BinaryNode): BinaryNode[] =>
  getBinaryNodeChildren(getBinaryNodeChild(collection, 'patches') ?? collection, 'patch')

/** The library creates an error, with its stack, for each change without a key or a content. */
function boundPatch(patch: BinaryNode): boolean {
  const { content } = patch
  if (!(content instanceof Uint8Array)) return false
  try {
    const reader = new BoundedReader(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
    const decoded = proto.SyncdPatch.decode(reader)
    const readable = decoded.mutations.filter(isReadable)
    if (!reader.isSpent && readable.length === decoded.mutations.length && readable.length <= MAX_MUTATIONS)
      return false
    decoded.mutations = readable.slice(0, MAX_MUTATIONS)
    patch.content = proto.SyncdPatch.encode(decoded).finish()
  } catch {
    patch.content = new Uint8Array()
  }
  return true
}

const isReadable = ({ record }: proto.ISyncdMutation): boolean =>
  Boolean(record?.index?.blob && record.value?.blob && record.keyId?.id)

/** A message that is not encrypted, as channels have it: the library decodes it as it is. */
function boundPlaintext(node: BinaryNode, content: Uint8Array): boolean {
  try {
    const decoded = decodeBounded(proto.Message, content)
    if (!decoded.truncated) return false
    node.content = proto.Message.encode(decoded.content).finish()
  } catch {
    node.content = new Uint8Array()
  }
  return true
}
