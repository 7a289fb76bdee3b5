// Encryption at rest: AES-256-GCM, every ciphertext bound to the table, column and row it belongs to.
import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** First byte of every ciphertext, so that the form can change one day. */
const FORM = 1

/** Where a value lives. A ciphertext moved to another place does not open. */
export interface Place {
  table: string
  column: string
  row: string | number
}

const associatedData = ({ table, column, row }: Place): Buffer =>
  Buffer.from(JSON.stringify([table, column, String(row)]))

export function seal(key: CipherKey, place: Place, plain: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(associatedData(place))
  // Not from the pool: a piece of that takes all 64 KiB of it along to another thread.
  const sealed = Buffer.allocUnsafeSlow(1 + NONCE_BYTES + TAG_BYTES + plain.length)
  sealed[0] = FORM
  nonce.copy(sealed, 1)
  // In this mode the first call gives all the bytes.
  sealed.set(cipher.update(plain), 1 + NONCE_BYTES + TAG_BYTES)
  cipher.final()
  cipher.getAuthTag().copy(sealed, 1 + NONCE_BYTES)
  return sealed
}

/** Throws where the key is another one, or the bytes were changed or moved. */
export function unseal(key: CipherKey, place: Place, sealed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes[0] !== FORM || bytes.length < 1 + NONCE_BYTES + TAG_BYTES) throw new Error('not a sealed value')
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES))
  decipher.setAAD(associatedData(place))
  return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()])
}
