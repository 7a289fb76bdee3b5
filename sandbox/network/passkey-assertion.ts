// Verifies the assertion of a passkey, as a relying party does.
import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { ORIGIN, type Passkey, RELYING_PARTY, sha256, USER_PRESENT, USER_VERIFIED } from '../model/passkey.ts'

interface GivenAssertion {
  credentialId: Buffer
  /** The JSON of the browser. */
  json: Buffer
  /** As it was sent, in base64url. */
  challenge: string
}

const FLAGS_AT = 32
const COUNTER_AT = 33
const AUTHENTICATOR_BYTES = 37

/** What is wrong with it; undefined if it is valid. A valid one moves the counter of the passkey on. */
export function assertionFault(passkey: Passkey, given: GivenAssertion): string | undefined {
  const { id, rawId, type, response } = read(given.json)
  const clientData = fromBase64Url(response?.['clientDataJSON'])
  const data = fromBase64Url(response?.['authenticatorData'])
  const client = read(clientData)
  const flags = data[FLAGS_AT] ?? 0
  const count = data.length < AUTHENTICATOR_BYTES ? 0 : data.readUInt32BE(COUNTER_AT)
  const handle = response?.['userHandle']
  const checks: [boolean, string][] = [
    [given.credentialId.equals(passkey.credentialId), 'credential'],
    [id === rawId && fromBase64Url(rawId).equals(passkey.credentialId), 'rawId'],
    [type === 'public-key' && client['type'] === 'webauthn.get', 'type'],
    [client['challenge'] === given.challenge, 'challenge'],
    [client['origin'] === ORIGIN, 'origin'],
    [data.subarray(0, FLAGS_AT).equals(sha256(RELYING_PARTY)), 'rpIdHash'],
    [(flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0, 'flags'],
    [count > passkey.seenCount, 'counter'],
    [handle === null || fromBase64Url(handle).equals(passkey.userHandle), 'userHandle'],
    [isSigned(passkey, data, clientData, fromBase64Url(response?.['signature'])), 'signature'],
  ]
  const fault = checks.find(([isValid]) => !isValid)
  if (fault) return fault[1]
  passkey.seenCount = count
  return undefined
}

function isSigned(passkey: Passkey, data: Buffer, clientData: Buffer, signature: Buffer): boolean {
  const key = createPrivateKey({ key: passkey.privateKey, format: 'der', type: 'pkcs8' })
  return verify('sha256', Buffer.concat([data, sha256(clientData)]), createPublicKey(key), signature)
}

interface Json {
  [name: string]: unknown
  response?: Record<string, unknown>
}

function read(bytes: Buffer): Json {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? (value as Json) : {}
  } catch {
    return {}
  }
}

const fromBase64Url = (text: unknown): Buffer =>
  Buffer.from(typeof text === 'string' ? text : '', 'base64url')
