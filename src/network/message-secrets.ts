// What clients encrypt with the secret of another message: votes, edits, answers and reactions that refer to it. The key is bound to
// that message, to its author and to the person who refers to it.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

export type SecretUse =
  | 'Poll Vote'
  | 'Event Response'
  | 'Message Edit'
  | 'Event Edit'
  | 'Poll Edit'
  | 'Enc Reaction'
  | 'Enc Comment'

export interface Binding {
  use: SecretUse
  /** The secret of the message that is referred to. */
  secret: Uint8Array
  messageId: string
  /** The author of that message, without device. */
  author: string
  /** The person who refers to it, without device. */
  sender: string
}

export interface Encrypted {
  encPayload?: Uint8Array | null | undefined
  encIv?: Uint8Array | null | undefined
}

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
/** A stranger chooses the size, and each pair of names decrypts all of it. An edit with its preview is a tenth of this. */
const MAX_PAYLOAD_BYTES = 512 * 1024
/** These also authenticate the message and the sender. */
const AUTHENTICATED: ReadonlySet<SecretUse> = new Set(['Poll Vote', 'Event Response'])

function keyOf({ use, secret, messageId, author, sender }: Binding): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `${messageId}${author}${sender}${use}`, KEY_BYTES))
}

const additionalData = ({ use, messageId, sender }: Binding): Buffer =>
  Buffer.from(AUTHENTICATED.has(use) ? `${messageId}\0${sender}` : '')

export function encryptWithSecret(plain: Uint8Array, iv: Uint8Array, binding: Binding): Uint8Array {
  const cipher = createCipheriv(CIPHER, keyOf(binding), iv).setAAD(additionalData(binding))
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Undefined: the secret, the message or one of the two people differs, or the content was changed. */
export function decryptWithSecret({ encPayload, encIv }: Encrypted, binding: Binding): Buffer | undefined {
  if (!encPayload || !isPossible(encPayload, encIv)) return undefined
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(binding), encIv)
    decipher.setAAD(additionalData(binding)).setAuthTag(encPayload.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(encPayload.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

const isPossible = (payload: Uint8Array, iv: Encrypted['encIv']): iv is Uint8Array =>
  payload.length >= TAG_BYTES && payload.length <= MAX_PAYLOAD_BYTES && iv?.length === IV_BYTES

export interface Candidates {
  use: SecretUse
  secrets: readonly Uint8Array[]
  messageId: string
  authors: readonly string[]
  senders: readonly string[]
}

/** Both people have a number and a hidden identifier, and clients use either. Only the right pair decrypts, so all are tried. */
export function decryptWithAny(encrypted: Encrypted, candidates: Candidates): Buffer | undefined {
  const { use, secrets, messageId, authors, senders } = candidates
  for (const secret of secrets)
    for (const author of authors)
      for (const sender of senders) {
        const plain = decryptWithSecret(encrypted, { use, secret, messageId, author, sender })
        if (plain) return plain
      }
  return undefined
}
