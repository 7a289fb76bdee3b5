// Receives without loss: a message is committed, together with the keys that decrypting it used up, before its receipt is sent to
// the network. The next message is decrypted meanwhile, so that the messages of a burst share commits (decision 0087).
import { createHash } from 'node:crypto'
import { arrivalName, isStorableId, stanzaName } from '../../network/arrival-names.ts'
import type { Arrival, ArrivalGuard } from '../../network/network.ts'
import type { Decryption, KeepArrival } from '../library/arrival-commits.ts'
import { type BinaryNode, binaryNodeToString } from '../library/protocol.ts'
import { boundPlain } from '../library/received-limits.ts'
import { UnreadableMessage } from '../library/retry-requests.ts'
import type { HeldCredentials } from '../library/write-barrier.ts'
import type { Unreadable } from './unreadable.ts'
import {
  childrenOf,
  isBadCertificate,
  isReadable,
  SKIPPED_BY_LIBRARY,
  type UnreadableReason,
  unreadableReason,
  VIEW_ONCE_TYPES,
} from './unreadable-rules.ts'

/** What is stored of a received message until it is interpreted. */
export interface ArrivalRecord {
  attrs: Record<string, string>
  /** Decrypted and still padded, as the library expects it. */
  plain: Buffer
  /** Only the phone of the account gets the content, because the message can be opened only once. */
  isViewOnce?: boolean | undefined
  /** Something in it was over a bound, and is missing in `plain`. */
  truncated?: boolean | undefined
  /** The content could not be read. */
  unreadable?: UnreadableReason | undefined
}

export interface ArrivalKeeper {
  /** Decrypts a message, and stores it with the keys that it used up. */
  keep: KeepArrival
  /** Must be called with each message stanza before the library handles it, so that ciphertexts can be traced to their stanza. */
  noteStanza(stanza: BinaryNode): void
  /** The library gave up on a message, given in its text form, and acknowledges it with an error. */
  givenUp(text: string): void
  unreadable: Unreadable
}

/** The stanza of a ciphertext, and the name of the arrival that it becomes. */
interface Origin {
  stanza: BinaryNode
  name: string
  /** Whether the part has the content of the message, not only keys. */
  isContent: boolean
  /** Shared by the parts of a message: how many are not decrypted yet, and whether the content is there. */
  message: { open: number; isRead: boolean }
}

/** Messages between decryption and the end of their processing. The network waits with the others, which take no memory here. */
const MAX_IN_PROGRESS = 500

/** Messages that the library handles. Beyond this the oldest is forgotten: the library has dropped it without notice. */
const MAX_IN_HAND = 1000

/**
 * Messages from their stanza to the decryption of their content. In between, the library looks up and stores identifiers of the sender;
 * an error there would end in an acknowledgement and nothing else.
 */
function createInHand() {
  /** The opening tag of each stanza. Comparing whole texts would render the content of all of them for each message that is given up. */
  const stanzas = new Map<BinaryNode, string>()
  return {
    add(stanza: BinaryNode): void {
      stanzas.set(stanza, openingOf(stanza))
      const [oldest] = stanzas.keys()
      if (stanzas.size > MAX_IN_HAND && oldest) stanzas.delete(oldest)
    },
    settle: (stanza: BinaryNode) => stanzas.delete(stanza),
    /** The library tells which message it was by its text form alone. Of several with the same attributes, it is the oldest. */
    take(text: string): BinaryNode | undefined {
      for (const [stanza, opening] of stanzas) {
        if (!text.startsWith(opening) || !ENDS_OF_OPENING.has(text.charAt(opening.length))) continue
        stanzas.delete(stanza)
        return stanza
      }
      return undefined
    },
  }
}

const ENDS_OF_OPENING = new Set(['>', '/'])
const openingOf = ({ tag, attrs }: BinaryNode): string =>
  binaryNodeToString({ tag, attrs }).slice(0, -'/>'.length)

type Progress = ReturnType<typeof createProgress>

/** Follows arrivals from decryption to the end of their processing. */
function createProgress(onArrived: (arrival: Arrival) => Promise<void>) {
  const unstored = new Map<string, Uint8Array>()
  const inProgress = new Set<Promise<void>>()

  async function follow({ name, payload }: Arrival, stored: Promise<void>): Promise<void> {
    unstored.set(name, payload)
    try {
      await stored.finally(() => unstored.delete(name))
      await onArrived({ name, payload })
    } catch {
      // The write barrier has closed the connection, or the connection has ended: the network or the store keeps the message.
    }
  }
  return {
    /** The payload of an arrival that is being stored. */
    unstored: (name: string): Uint8Array | undefined => unstored.get(name),
    async waitForRoom(): Promise<void> {
      if (inProgress.size >= MAX_IN_PROGRESS) await inProgress.values().next().value
    },
    track(arrival: Arrival, stored: Promise<void>): void {
      const progress = follow(arrival, stored).finally(() => inProgress.delete(progress))
      inProgress.add(progress)
    },
  }
}

