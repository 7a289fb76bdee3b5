// Messages to groups: encrypted once with the sender's key, which members receive in a distribution message.
import { setImmediate } from 'node:timers/promises'
import { MAX_NUMBER } from './bytes.ts'
import { calculateMAC, decrypt, deriveSecrets, encrypt } from './crypto.ts'
import { calculateSignature, verifySignature } from './curve.ts'
import { MessageCounterError, SessionError } from './errors.ts'
import { checkVersion, VERSION } from './message.ts'
import { readFields, requireBytes, requireNumber, requirePublicKey, writeFields } from './protobufs.ts'
import { MAX_SKIPPED, NO_SALT } from './ratchet.ts'
import type { SenderKey } from './sender-key.ts'
import { MAX_STEPS, SenderKeyRecord } from './sender-keys.ts'

const SIGNATURE_LENGTH = 64
const IV_LENGTH = 16
const CIPHER_KEY_LENGTH = 32
const CHAIN_KEY_LENGTH = 32
/** After this many steps other work gets its turn. */
const STEPS_AT_ONCE = 500
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
    id: requireNumber(fields, 1),
    iteration: requireNumber(fields, 2),
    chainKey: Buffer.from(requireBytes(fields, 3, CHAIN_KEY_LENGTH)),
    signingKey: Buffer.from(requirePublicKey(fields, 4)),
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
  if (key.iteration >= MAX_NUMBER) throw new SessionError('Chain is too long')
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

/** Async, because a message that is far ahead takes many steps. The caller runs one step with a record at a time. */
export async function decryptFromGroup(
  record: SenderKeyRecord,
  message: Uint8Array,
  maxSteps = Infinity,
): Promise<{ record: SenderKeyRecord; plain: Buffer; steps: number }> {
  checkVersion(message)
  if (message.length <= VERSION.length + SIGNATURE_LENGTH) throw new Error('Message is cut off')
  const signed = message.subarray(0, -SIGNATURE_LENGTH)
  const fields = readFields(signed.subarray(VERSION.length))
  const [id, iteration] = [requireNumber(fields, 1), requireNumber(fields, 2)]
  const ciphertext = requireBytes(fields, 3)
  const key = record.keys.find((each) => each.id === id)
  if (!key) throw new SessionError('No session found to decrypt message')
  verifySignature(key.signingKey, signed, message.subarray(-SIGNATURE_LENGTH))
  const { seed, accept } =
    iteration < key.iteration ? takeSkipped(key, iteration) : await walk(key, iteration, maxSteps)
  const { cipherKey, iv } = keysOf(seed)
  const plain = decrypt(cipherKey, ciphertext, iv)
  return { record: record.with(accept()), plain, steps: Math.max(0, iteration - key.iteration) }
}

interface TakenSeed {
  seed: Buffer
  /** The key after the message. Called only when the message was decrypted. */
  accept(): SenderKey
}

function takeSkipped(key: SenderKey, iteration: number): TakenSeed {
  const seed = key.skipped.get(iteration)
  if (!seed)
    throw new MessageCounterError(`Received message with old counter: ${key.iteration}, ${iteration}`)
  const accept = (): SenderKey => {
    const skipped = new Map(key.skipped)
    skipped.delete(iteration)
    return { ...key, skipped }
  }
  return { seed, accept }
}

async function walk(key: SenderKey, iteration: number, maxSteps: number): Promise<TakenSeed> {
  const steps = iteration - key.iteration
  if (iteration >= MAX_NUMBER || steps > Math.min(maxSteps, MAX_STEPS))
    throw new SessionError('Too many messages into the future')
  const passed: SenderKey[] = []
  let current = key
  for (let step = 1; step <= steps; step += 1) {
    // The keys of messages before these would be dropped at once.
    if (steps - step < MAX_SKIPPED) passed.push(current)
    current = advance(current)
    if (step % STEPS_AT_ONCE === 0) await setImmediate()
  }
  const accept = (): SenderKey => {
    const skipped = new Map(key.skipped)
    for (const each of passed) skipped.set(each.iteration, calculateMAC(each.chainKey, MESSAGE_SEED))
    return { ...advance(current), skipped }
  }
  return { seed: calculateMAC(current.chainKey, MESSAGE_SEED), accept }
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
