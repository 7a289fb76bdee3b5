// Curve25519 key agreement through OpenSSL. A public key has 33 bytes: the type 5 and the key.
import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'

export interface KeyPair {
  readonly pubKey: Buffer
  readonly privKey: Buffer
}

const KEY_TYPE = 5
const KEY_LENGTH = 32
/** The 32 bytes alone. A link makes 800 key pairs, and the DER form around each key takes as long as making it. */
const PUBLIC = { format: 'raw-public', asymmetricKeyType: 'x25519' }
const PRIVATE = { format: 'raw-private', asymmetricKeyType: 'x25519' }

/** Reading a key costs OpenSSL more than an agreement with it, and a ratchet uses most keys twice. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>()

export function generateKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const privKey = rawBytes(privateKey, PRIVATE)
  keyObjects.set(privKey, privateKey)
  return { pubKey: withType(rawBytes(publicKey, PUBLIC)), privKey }
}

export const getPublicFromPrivateKey = (privKey: Uint8Array): Buffer =>
  withType(rawBytes(createPublicKey(privateKeyOf(privKey)), PUBLIC))

export const calculateAgreement = (pubKey: Uint8Array, privKey: Uint8Array): Buffer =>
  diffieHellman({ publicKey: publicKeyOf(pubKey), privateKey: privateKeyOf(privKey) })

export function withoutType(key: Uint8Array): Uint8Array {
  checkPublicKey(key)
  return key.subarray(1)
}

export function checkPublicKey(key: Uint8Array): void {
  if (key.length !== KEY_LENGTH + 1 || key[0] !== KEY_TYPE) throw new Error('Invalid public key')
}

export function checkPrivateKey(key: Uint8Array): void {
  if (!(key instanceof Uint8Array) || key.length !== KEY_LENGTH) throw new Error('Invalid private key')
}

function withType(key: Uint8Array): Buffer {
  const typed = Buffer.allocUnsafe(KEY_LENGTH + 1)
  typed[0] = KEY_TYPE
  typed.set(key, 1)
  return typed
}

/** The types of Node's modules do not know the raw formats yet. */
const rawBytes = (key: KeyObject, form: object): Buffer => key.export(form as never) as unknown as Buffer

function publicKeyOf(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  const created = createPublicKey({ key: withoutType(key), ...PUBLIC } as never)
  keyObjects.set(key, created)
  return created
}

function privateKeyOf(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  checkPrivateKey(key)
  const created = createPrivateKey({ key, ...PRIVATE } as never)
  keyObjects.set(key, created)
  return created
}