/** Reading a message has no content if this part of it could not be decrypted: the padding of an empty message. */
const EMPTY = Buffer.from([1])

export interface KeeperParts {
  credentials: Pick<HeldCredentials, 'findArrival' | 'writeBehind' | 'hold' | 'read'>
  /** Called when the arrival is stored. The promise settles when it is processed. */
  onArrived(arrival: Arrival): Promise<void>
  guard?: ArrivalGuard | undefined
  /** Whether a message with this id was read before. */
  isKnown(messageId: string): Promise<boolean>
  /** Whether the attributes of a message name a chat and an author, as the library reads them. */
  isAddressed(attrs: BinaryNode['attrs']): boolean
  /** Makes the list of messages that could not be decrypted. */
  unreadable(follow: Pick<Progress, 'track'>): Unreadable
}

export function createArrivalKeeper(parts: KeeperParts): ArrivalKeeper {
  const { credentials, isKnown } = parts
  const inHand = createInHand()
  const origins = new WeakMap<Uint8Array, Origin>()
  const progress = createProgress(parts.onArrived)
  const unreadable = parts.unreadable(progress)
  const read = createReader(credentials, progress, parts.guard)

  const keep: KeepArrival = async (ciphertext, decryption) => {
    const origin = origins.get(ciphertext)
    if (!origin) return decryption.transaction(decryption.decrypt)
    const { message, stanza } = origin
    message.open -= 1
    try {
      const plain = await read(origin, decryption)
      if (origin.isContent) message.isRead = true
      if (message.isRead || message.open === 0) inHand.settle(stanza)
      if (message.isRead) unreadable.arrived(stanza.attrs.id)
      else if (message.open === 0) await unreadable.failed(stanza, 'decryption_failed')
      return plain
    } catch (error) {
      // A used key with a known id is a repeated delivery, which is confirmed. With another id, the sender has used the key twice.
      if (isUsedKey(error) && (await isKnown(stanza.attrs.id ?? ''))) message.isRead = true
      if (message.isRead || message.open === 0) inHand.settle(stanza)
      if (message.isRead || message.open > 0) return EMPTY
      await unreadable.failed(stanza, 'decryption_failed')
      throw new UnreadableMessage('asked for again', { cause: error })
    }
  }

  return {
    noteStanza(stanza) {
      // The library processes missed messages in order, but live messages at once and in between. Marked as missed, a live
      // message joins the same queue, and each chat keeps the order of the network.
      stanza.attrs.offline ??= 'no'
      if (isSetAside(stanza, parts)) return
      if (Array.isArray(stanza.content))
        stanza.content = stanza.content.filter((part) => !isBadCertificate(part))
      const reason = unreadableReason(stanza)
      if (reason) return noteUnreadable(stanza, reason, unreadable)
      const placeholder = takePlaceholder(stanza)
      for (const [content, origin] of originsIn(stanza, placeholder !== undefined)) {
        origins.set(content, origin)
        if (!origin.message.isRead) inHand.add(stanza)
      }
      if (placeholder) progress.track(placeholder, credentials.writeBehind([], [placeholder]))
    },
    givenUp(text) {
      const stanza = inHand.take(text)
      // The acknowledgement that follows waits until this is stored.
      if (stanza) void unreadable.failed(stanza, 'decryption_failed')
    },
    keep,
    unreadable,
  }
}

const USED_KEY = 'MessageCounterError'
const isUsedKey = (error: unknown): boolean => error instanceof Error && error.name === USED_KEY

/** Decrypts and stores one part. */
function createReader(
  credentials: Pick<HeldCredentials, 'findArrival'>,
  progress: Progress,
  guard: ArrivalGuard | undefined,
) {
  return async (
    { name, stanza }: Origin,
    { transaction, decrypt, store }: Decryption,
  ): Promise<Uint8Array> => {
    const open = async () => boundPlain(Buffer.from(await decrypt()))
    const repeated = progress.unstored(name)
    if (repeated) return decodeArrival(repeated).plain
    await progress.waitForRoom()
    const stored = Promise.withResolvers<void>()
    stored.promise.catch(() => undefined)
    try {
      return await transaction(async () => {
        const { plain, truncated } = await (guard?.run([name], open) ?? open())
        const payload = encodeArrival({ attrs: stanza.attrs, plain, ...(truncated && { truncated }) })
        progress.track({ name, payload }, stored.promise)
        await store(name, { payload, stored })
        return plain
      })
    } catch (error) {
      stored.reject(error)
      // Delivered again, because the acknowledgement was lost: the keys are used up, but the message is stored.
      const known = await credentials.findArrival(name)
      if (!known) throw error
      return decodeArrival(known).plain
    }
  }
}

