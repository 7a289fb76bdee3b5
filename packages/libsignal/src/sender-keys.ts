// The keys of one sender in one group. Like sessions, records are never changed.
import { randomBytes, randomInt } from 'node:crypto'
import { createReader, createWriter, type Reader, type Writer } from './bytes.ts'
import { generateKeyPair } from './curve.ts'
import { isEarlierSenderKey, readEarlierSenderKey } from './earlier-sender-keys.ts'
import { isSoundSenderKey, limitSenderKeys } from './record-limits.ts'
import type { SenderKey } from './sender-key.ts'

const FORMAT = 1
/** Earlier keys of a sender are kept for late messages. */
const MAX_KEYS = 5
/** How many messages may be missing before one that arrives, as in the official library. */
export const MAX_STEPS = 25_000
const MAX_ID = 2 ** 31 - 1
const SEED_LENGTH = 32

export class SenderKeyRecord {
  /** The newest is the last. */
  readonly keys: readonly SenderKey[]

  constructor(keys: readonly SenderKey[]) {
    this.keys = keys
  }

  /** Accepts a record, its bytes, or the bytes that earlier versions stored. */
  static deserialize(value: unknown): SenderKeyRecord {
    if (value instanceof SenderKeyRecord) return value
    if (!(value instanceof Uint8Array)) throw new Error('Unknown format of a sender key')
    const keys = isEarlierSenderKey(value) ? readEarlierSenderKey(value) : decodeKeys(value)
    // Earlier versions stored larger records, and numbers that are refused today.
    return new SenderKeyRecord(limitSenderKeys(keys.filter(isSoundSenderKey)))
  }

  toBytes(): Buffer {
    const writer = createWriter()
    writer.number(FORMAT)
    writer.number(this.keys.length)
    for (const key of this.keys) writeKey(writer, key)
    return writer.finish()
  }

  with(changed: SenderKey): SenderKeyRecord {
    return new SenderKeyRecord(
      limitSenderKeys(this.keys.map((key) => (key.id === changed.id ? changed : key))),
    )
  }

  /**
   * Makes this key the newest. A key that is known already keeps its state, which may be further, unless the sender has gone on so
   * far that no message can reach it: then the given state replaces it.
   */
  add(added: SenderKey): SenderKeyRecord {
    const known = this.keys.find(
      ({ id, signingKey }) => id === added.id && signingKey.equals(added.signingKey),
    )
    const others = this.keys.filter(({ id }) => id !== added.id)
    return new SenderKeyRecord([...others, merge(known, added)].slice(-MAX_KEYS))
  }
}

function merge(known: SenderKey | undefined, added: SenderKey): SenderKey {
  if (!known) return added
  return added.iteration - known.iteration > MAX_STEPS ? { ...added, skipped: known.skipped } : known
}

export function createSenderKey(): SenderKeyRecord {
  const { pubKey, privKey } = generateKeyPair()
  return new SenderKeyRecord([
    {
      id: randomInt(MAX_ID),
      iteration: 0,
      chainKey: randomBytes(SEED_LENGTH),
      signingKey: pubKey,
      signingSecret: privKey,
      skipped: new Map(),
    },
  ])
}

function decodeKeys(bytes: Uint8Array): SenderKey[] {
  const reader = createReader(Buffer.from(bytes))
  if (reader.number() !== FORMAT) throw new Error('Unknown format of a sender key')
  return Array.from({ length: reader.number() }, () => readKey(reader))
}

function writeKey(writer: Writer, key: SenderKey): void {
  writer.number(key.id)
  writer.number(key.iteration)
  writer.bytes(key.chainKey)
  writer.bytes(key.signingKey)
  writer.bytes(key.signingSecret ?? new Uint8Array())
  writer.number(key.skipped.size)
  for (const [iteration, seed] of key.skipped) {
    writer.number(iteration)
    writer.bytes(seed)
  }
}

function readKey(reader: Reader): SenderKey {
  const [id, iteration] = [reader.storedNumber(), reader.storedNumber()]
  const [chainKey, signingKey, secret] = [reader.bytes(), reader.bytes(), reader.bytes()]
  const skipped = Array.from({ length: reader.storedNumber() }, (): [number, Buffer] => [
    reader.storedNumber(),
    reader.bytes(),
  ])
  const signingSecret = secret.length === 0 ? null : secret
  return { id, iteration, chainKey, signingKey, signingSecret, skipped: new Map(skipped) }
}
