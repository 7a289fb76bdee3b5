// The four functions that the network library imports from `whatsapp-rust-bridge`, which is a WebAssembly module of 1.5 MB.
import { createHash, hkdfSync } from 'node:crypto'

const NO_SALT = Buffer.alloc(32)
const KEY_LENGTH = 32
const HASH_LENGTH = 128
const APP_STATE_KEYS = 'WhatsApp Mutation Keys'
const PATCH_INTEGRITY = 'WhatsApp Patch Integrity'

export const md5 = (data: Uint8Array): Buffer => createHash('md5').update(data).digest()

/** HKDF with SHA-256. */
export function hkdf(
  input: Uint8Array,
  length: number,
  { salt, info }: { salt?: Uint8Array | null; info?: string | null },
): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt ?? NO_SALT, Buffer.from(info ?? ''), length))
}

/** The keys for the state of chats and contacts that linked devices share. */
export function expandAppStateKeys(keyData: Uint8Array): Record<AppStateKey, Buffer> {
  const derived = hkdf(keyData, APP_STATE_KEY_NAMES.length * KEY_LENGTH, { info: APP_STATE_KEYS })
  const keys = APP_STATE_KEY_NAMES.map((name, index) => {
    const start = index * KEY_LENGTH
    return [name, derived.subarray(start, start + KEY_LENGTH)] as const
  })
  return Object.fromEntries(keys) as Record<AppStateKey, Buffer>
}

const APP_STATE_KEY_NAMES = [
  'indexKey',
  'valueEncryptionKey',
  'valueMacKey',
  'snapshotMacKey',
  'patchMacKey',
] as const
type AppStateKey = (typeof APP_STATE_KEY_NAMES)[number]

/** A hash of a set: entries can be added and removed in any order. It adds up numbers of 16 bits that are derived from each. */
export class LTHashAntiTampering {
  subtractThenAdd(base: Uint8Array, subtracted: Uint8Array[], added: Uint8Array[]): Buffer {
    const sum = Buffer.from(base)
    for (const entry of subtracted) addTo(sum, entry, -1)
    for (const entry of added) addTo(sum, entry, 1)
    return sum
  }
}

function addTo(sum: Buffer, entry: Uint8Array, sign: 1 | -1): void {
  const derived = hkdf(entry, HASH_LENGTH, { info: PATCH_INTEGRITY })
  for (let offset = 0; offset < HASH_LENGTH; offset += 2)
    sum.writeUInt16LE((sum.readUInt16LE(offset) + sign * derived.readUInt16LE(offset)) & 0xffff, offset)
}
