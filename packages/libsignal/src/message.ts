// Encrypts and decrypts one message with a session. Pure: returns the session after the step.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { decrypt, deriveSecrets, encrypt } from './crypto.ts'
import { SessionError } from './errors.ts'
import { PreKeyWhisperMessage, WhisperMessage, type WhisperMessageFields } from './protobufs.ts'
import { type Budget, NO_SALT, nextSendingKey, receivingKey } from './ratchet.ts'
import type { Session } from './session.ts'

/** The version of the message, and the highest version that its sender knows, in one byte. */
export const VERSION = Buffer.from([0x33])
const MESSAGE_VERSION = 3
const MAC_LENGTH = 8
const IV_LENGTH = 16
const KEYS_INFO = Buffer.from('WhisperMessageKeys')

export interface Sender {
  identityKey: Buffer
  registrationId: number
}

export interface Incoming extends WhisperMessageFields {
  /** The part that the MAC covers. */
  signed: Buffer
  mac: Buffer
}

export function encryptMessage(
  session: Session,
  data: Uint8Array,
  sender: Sender,
): { session: Session; body: Buffer } {
  const { session: stepped, counter, messageKey } = nextSendingKey(session)
  const { cipherKey, macKey, iv } = keysOf(messageKey)
  const fields = WhisperMessage.encode({
    ephemeralKey: session.ownRatchet.pubKey,
    counter,
    previousCounter: session.previousCounter,
    ciphertext: encrypt(cipherKey, data, iv),
  })
  const signed = Buffer.concat([VERSION, fields])
  const mac = macOf(macKey, sender.identityKey, session.remoteIdentityKey, signed)
  return { session: stepped, body: withPreKey(session, Buffer.concat([signed, mac]), sender) }
}

function withPreKey({ pendingPreKey }: Session, message: Buffer, sender: Sender): Buffer {
  if (!pendingPreKey) return message
  const { preKeyId, baseKey, signedKeyId } = pendingPreKey
  const { identityKey, registrationId } = sender
  const fields = { baseKey, identityKey, registrationId, signedPreKeyId: signedKeyId, message }
  return Buffer.concat([
    VERSION,
    PreKeyWhisperMessage.encode(preKeyId === null ? fields : { ...fields, preKeyId }),
  ])
}

export function readMessage(bytes: Uint8Array): Incoming {
  checkVersion(bytes)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length <= VERSION.length + MAC_LENGTH) throw new Error('Message is cut off')
  const signed = buffer.subarray(0, -MAC_LENGTH)
  return {
    ...WhisperMessage.decode(signed.subarray(VERSION.length)),
    signed,
    mac: buffer.subarray(-MAC_LENGTH),
  }
}

/** Throws if the message does not belong to this session. The session is changed only after the MAC was found to be right. */
export function decryptMessage(
  session: Session,
  message: Incoming,
  ownIdentityKey: Buffer,
  now: number,
  budget: Budget,
): { session: Session; plain: Buffer } {
  const { ephemeralKey, counter, ciphertext, signed, mac } = message
  const { messageKey, accept } = receivingKey(session, ephemeralKey, counter, budget)
  const { cipherKey, macKey, iv } = keysOf(messageKey)
  const expected = macOf(macKey, session.remoteIdentityKey, ownIdentityKey, signed)
  if (!timingSafeEqual(expected, mac)) throw new SessionError('Bad MAC')
  const plain = decrypt(cipherKey, ciphertext, iv)
  return { session: { ...accept(), usedAt: now, pendingPreKey: null }, plain }
}

export function checkVersion(bytes: Uint8Array): void {
  if ((bytes[0] ?? 0) >> 4 !== MESSAGE_VERSION) throw new Error('Incompatible version number of a message')
}

function keysOf(messageKey: Buffer): { cipherKey: Buffer; macKey: Buffer; iv: Buffer } {
  const [cipherKey, macKey, third] = deriveSecrets(messageKey, NO_SALT, KEYS_INFO) as [Buffer, Buffer, Buffer]
  return { cipherKey, macKey, iv: third.subarray(0, IV_LENGTH) }
}

const macOf = (key: Buffer, senderKey: Buffer, recipientKey: Buffer, signed: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(senderKey)
    .update(recipientKey)
    .update(signed)
    .digest()
    .subarray(0, MAC_LENGTH)
