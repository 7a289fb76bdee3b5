// Messages to groups: encrypted once with the sender's key, which members receive in a distribution message.
import { calculateMAC, decrypt, deriveSecrets, encrypt } from './crypto.ts'
import { calculateSignature, verifySignature } from './curve.ts'
import { MessageCounterError, SessionError } from './errors.ts'
import { checkVersion, VERSION } from './message.ts'
import { numberOf, readFields, requireBytes, writeFields } from './protobufs.ts'
import { NO_SALT } from './ratchet.ts'
import { type SenderKey, SenderKeyRecord } from './sender-keys.ts'

const SIGNATURE_LENGTH = 64
const IV_LENGTH = 16
const CIPHER_KEY_LENGTH = 32
const MAX_SKIPPED = 2000
const INFO = Buffer.from('WhisperGroup')
const MESSAGE_SEED = Buffer.from([1])
const CHAIN_SEED = Buffer.from([2])

/** What members need to decrypt the next messages of this sender. */
export function distributionOf(record: SenderKeyRecord): Buffer {
  const { id, iteration, chainKey, signingKey } = newestKey(record)
  return Buffer.concat([
    VERSION,
    writeFields([
      [1, id],
      [2, iteration],
      [3, chainKey],
      [4, signingKey],
    ]),
  ])
}

/** The keys of a sender after a distribution message. */
export function withDistribution(record: SenderKeyRecord | null, message: Uint8Array): SenderKeyRecord {
  checkVersion(message)
  const fields = readFields(message.subarray(VERSION.length))
  return (record ?? new SenderKeyRecord([])).add({
    id: numberOf(fields, 1) ?? 0,
    iteration: numberOf(fields, 2) ?? 0,
    chainKey: Buffer.from(requireBytes(fields, 3)),
    signingKey: Buffer.from(requireBytes(fields, 4)),
    signingSecret: null,
    skipped: new Map(),
  })
}

export function encryptForGroup(
  record: SenderKeyRecord,
  data: Uint8Array,
): { record: SenderKeyRecord; body: Buffer } {
  const key = newestKey(record)
  if (!key.signingSecret) throw new SessionError('No session to encrypt message')
  const { cipherKey, iv } = keysOf(calculateMAC(key.chainKey, MESSAGE_SEED))
  const signed = Buffer.concat([
    VERSION,
    writeFields([
      [1, key.id],
      [2, key.iteration],
      [3, encrypt(cipherKey, data, iv)],
    ]),
  ])
  const body = Buffer.concat([signed, calculateSignature(key.signingSecret, signed)])
  return { record: record.with(advance(key)), body }
}

export function decryptFromGroup(
  record: SenderKeyRecord,
  message: Uint8Array,
): { record: SenderKeyRecord; plain: Buffer } {
  checkVersion(message)
  const signed = message.subarray(0, -SIGNATURE_LENGTH)
  const fields = readFields(signed.subarray(VERSION.length))
  const id = numberOf(fields, 1) ?? 0
  const key = record.keys.find((each) => each.id === id)
  if (!key) throw new SessionError('No session found to decrypt message')
  verifySignature(key.signingKey, signed, message.subarray(-SIGNATURE_LENGTH))
  const { key: stepped, seed } = takeSeed(key, numberOf(fields, 2) ?? 0)
  const { cipherKey, iv } = keysOf(seed)
  const plain = decrypt(cipherKey, requireBytes(fields, 3), iv)
  return { record: record.with(stepped), plain }
}

function takeSeed(key: SenderKey, iteration: number): { key: SenderKey; seed: Buffer } {
  if (iteration < key.iteration) {
    const seed = key.skipped.get(iteration)
    if (!seed)
      throw new MessageCounterError(`Received message with old counter: ${key.iteration}, ${iteration}`)
    const skipped = new Map(key.skipped)
    skipped.delete(iteration)
    return { key: { ...key, skipped }, seed }
  }
  if (iteration - key.iteration > MAX_SKIPPED) throw new SessionError('Over 2000 messages into the future!')
  const skipped = new Map(key.skipped)
  let current = key
  while (current.iteration < iteration) {
    skipped.set(current.iteration, calculateMAC(current.chainKey, MESSAGE_SEED))
    current = advance(current)
  }
  for (const oldest of skipped.keys()) {
    if (skipped.size <= MAX_SKIPPED) break
    skipped.delete(oldest)
  }
  return { key: { ...advance(current), skipped }, seed: calculateMAC(current.chainKey, MESSAGE_SEED) }
}

const advance = (key: SenderKey): SenderKey => ({
  ...key,
  iteration: key.iteration + 1,
  chainKey: calculateMAC(key.chainKey, CHAIN_SEED),
})

function keysOf(seed: Buffer): { iv: Buffer; cipherKey: Buffer } {
  const derived = Buffer.concat(deriveSecrets(seed, NO_SALT, INFO, 2))
  return {
    iv: derived.subarray(0, IV_LENGTH),
    cipherKey: derived.subarray(IV_LENGTH, IV_LENGTH + CIPHER_KEY_LENGTH),
  }
}

function newestKey({ keys }: SenderKeyRecord): SenderKey {
  const key = keys.at(-1)
  if (!key) throw new SessionError('No session to encrypt message')
  return key
}
