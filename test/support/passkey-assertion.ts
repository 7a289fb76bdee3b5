// Assertions of a passkey that is made for the test, as a browser on the official page would return them.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { PasskeyAssertion } from '../../src/network/passkey.ts'

export interface AssertionParts {
  challenge: string
  type?: string
  origin?: string
  crossOrigin?: boolean
  site?: string
  /** UP and UV by default. */
  flags?: number
  userHandle?: string | null
}

/** The options that the network sends, with a challenge of their own. */
export const passkeyOptions = (challenge = randomBytes(32).toString('base64url')) => ({
  challenge,
  timeout: 600_000,
  rpId: 'whatsapp.com',
  allowCredentials: [],
  userVerification: 'required',
  extensions: { uvm: true },
})

export function signedAssertion(parts: AssertionParts): PasskeyAssertion {
  const { challenge, type = 'webauthn.get', origin = 'https://web.whatsapp.com', crossOrigin = false } = parts
  const { site = 'whatsapp.com', flags = 0x05, userHandle = 'AQID' } = parts
  const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  const rpIdHash = createHash('sha256').update(site).digest()
  const authenticatorData = Buffer.concat([rpIdHash, Buffer.from([flags, 0, 0, 0, 1])])
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
  const id = randomBytes(16).toString('base64url')
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, privateKey).toString('base64url'),
      userHandle,
    },
  }
}
