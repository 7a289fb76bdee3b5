// Symmetric primitives of the protocol.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'

const BLOCK = 32

export function encrypt(key: Uint8Array, data: Uint8Array, iv: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

export function decrypt(key: Uint8Array, data: Uint8Array, iv: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-cbc', key, iv)
  return Buffer.concat([decipher.update(data), decipher.final()])
}

export const calculateMAC = (key: Uint8Array, data: Uint8Array): Buffer =>
  createHmac('sha256', key).update(data).digest()

/** HKDF with SHA-256, cut into blocks of 32 bytes. */
export function deriveSecrets(input: Uint8Array, salt: Uint8Array, info: Uint8Array, blocks = 3): Buffer[] {
  const derived = Buffer.from(hkdfSync('sha256', input, salt, info, blocks * BLOCK))
  return Array.from({ length: blocks }, (_, index) => derived.subarray(index * BLOCK, (index + 1) * BLOCK))
}
