// Signatures with Curve25519 keys, as the network uses them (XEdDSA): an Ed25519 signature by the same secret scalar. The highest
// bit of the signature is the sign of the Edwards point, which a Curve25519 key does not contain.
//
// OpenSSL multiplies points, but signs only with scalars that it has hashed from a seed. A nonce may be such a scalar, so OpenSSL
// computes its point. What remains is one sum of numbers, for which `scalars.ts` takes the same time whatever the key is. BigInt is used
// for public numbers only: its time depends on them.
import { createPrivateKey, createPublicKey, hash, randomBytes, verify } from 'node:crypto'
import { multiplyAdd } from './scalars.ts'
import { getPublicFromPrivateKey, withoutType } from './x25519.ts'

interface SigningKey {
  /** 32 bytes, not reduced. */
  scalar: Buffer
  /** The public key as an encoded Edwards point. */
  point: Buffer
}

interface Nonce extends SigningKey {
  /** The nonce is the scalar times this, 1 or -1. */
  sign: number
}

const KEY_LENGTH = 32
const SIGNATURE_LENGTH = 64
const SIGN_BIT = 0x80
/** The prime of the field. */
const P = 2n ** 255n - 19n
/** The DER headers of Ed25519 keys (RFC 8410). */
const PUBLIC_HEADER = Buffer.from('302a300506032b6570032100', 'hex')
const PRIVATE_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Keeps the hash for the nonce apart from all others: no encoding of a point begins like this. */
const NONCE_PREFIX = Buffer.concat([Buffer.from([0xfe]), Buffer.alloc(KEY_LENGTH - 1, 0xff)])
const PROBE = Buffer.from('probe')

const signingKeys = new WeakMap<Uint8Array, SigningKey>()

export function signMessage(privateKey: Uint8Array, message: Uint8Array): Buffer {
  const known = signingKeys.get(privateKey)
  if (known) return sign(known, message)
  const created = signingKeyOf(privateKey)
  signingKeys.set(privateKey, created)
  return sign(created, message)
}

export function verifyMessage(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const sign = (signature[SIGNATURE_LENGTH - 1] ?? 0) & SIGN_BIT
  const point = signature.length === SIGNATURE_LENGTH ? toEdwards(publicKey, sign) : null
  if (!point) return false
  const plain = Buffer.from(signature)
  plain[SIGNATURE_LENGTH - 1]! &= ~SIGN_BIT
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_HEADER, point]), format: 'der', type: 'spki' })
  return verify(null, message, key, plain)
}

/** Exported for tests. */
export function signingKeyOf(privateKey: Uint8Array): SigningKey {
  const scalar = clamp(privateKey)
  const publicKey = withoutType(getPublicFromPrivateKey(privateKey))
  const point = toEdwards(publicKey, 0)
  if (!point) throw new Error('Invalid private key')
  const positive = { scalar, point }
  // A signature is valid only with the right sign, which every signature shows.
  if (!verifyMessage(publicKey, PROBE, sign(positive, PROBE))) point[KEY_LENGTH - 1]! |= SIGN_BIT
  return positive
}

/** `random` is given by tests only. */
export function sign(
  { scalar, point }: SigningKey,
  message: Uint8Array,
  random: Uint8Array = randomBytes(SIGNATURE_LENGTH),
): Buffer {
  const nonce = createNonce(scalar, message, random)
  const challenge = sha512(nonce.point, point, message)
  const response = multiplyAdd(nonce.scalar, nonce.sign, challenge, scalar)
  const signature = Buffer.concat([nonce.point, response])
  signature[SIGNATURE_LENGTH - 1]! |= point[KEY_LENGTH - 1]! & SIGN_BIT
  return signature
}

/**
 * A scalar that OpenSSL has hashed from a seed is 8k, with k in the upper half of the order. Such a bias could reveal the key over
 * many signatures. Its negative has k in the lower half, so a random sign makes the nonce uniform.
 */
function createNonce(secret: Buffer, message: Uint8Array, entropy: Uint8Array): Nonce {
  const random = sha512(NONCE_PREFIX, secret, message, entropy)
  const seed = random.subarray(0, KEY_LENGTH)
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_HEADER, seed]), format: 'der', type: 'pkcs8' })
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const point = Buffer.from(der.subarray(-KEY_LENGTH))
  const isNegative = random[KEY_LENGTH]! & 1
  point[KEY_LENGTH - 1]! ^= isNegative * SIGN_BIT
  return { scalar: clamp(sha512(seed).subarray(0, KEY_LENGTH)), point, sign: 1 - 2 * isNegative }
}

/** The Edwards form of a Curve25519 key: y = (u − 1) / (u + 1). Null for the one key that has none. */
function toEdwards(publicKey: Uint8Array, sign: number): Buffer | null {
  const masked = Buffer.from(publicKey)
  masked[KEY_LENGTH - 1]! &= ~SIGN_BIT
  const u = toNumber(masked) % P
  if (u === P - 1n) return null
  const point = toBytes(((u + P - 1n) * inverse(u + 1n)) % P)
  point[KEY_LENGTH - 1]! |= sign
  return point
}

/** Of a public number: the time that this takes depends on it. */
function inverse(value: bigint): bigint {
  let [a, b, x, y] = [value % P, P, 1n, 0n]
  while (a > 1n) {
    const quotient = b / a
    ;[a, b, x, y] = [b - quotient * a, a, y - quotient * x, x]
  }
  return ((x % P) + P) % P
}

function clamp(bytes: Uint8Array): Buffer {
  const scalar = Buffer.from(bytes)
  scalar[0]! &= 0xf8
  scalar[KEY_LENGTH - 1] = (scalar[KEY_LENGTH - 1]! & 0x7f) | 0x40
  return scalar
}

const sha512 = (...parts: Uint8Array[]): Buffer => hash('sha512', Buffer.concat(parts), 'buffer')

/** Little-endian, as everywhere on this curve. */
const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)

const toBytes = (value: bigint): Buffer =>
  Buffer.from(Buffer.from(value.toString(16).padStart(KEY_LENGTH * 2, '0'), 'hex').toReversed())
