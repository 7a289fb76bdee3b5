// Receives without loss: a message is committed, together with the keys that decrypting it used up, before its receipt is sent to
// the network. The next message is decrypted meanwhile, so that the messages of a burst share commits (decision 0087).
import { createHash } from 'node:crypto'
import { arrivalName, isStorableId, stanzaName } from '../../arrival-names.ts'
import type { Arrival, ArrivalGuard } from '../../network.ts'
import type { KeepArrival } from '../library/arrival-commits.ts'
import type { BinaryNode } from '../library/protocol.ts'
import type { HeldCredentials } from '../library/write-barrier.ts'

/** What is stored of a received message until it is interpreted. */
export interface ArrivalRecord {
  attrs: Record<string, string>
  /** Decrypted and still padded, as the library expects it. */
  plain: Buffer
  /** Only the phone of the account gets the content, because the message can be opened only once. */
  isViewOnce?: boolean | undefined
}

export interface ArrivalKeeper {
  /** Decrypts a message, and stores it with the keys that it used up. */
  keep: KeepArrival
  /** Must be called with each message stanza before the library handles it, so that ciphertexts can be traced to their stanza. */
  noteStanza(stanza: BinaryNode): void
}

/** The stanza of a ciphertext, and the name of the arrival that it becomes. */
interface Origin {
  stanza: BinaryNode
  name: string
}

/** Messages between decryption and the end of their processing. The network waits with the others, which take no memory here. */
const MAX_IN_PROGRESS = 500

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

export function createArrivalKeeper(
  credentials: Pick<HeldCredentials, 'findArrival' | 'writeBehind' | 'hold'>,
  /** Called when the arrival is stored. The promise settles when it is processed. */
  onArrived: (arrival: Arrival) => Promise<void>,
  guard?: ArrivalGuard,
): ArrivalKeeper {
  const origins = new WeakMap<Uint8Array, Origin>()
  const progress = createProgress(onArrived)

  const keep: KeepArrival = async (ciphertext, { transaction, decrypt, store }) => {
    const origin = origins.get(ciphertext)
    if (!origin) return transaction(decrypt)
    const repeated = progress.unstored(origin.name)
    if (repeated) return decodeArrival(repeated).plain
    await progress.waitForRoom()
    const stored = Promise.withResolvers<void>()
    stored.promise.catch(() => undefined)
    try {
      return await transaction(async () => {
        const plain = Buffer.from(await (guard?.run([origin.name], decrypt) ?? decrypt()))
        const payload = encodeArrival({ attrs: origin.stanza.attrs, plain })
        progress.track({ name: origin.name, payload }, stored.promise)
        await store(origin.name, { payload, stored })
        return plain
      })
    } catch (error) {
      stored.reject(error)
      // Delivered again, because the acknowledgement was lost: the keys are used up, but the message is stored.
      const known = await credentials.findArrival(origin.name)
      if (!known) throw error
      return decodeArrival(known).plain
    }
  }

  return {
    noteStanza(stanza) {
      // The library processes missed messages in order, but live messages at once and in between. Marked as missed, a live
      // message joins the same queue, and each chat keeps the order of the network.
      stanza.attrs.offline ??= 'no'
      if (isSetAside(stanza, guard, credentials)) return
      for (const { content, name } of ciphertextsIn(stanza)) origins.set(content, { stanza, name })
      const placeholder = takePlaceholder(stanza)
      if (placeholder) progress.track(placeholder, credentials.writeBehind([], [placeholder]))
    },
    keep,
  }
}

const VIEW_ONCE = 'view_once'
const SKIPPED_BY_LIBRARY = 'view_once_unavailable_fanout'
const VIEW_ONCE_TYPES: ReadonlySet<string | undefined> = new Set([VIEW_ONCE, SKIPPED_BY_LIBRARY])

/**
 * The arrival of a message that only the phone may open; undefined for other messages. It is stored like a decrypted one, before the
 * library acknowledges it. In a group, keys of the sender may accompany the placeholder.
 */
function takePlaceholder({ attrs, content: parts }: BinaryNode): Arrival | undefined {
  const children = Array.isArray(parts) ? parts : []
  const placeholder = children.find(
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
 * A message that must not be handled: its identifiers cannot be stored, or it ended the process before. The library acknowledges it
 * as it does a placeholder, after it is stored, without decrypting anything and without asking for it again.
 */
function isSetAside(
  stanza: BinaryNode,
  guard: ArrivalGuard | undefined,
  { hold }: Pick<HeldCredentials, 'hold'>,
): boolean {
  if (!guard) return false
  const { attrs, content } = stanza
  const name = stanzaName(attrs)
  const isMalformed = KEY_ATTRIBUTES.some((attribute) => !isStorableId(attrs[attribute] ?? ''))
  if (!isMalformed && !guard.isFatal(name)) return false
  const parts = (Array.isArray(content) ? content : []).flatMap(({ tag, content: bytes }) =>
    bytes instanceof Uint8Array ? [{ tag, bytes: Buffer.from(bytes).toString('base64') }] : [],
  )
  const payload = Buffer.from(JSON.stringify({ attrs, parts }))
  hold(guard.setAside({ name, payload, reason: isMalformed ? 'malformed' : 'ended_process' }))
  stanza.content = [{ tag: 'unavailable', attrs: { type: SKIPPED_BY_LIBRARY } }]
  return true
}

/** The encrypted parts of a message, each with the name of the arrival that it becomes. */
function ciphertextsIn({ attrs, content: parts }: BinaryNode) {
  const stanza = stanzaName(attrs)
  const children = Array.isArray(parts) ? parts : []
  return children.flatMap(({ tag, content }, index) => {
    if (tag !== 'enc' || !(content instanceof Uint8Array)) return []
    // A repeated delivery has the same bytes. A retry is encrypted again, and is another arrival.
    const digest = createHash('sha256').update(content).digest('base64url').slice(0, 16)
    return [{ content, name: arrivalName(stanza, index, digest) }]
  })
}

const encodeArrival = ({ plain, ...record }: ArrivalRecord): Uint8Array =>
  Buffer.from(JSON.stringify({ ...record, plain: plain.toString('base64') }))

export function decodeArrival(payload: Uint8Array): ArrivalRecord {
  const { plain, ...record } = JSON.parse(Buffer.from(payload).toString()) as Omit<ArrivalRecord, 'plain'> & {
    plain: string
  }
  return { ...record, plain: Buffer.from(plain, 'base64') }
}
