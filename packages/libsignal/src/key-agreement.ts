// Begins sessions: the agreement on a first root key from the keys of both sides (X3DH).
import { deriveSecrets } from './crypto.ts'
import { calculateAgreement, generateKeyPair, type KeyPair } from './curve.ts'
import { NO_SALT, startSending } from './ratchet.ts'
import type { Session } from './session.ts'

export interface OutgoingKeys {
  ownIdentity: KeyPair
  identityKey: Buffer
  registrationId: number
  signedPreKey: { keyId: number; publicKey: Buffer }
  preKey?: { keyId: number; publicKey: Buffer } | undefined
}

export interface IncomingKeys {
  ownIdentity: KeyPair
  signedPreKey: KeyPair
  preKey: KeyPair | null
  identityKey: Buffer
  baseKey: Buffer
  registrationId: number
}

const INFO = Buffer.from('WhisperText')
/** Separates this use of the keys from signatures with them. */
const PREFIX = Buffer.alloc(32, 0xff)

export function beginOutgoing(keys: OutgoingKeys, now: number): Session {
  const { ownIdentity, identityKey, signedPreKey, preKey } = keys
  const base = generateKeyPair()
  const rootKey = agreeOn([
    calculateAgreement(signedPreKey.publicKey, ownIdentity.privKey),
    calculateAgreement(identityKey, base.privKey),
    calculateAgreement(signedPreKey.publicKey, base.privKey),
    ...(preKey ? [calculateAgreement(preKey.publicKey, base.privKey)] : []),
  ])
  return startSending({
    registrationId: keys.registrationId,
    remoteIdentityKey: identityKey,
    baseKey: base.pubKey,
    isOurs: true,
    createdAt: now,
    usedAt: now,
    closedAt: null,
    rootKey,
    ownRatchet: generateKeyPair(),
    remoteRatchetKey: signedPreKey.publicKey,
    previousCounter: 0,
    sending: null,
    receiving: [],
    pendingPreKey: {
      baseKey: base.pubKey,
      signedKeyId: signedPreKey.keyId,
      preKeyId: preKey?.keyId ?? null,
    },
  })
}

export function beginIncoming(keys: IncomingKeys, now: number): Session {
  const { ownIdentity, signedPreKey, preKey, identityKey, baseKey } = keys
  const rootKey = agreeOn([
    calculateAgreement(identityKey, signedPreKey.privKey),
    calculateAgreement(baseKey, ownIdentity.privKey),
    calculateAgreement(baseKey, signedPreKey.privKey),
    ...(preKey ? [calculateAgreement(baseKey, preKey.privKey)] : []),
  ])
  return {
    registrationId: keys.registrationId,
    remoteIdentityKey: identityKey,
    baseKey,
    isOurs: false,
    createdAt: now,
    usedAt: now,
    closedAt: null,
    rootKey,
    ownRatchet: signedPreKey,
    remoteRatchetKey: baseKey,
    previousCounter: 0,
    sending: null,
    receiving: [],
    pendingPreKey: null,
  }
}

const agreeOn = (secrets: Buffer[]): Buffer =>
  deriveSecrets(Buffer.concat([PREFIX, ...secrets]), NO_SALT, INFO, 1)[0] as Buffer
