// Three implementations behind one interface, so that each can stand on either side of a conversation: this package, the JavaScript
// library that other programs on the network use, and a port of the official library to WebAssembly.
import * as javascript from 'libsignal-javascript'
import * as wasm from 'whatsapp-rust-bridge-wasm'
import * as own from '../src/index.ts'

interface KeyPair {
  pubKey: Buffer
  privKey: Buffer
}

export interface Bundle {
  registrationId: number
  identityKey: Buffer
  signedPreKey: { keyId: number; publicKey: Buffer; signature: Buffer }
  preKey?: { keyId: number; publicKey: Buffer }
}

export interface Sealed {
  type: number
  body: Buffer
}

export interface Side {
  readonly kind: Kind
  readonly peer: string
  /** New public keys, with a one-time key unless told otherwise. */
  publish(withPreKey?: boolean): Bundle
  begin(bundle: Bundle): Promise<void>
  encrypt(text: string): Promise<Sealed>
  decrypt(message: Sealed): Promise<string>
  /** The stored state as text; restoring an earlier one is what a crash before a write does. */
  save(): string
  restore(saved: string): void
  preKeys(): number
  /** The other implementation with the same keys and the same stored record. */
  as(kind: Kind): Side
}

export type Kind = 'own' | 'javascript' | 'wasm'
export const PAIRS: [Kind, Kind][] = [
  ['own', 'own'],
  ['own', 'javascript'],
  ['javascript', 'own'],
  ['own', 'wasm'],
  ['wasm', 'own'],
]

interface Library {
  SessionCipher: new (
    storage: never,
    address: never,
  ) => {
    encrypt(data: Buffer): Promise<{ type: number; body: Buffer }>
    decryptWhisperMessage(data: Buffer): Promise<Buffer>
    decryptPreKeyWhisperMessage(data: Buffer): Promise<Buffer>
  }
  SessionBuilder: new (storage: never, address: never) => { initOutgoing(bundle: Bundle): Promise<void> }
  SessionRecord: { deserialize(value: unknown): { serialize(): unknown } }
  ProtocolAddress: new (id: string, device: number) => { toString(): string }
}

// The JavaScript library prints whole sessions.
for (const method of ['info', 'warn', 'error'] as const) console[method] = () => undefined

const LIBRARIES = { own, javascript, wasm } as unknown as Record<Kind, Library>
const SIGNED_KEY_ID = 7

interface OwnKeys {
  identity: KeyPair
  signed: KeyPair
  registrationId: number
}

const createKeys = (): OwnKeys => ({
  identity: own.curve.generateKeyPair(),
  signed: own.curve.generateKeyPair(),
  registrationId: 1 + Math.floor(Math.random() * 16_000),
})

/** Addresses and ciphers of the WebAssembly module are freed with the process. */
export function createSide(kind: Kind, peer: string, keys = createKeys()): Side {
  const library = LIBRARIES[kind]
  const { identity, signed, registrationId } = keys
  const address = new library.ProtocolAddress(peer, 0)
  let session: string | null = null
  const created = new Map<number, KeyPair>()
  let preKeys = new Set<number>()
  let lastPreKeyId = 0
  const storage = {
    loadSession: () => (session === null ? null : decodeRecord(kind, session)),
    storeSession: (_: string, record: { serialize(): unknown }) => {
      session = encodeRecord(record.serialize())
    },
    isTrustedIdentity: () => true,
    loadPreKey: (id: number) => (preKeys.has(id) ? created.get(id) : undefined),
    removePreKey: (id: number) => void preKeys.delete(id),
    loadSignedPreKey: (keyId: number) => (kind === 'wasm' ? { keyId, keyPair: signed, signature } : signed),
    getOurRegistrationId: () => registrationId,
    getOurIdentity: () => identity,
  }
  const signature = own.curve.calculateSignature(identity.privKey, signed.pubKey)
  const cipher = () => new library.SessionCipher(storage as never, address as never)
  return {
    kind,
    peer,
    publish(withPreKey = true) {
      const signedPreKey = { keyId: SIGNED_KEY_ID, publicKey: signed.pubKey, signature }
      const bundle: Bundle = { registrationId, identityKey: identity.pubKey, signedPreKey }
      if (!withPreKey) return bundle
      const pair = own.curve.generateKeyPair()
      created.set(++lastPreKeyId, pair)
      preKeys.add(lastPreKeyId)
      return { ...bundle, preKey: { keyId: lastPreKeyId, publicKey: pair.pubKey } }
    },
    begin: (bundle) => new library.SessionBuilder(storage as never, address as never).initOutgoing(bundle),
    async encrypt(text) {
      const { type, body } = await cipher().encrypt(Buffer.from(text))
      // The official library gives an ordinary message the type 2, and the network 1.
      return { type: type === 3 ? 3 : 1, body: Buffer.from(body) }
    },
    async decrypt({ type, body }) {
      const plain = await (type === 3
        ? cipher().decryptPreKeyWhisperMessage(body)
        : cipher().decryptWhisperMessage(body))
      return Buffer.from(plain).toString()
    },
    save: () => JSON.stringify({ session, preKeys: [...preKeys] }),
    restore(saved) {
      const state = JSON.parse(saved) as { session: string | null; preKeys: number[] }
      session = state.session
      preKeys = new Set(state.preKeys)
    },
    preKeys: () => preKeys.size,
    as(other) {
      const side = createSide(other, peer, keys)
      side.restore(JSON.stringify({ session, preKeys: [] }))
      return side
    },
  }
}

const encodeRecord = (record: unknown): string => {
  if (record instanceof own.SessionRecord) return record.toBytes().toString('base64')
  return record instanceof Uint8Array ? Buffer.from(record).toString('base64') : JSON.stringify(record)
}

function decodeRecord(kind: Kind, text: string): unknown {
  const stored: unknown = text.startsWith('{') ? JSON.parse(text) : Buffer.from(text, 'base64')
  // The WebAssembly module reads bytes by itself.
  return kind === 'wasm' ? stored : LIBRARIES[kind].SessionRecord.deserialize(stored)
}
