// Encryption at rest: AES-256-GCM, with every ciphertext bound to its table, column and row.

import { type CipherKey, createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The first byte of every ciphertext: the version of its format. */
const FORMAT = 1

/** Where a value is stored. A ciphertext that is moved to another cell cannot be opened. */
export interface Cell {
  table: string
  column: string
  row: string | number
}

const associatedData = ({ table, column, row }: Cell): Buffer =>
  Buffer.from(JSON.stringify([table, column, String(row)]))

/** By how much a sealed value is longer than the value. They come first. */
export const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES
/** Large values are sealed and opened in pieces of this size, and the event loop runs between them. */
const PIECE_BYTES = 1024 * 1024

export function seal(key: CipherKey, cell: Cell, plain: Uint8Array): Uint8Array {
  const { cipher, sealed, finish } = beginSeal(key, cell, plain.length)
  // In GCM mode one call returns all bytes.
  sealed.set(cipher.update(plain), HEAD_BYTES)
  return finish()
}

/** As `seal`, with the same format, for values of many megabytes. */
export async function sealLarge(key: CipherKey, cell: Cell, plain: Uint8Array): Promise<Uint8Array> {
  const { cipher, sealed, finish } = beginSeal(key, cell, plain.length)
  for (let at = 0; at < plain.length; at += PIECE_BYTES) {
    sealed.set(cipher.update(plain.subarray(at, at + PIECE_BYTES)), HEAD_BYTES + at)
    await setImmediate()
  }
  return finish()
}

function beginSeal(key: CipherKey, cell: Cell, plainBytes: number) {
  const nonce = nextNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(associatedData(cell))
  // Not from the buffer pool: posting a slice of it to another thread would copy the whole pool of 64 KiB.
  const sealed = Buffer.allocUnsafeSlow(HEAD_BYTES + plainBytes)
  sealed[0] = FORMAT
  nonce.copy(sealed, 1)
  const finish = (): Uint8Array => {
    cipher.final()
    cipher.getAuthTag().copy(sealed, 1 + NONCE_BYTES)
    return sealed
  }
  return { cipher, sealed, finish }
}

/** Asking OpenSSL for random bytes costs the same for 12 as for hundreds, and many values are sealed per second. */
const NONCES_AT_ONCE = 128
const nonces = Buffer.alloc(NONCES_AT_ONCE * NONCE_BYTES)
let usedBytes = nonces.length

/** Never given out twice. */
function nextNonce(): Buffer {
  if (usedBytes === nonces.length) {
    randomFillSync(nonces)
    usedBytes = 0
  }
  usedBytes += NONCE_BYTES
  return nonces.subarray(usedBytes - NONCE_BYTES, usedBytes)
}

/** Throws if the key is wrong, or the bytes were changed or moved. */
export function unseal(key: CipherKey, cell: Cell, sealed: Uint8Array): Uint8Array {
  const { decipher, body } = beginUnseal(key, cell, sealed)
  return Buffer.concat([decipher.update(body), decipher.final()])
}

/** As `unseal`, for values of many megabytes. */
export async function unsealLarge(key: CipherKey, cell: Cell, sealed: Uint8Array): Promise<Uint8Array> {
  const { decipher, body } = beginUnseal(key, cell, sealed)
  const plain = Buffer.allocUnsafeSlow(body.length)
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    plain.set(decipher.update(body.subarray(at, at + PIECE_BYTES)), at)
    await setImmediate()
  }
  decipher.final()
  return plain
}

/**
 * Opens a value piece by piece. Its pieces are not authentic before `verify` has returned, so that none of them may be used until then.
 */
export interface Opening {
  update(piece: Uint8Array): Uint8Array
  /** Throws as `unseal` does. */
  verify(): void
}

/** `head` is the start of the sealed value, at least `HEAD_BYTES` long; the rest follows in pieces. */
export function beginOpening(key: CipherKey, cell: Cell, head: Uint8Array): Opening {
  const { decipher } = beginUnseal(key, cell, head.subarray(0, HEAD_BYTES))
  return { update: (piece) => decipher.update(piece), verify: () => void decipher.final() }
}

function beginUnseal(key: CipherKey, cell: Cell, sealed: Uint8Array) {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes[0] !== FORMAT || bytes.length < HEAD_BYTES) throw new Error('not a sealed value')
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES))
  decipher.setAAD(associatedData(cell))
  return { decipher, body: bytes.subarray(HEAD_BYTES) }
}

/** A value up to this size is sealed and opened in one piece. */
export const isLarge = (bytes: Uint8Array): boolean => bytes.length > PIECE_BYTES
