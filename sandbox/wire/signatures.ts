// Verifies Curve25519 signatures (XEdDSA) with the Ed25519 of `node:crypto`. It shares no code with the
// implementation of the clients, so that a fault there is found here.
import { createPublicKey, verify } from 'node:crypto'

const PRIME = 2n ** 255n - 19n
const ED25519_SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** True only if the owner of the Curve25519 key signed exactly this message. */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const key = publicKey.length === 33 ? publicKey.subarray(1) : publicKey
  if (key.length !== 32) return false
  // XEdDSA stores the sign of the Edwards point in the top bit of the signature, which is zero in Ed25519.
  const edSignature = Buffer.from(signature)
  const signBit = (edSignature[63] ?? 0) & 0x80
  edSignature[63] = (edSignature[63] ?? 0) & 0x7f
  const edKey = edwardsFromMontgomery(key)
  edKey[31] = (edKey[31] ?? 0) | signBit
  try {
    const keyObject = createPublicKey({
      key: Buffer.concat([ED25519_SPKI_PREFIX, edKey]),
      format: 'der',
      type: 'spki',
    })
    return verify(null, message, keyObject, edSignature)
  } catch {
    return false
  }
}

/** The birational map y = (u - 1) / (u + 1) from Curve25519 to Ed25519. */
function edwardsFromMontgomery(montgomery: Uint8Array): Buffer {
  const u = readLittleEndian(montgomery) % PRIME
  const y = (((u - 1n + PRIME) % PRIME) * inverse(u + 1n)) % PRIME
  return writeLittleEndian(y)
}

function inverse(value: bigint): bigint {
  let [previous, current] = [value % PRIME, PRIME]
  let [factor, nextFactor] = [1n, 0n]
  while (current !== 0n) {
    const quotient = previous / current
    ;[previous, current] = [current, previous - quotient * current]
    ;[factor, nextFactor] = [nextFactor, factor - quotient * nextFactor]
  }
  return ((factor % PRIME) + PRIME) % PRIME
}

function readLittleEndian(bytes: Uint8Array): bigint {
  const masked = Buffer.from(bytes.toReversed())
  masked[0] = (masked[0] ?? 0) & 0x7f
  return BigInt(`0x${masked.toString('hex')}`)
}

function writeLittleEndian(value: bigint): Buffer {
  return Buffer.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toReversed())
}
