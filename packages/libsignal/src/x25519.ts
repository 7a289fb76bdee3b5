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
/** The DER headers of X25519 keys (RFC 8410); the 32 bytes of the key follow. */
const PUBLIC_HEADER = Buffer.from('302a300506032b656e032100', 'hex')
const PRIVATE_HEADER = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** Reading a key costs OpenSSL more than an agreement with it, and a ratchet uses most keys twice. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>()

export function generateKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const privKey = Buffer.from(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_LENGTH))
  keyObjects.set(privKey, privateKey)
  return { pubKey: withType(publicBytes(publicKey)), privKey }
}

export const getPublicFromPrivateKey = (privKey: Uint8Array): Buffer =>
  withType(publicBytes(createPublicKey(privateKeyOf(privKey))))

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

const publicBytes = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(-KEY_LENGTH)

function publicKeyOf(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  const der = Buffer.concat([PUBLIC_HEADER, withoutType(key)])
  const created = createPublicKey({ key: der, format: 'der', type: 'spki' })
  keyObjects.set(key, created)
  return created
}

function privateKeyOf(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  checkPrivateKey(key)
  const der = Buffer.concat([PRIVATE_HEADER, key])
  const created = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  keyObjects.set(key, created)
  return created
}
