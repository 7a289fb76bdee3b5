// The passkey of a phone, and how it signs: an ES256 key pair that the owner's browser would use (WebAuthn level 3).
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Passkey {
  credentialId: Buffer
  userHandle: Buffer
  /** P-256, in PKCS#8. */
  privateKey: Buffer
  /** How often the phone has signed with it. */
  signCount: number
  /** The highest count that the network has seen. A copy of the key would use a count again. */
  seenCount: number
  /** Whether the network demands it before it links a device. */
  demanded: boolean
}

export const RELYING_PARTY = 'whatsapp.com'
export const ORIGIN = 'https://web.whatsapp.com'
/** In the data of an authenticator: the owner was present, and was verified. */
export const USER_PRESENT = 1
export const USER_VERIFIED = 4

export function createPasskey(): Passkey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    credentialId: randomBytes(16),
    userHandle: randomBytes(16),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
    signCount: 0,
    seenCount: 0,
    demanded: false,
  }
}

export const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** What a browser on the page of the network would answer. Counts as a use of the key. */
export function signAssertion(passkey: Passkey, challenge: string, origin = ORIGIN) {
  passkey.signCount += 1
  const clientData = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }),
  )
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(passkey.signCount)
  const flags = Buffer.from([USER_PRESENT | USER_VERIFIED])
  const authenticatorData = Buffer.concat([sha256(RELYING_PARTY), flags, counter])
  const key = createPrivateKey({ key: passkey.privateKey, format: 'der', type: 'pkcs8' })
  const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), key)
  const id = passkey.credentialId.toString('base64url')
  return {
    id,
    rawId: id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: passkey.userHandle.toString('base64url'),
    },
  }
}
