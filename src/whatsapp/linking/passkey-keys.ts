// The derivations of the passkey step: pure functions of keys, nonces and texts. Certain to the extent that public clients agree.
import {
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto'
import { proto } from '../library/protocol.ts'
import { decodeBounded } from '../library/received-limits.ts'

/** Of every key, nonce and secret of this step. */
export const KEY_BYTES = 32
export const IV_BYTES = 12
const NOTHING = Buffer.alloc(0)
/** What precedes the bytes of a key in the encodings that `node:crypto` reads. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')
const CODE_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTVWXYZ'
const CODE_BYTES = 5

/** A key pair for one attempt, as raw bytes. */
export interface EphemeralKeys {
  private: Buffer
  public: Buffer
}

export function createEphemeralKeys(): EphemeralKeys {
  const pair = generateKeyPairSync('x25519')
  return {
    private: pair.privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-KEY_BYTES),
    public: pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES),
  }
}

/** This client, as the phone will derive the key from it. */
export interface CompanionIdentity {
  publicKey: Uint8Array
  deviceType: number
  ref: string
}

export const encodeIdentity = (identity: CompanionIdentity): Buffer =>
  Buffer.from(proto.CompanionEphemeralIdentity.encode(identity).finish())

/** Binds this client to a nonce that the phone learns only after it has sent its own. */
export const commitmentOf = (encodedIdentity: Uint8Array, nonce: Uint8Array): Buffer =>
  createHash('sha256').update(encodedIdentity).update(nonce).digest()

export const encodePrologue = (encodedIdentity: Uint8Array, commitment: Uint8Array): Buffer =>
  Buffer.from(
    proto.ProloguePayload.encode({
      companionEphemeralIdentity: encodedIdentity,
      commitment: { hash: commitment },
    }).finish(),
  )

/** Proves that this is the client whose code the phone has read: only the two of them know the secret. */
export const handoffProof = (advSecret: Uint8Array, prologue: Uint8Array): Buffer =>
  createHmac('sha256', derive(advSecret, NOTHING, 'shortcake-passkey-handoff-v1'))
    .update(prologue)
    .digest()

export interface PrimaryIdentity {
  publicKey: Buffer
  nonce: Buffer
}

/** The phone's answer; undefined if it is not valid. */
export function decodePrimaryIdentity(bytes: Uint8Array): PrimaryIdentity | undefined {
  try {
    const { publicKey, nonce } = decodeBounded(proto.PrimaryEphemeralIdentity, bytes).content
    if (publicKey?.length !== KEY_BYTES || nonce?.length !== KEY_BYTES) return undefined
    return { publicKey: Buffer.from(publicKey), nonce: Buffer.from(nonce) }
  } catch {
    return undefined
  }
}

export function encryptionKeyOf(
  keys: Pick<EphemeralKeys, 'private'>,
  primaryPublicKey: Uint8Array,
  { deviceType, ref }: Pick<CompanionIdentity, 'deviceType' | 'ref'>,
): Buffer {
  const salt = Buffer.from(`Companion Pairing ${deviceType} with ref ${ref}`)
  return derive(sharedSecret(keys.private, primaryPublicKey), salt, 'Pairing Information Encryption Key')
}

/** What the owner compares with the phone: eight characters in two halves. */
export function comparisonCode(companionNonce: Uint8Array, primary: PrimaryIdentity): string {
  const hash = createHash('sha256').update(companionNonce).update(primary.publicKey).digest()
  let bits = 0n
  for (let index = 0; index < CODE_BYTES; index += 1)
    bits = (bits << 8n) | BigInt((hash[index] ?? 0) ^ (primary.nonce[index] ?? 0))
  const characters = Array.from({ length: 8 }, (_, index) =>
    CODE_ALPHABET.charAt(Number((bits >> BigInt(5 * (7 - index))) & 31n)),
  )
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`
}

/** The keys that the phone signs when it links this client. */
export interface PairingKeys {
  noiseKey: Uint8Array
  identityKey: Uint8Array
  advSecret: Uint8Array
}

export function sealPairingRequest(key: Uint8Array, keys: PairingKeys, iv: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const plain = proto.PairingRequest.encode({
    companionPublicKey: keys.noiseKey,
    companionIdentityKey: keys.identityKey,
    advSecret: keys.advSecret,
  }).finish()
  const encryptedPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return Buffer.from(proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish())
}

const derive = (input: Uint8Array, salt: Uint8Array, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', input, salt, info, KEY_BYTES))

function sharedSecret(privateKey: Uint8Array, publicKey: Uint8Array): Buffer {
  return diffieHellman({
    privateKey: createPrivateKey({
      key: Buffer.concat([PKCS8_PREFIX, privateKey]),
      format: 'der',
      type: 'pkcs8',
    }),
    publicKey: createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' }),
  })
}
