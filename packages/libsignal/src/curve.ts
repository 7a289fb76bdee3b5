// Keys and signatures, with the names that the network library imports.
import { checkPrivateKey, withoutType } from './x25519.ts'
import { signMessage, verifyMessage } from './xeddsa.ts'

export { calculateAgreement, generateKeyPair, getPublicFromPrivateKey, type KeyPair } from './x25519.ts'

export function calculateSignature(privKey: Uint8Array, message: Uint8Array): Buffer {
  checkPrivateKey(privKey)
  return signMessage(privKey, message)
}

/** Throws for an invalid signature: the network library ignores the result of this call and only notices an error. */
export function verifySignature(pubKey: Uint8Array, message: Uint8Array, signature: Uint8Array): true {
  if (!verifyMessage(withoutType(pubKey), message, signature)) throw new Error('Invalid signature')
  return true
}
