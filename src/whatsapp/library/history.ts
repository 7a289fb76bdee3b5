// A part of a history that the phone of the account has sent, read with a bound. The schema allows hundreds of thousands of empty chats in
// one frame, and the library makes objects of two kilobytes of them.
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createInflate, inflate } from 'node:zlib'
import {
  type Chat,
  downloadContentFromMessage,
  jidDecode,
  processHistoryMessage,
  proto,
  type WAMessage,
} from 'baileys'
import protobuf from 'protobufjs/minimal.js'

/** Elements of a list. Phones send parts with a few thousand messages, and all names of people at once. */
const MAX_ELEMENTS = 50_000
const MAX_CHATS = 20_000
const CONVERSATIONS = 2
/** An element that is shorter has not even an identifier. */
const LEAST_BYTES = 3
/** Of a part that is in the message itself, which has 720 kB. */
const MAX_INLINE_BYTES = 64 * 1024 * 1024

export type History = ReturnType<typeof processHistoryMessage> & {
  /** Something in it was over a bound, and is missing. */
  truncated: boolean
}

export async function readHistoryPart(
  notification: proto.Message.IHistorySyncNotification,
  options: RequestInit,
): Promise<History> {
  const { initialHistBootstrapInlinePayload: inline } = notification
  const whole = inline
    ? await promisify(inflate)(inline, { maxOutputLength: MAX_INLINE_BYTES })
    : await download(notification, options)
  const { bytes, truncated } = boundLists(whole)
  const history = processHistoryMessage(proto.HistorySync.decode(bytes))
  const bounded = boundHistory(history)
  return { ...history, ...bounded, truncated: truncated || bounded.truncated }
}

async function download(
  notification: proto.Message.IHistorySyncNotification,
  options: RequestInit,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const inflater = createInflate().on('data', (chunk: Buffer) => chunks.push(chunk))
  await pipeline(await downloadContentFromMessage(notification, 'md-msg-hist', { options }), inflater)
  return Buffer.concat(chunks)
}

const LENGTH_DELIMITED = 2

/** The same bytes without empty elements, and with the first elements of each list: fields of the root, before they are decoded. */
export function boundLists(bytes: Buffer): { bytes: Buffer; truncated: boolean } {
  const counts = new Map<number, number>()
  const kept: Buffer[] = []
  let keptFrom = 0
  const reader = protobuf.Reader.create(bytes)
  while (reader.pos < reader.len) {
    const start = reader.pos
    const tag = reader.uint32()
    if ((tag & 7) !== LENGTH_DELIMITED) {
      reader.skipType(tag & 7)
      continue
    }
    const field = tag >>> 3
    const length = reader.uint32()
    reader.skip(length)
    const count = (counts.get(field) ?? 0) + 1
    counts.set(field, count)
    if (length >= LEAST_BYTES && count <= (field === CONVERSATIONS ? MAX_CHATS : MAX_ELEMENTS)) continue
    kept.push(bytes.subarray(keptFrom, start))
    keptFrom = reader.pos
  }
  if (keptFrom === 0) return { bytes, truncated: false }
  return { bytes: Buffer.concat([...kept, bytes.subarray(keptFrom)]), truncated: true }
}

interface HistoryLists<C, M> {
  chats: readonly C[]
  messages: readonly M[]
}

/** Chats and messages that have a name, each chat once. */
export function boundHistory<C extends Pick<Chat, 'id'>, M extends Pick<WAMessage, 'key'>>(
  history: HistoryLists<C, M>,
): { chats: C[]; messages: M[]; truncated: boolean } {
  const named = new Map<string, C>()
  for (const chat of history.chats) if (chat.id && jidDecode(chat.id)) named.set(chat.id, chat)
  const chats = [...named.values()]
  const messages = history.messages.filter(({ key }) => key?.id && key.remoteJid).slice(0, MAX_ELEMENTS)
  return {
    chats,
    messages,
    truncated: chats.length < history.chats.length || messages.length < history.messages.length,
  }
}