/** A message in which nothing can be decrypted. The library acknowledges it after it is stored, and does nothing else. */
function noteUnreadable(stanza: BinaryNode, reason: UnreadableReason, unreadable: Unreadable): void {
  void unreadable.failed(stanza, reason)
  stanza.content = [{ tag: 'unavailable', attrs: { type: SKIPPED_BY_LIBRARY } }]
}

const VIEW_ONCE = 'view_once'

/**
 * The arrival of a message that only the phone may open; undefined for other messages. It is stored like a decrypted one, before the
 * library acknowledges it. In a group, keys of the sender may accompany the placeholder.
 */
function takePlaceholder(stanza: BinaryNode): Arrival | undefined {
  const { attrs } = stanza
  const placeholder = childrenOf(stanza).find(
    ({ tag, attrs: { type } }) => tag === 'unavailable' && VIEW_ONCE_TYPES.has(type),
  )
  if (!placeholder) return undefined
  // With this type the library does not ask the phone for content, which the phone never gives away.
  placeholder.attrs.type = SKIPPED_BY_LIBRARY
  return {
    name: arrivalName(stanzaName(attrs), VIEW_ONCE),
    payload: encodeArrival({ attrs, plain: Buffer.alloc(0), isViewOnce: true }),
  }
}

/** Attributes of a stanza that become part of keys, here and in the library. */
const KEY_ATTRIBUTES = [
  'from',
  'participant',
  'recipient',
  'id',
  'sender_pn',
  'sender_lid',
  'participant_pn',
  'participant_lid',
]

/**
 * A message that must not be handled: its identifiers cannot be stored, it names no chat and author, or it ended the process before. The
 * library acknowledges it as it does a placeholder, or with an error, after it is stored, without decrypting anything and without asking
 * for it again.
 */
function isSetAside(
  stanza: BinaryNode,
  { guard, credentials, isAddressed }: Pick<KeeperParts, 'guard' | 'credentials' | 'isAddressed'>,
): boolean {
  if (!guard) return false
  const { attrs, content } = stanza
  const name = stanzaName(attrs)
  const isMalformed =
    KEY_ATTRIBUTES.some((attribute) => !isStorableId(attrs[attribute] ?? '')) || !isAddressed(attrs)
  if (!isMalformed && !guard.isFatal(name)) return false
  const parts = (Array.isArray(content) ? content : []).flatMap(({ tag, content: bytes }) =>
    bytes instanceof Uint8Array ? [{ tag, bytes: Buffer.from(bytes).toString('base64') }] : [],
  )
  const payload = Buffer.from(JSON.stringify({ attrs, parts }))
  credentials.hold(guard.setAside({ name, payload, reason: isMalformed ? 'malformed' : 'ended_process' }))
  stanza.content = [{ tag: 'unavailable', attrs: { type: SKIPPED_BY_LIBRARY } }]
  return true
}

/** The encrypted parts of a message, each with the name of the arrival that it becomes. Others are removed. */
function originsIn(stanza: BinaryNode, isPlaceholder: boolean): [Uint8Array, Origin][] {
  const children = childrenOf(stanza)
  if (Array.isArray(stanza.content))
    stanza.content = children.filter((part) => part.tag !== 'enc' || isReadable(part))
  const readable = children.map((part, index) => ({ part, index })).filter(({ part }) => isReadable(part))
  // In a group the other parts carry keys only, except in a message that is sent again.
  const hasGroupPart = readable.some(({ part }) => part.attrs.type === GROUP_PART)
  const message = { open: readable.length, isRead: isPlaceholder }
  return readable.map(({ part: { attrs, content }, index }) => {
    const bytes = content as Uint8Array
    // A repeated delivery has the same bytes. A retry is encrypted again, and is another arrival.
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
    const name = arrivalName(stanzaName(stanza.attrs), index, digest)
    return [bytes, { stanza, name, message, isContent: !hasGroupPart || attrs.type === GROUP_PART }]
  })
}

const GROUP_PART = 'skmsg'

export const encodeArrival = ({ plain, ...record }: ArrivalRecord): Uint8Array =>
  Buffer.from(JSON.stringify({ ...record, plain: plain.toString('base64') }))

export function decodeArrival(payload: Uint8Array): ArrivalRecord {
  const { plain, ...record } = JSON.parse(Buffer.from(payload).toString()) as Omit<ArrivalRecord, 'plain'> & {
    plain: string
  }
  return { ...record, plain: Buffer.from(plain, 'base64') }
}
