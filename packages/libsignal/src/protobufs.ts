// The two messages of the protocol on the wire. Written by hand: two messages of four and six fields need no generator, and this
// is the hot path. Fields are checked here, as strictly as the official library does.
import { createReader, createWriter } from './bytes.ts'
import { checkPublicKey } from './x25519.ts'

export interface WhisperMessageFields {
  ephemeralKey: Buffer
  counter: number
  previousCounter: number
  ciphertext: Buffer
}

export interface PreKeyWhisperMessageFields {
  registrationId: number
  preKeyId?: number
  signedPreKeyId: number
  baseKey: Buffer
  identityKey: Buffer
  message: Buffer
}

export type Fields = Map<number, number | Buffer>
const NUMBER = 0
const BYTES = 2

export const WhisperMessage = {
  encode: (message: WhisperMessageFields): Buffer =>
    writeFields([
      [1, message.ephemeralKey],
      [2, message.counter],
      [3, message.previousCounter],
      [4, message.ciphertext],
    ]),
  decode(bytes: Uint8Array): WhisperMessageFields {
    const fields = readFields(bytes)
    return {
      ephemeralKey: requirePublicKey(fields, 1),
      counter: requireNumber(fields, 2),
      previousCounter: numberOf(fields, 3) ?? 0,
      ciphertext: requireBytes(fields, 4),
    }
  },
}

export const PreKeyWhisperMessage = {
  encode: (message: PreKeyWhisperMessageFields): Buffer =>
    writeFields([
      [1, message.preKeyId],
      [2, message.baseKey],
      [3, message.identityKey],
      [4, message.message],
      [5, message.registrationId],
      [6, message.signedPreKeyId],
    ]),
  decode(bytes: Uint8Array): PreKeyWhisperMessageFields {
    const fields = readFields(bytes)
    const preKeyId = numberOf(fields, 1)
    return {
      ...(preKeyId === undefined ? {} : { preKeyId }),
      baseKey: requirePublicKey(fields, 2),
      identityKey: requirePublicKey(fields, 3),
      message: requireBytes(fields, 4),
      registrationId: numberOf(fields, 5) ?? 0,
      signedPreKeyId: requireNumber(fields, 6),
    }
  },
}

export function writeFields(fields: [number, number | Buffer | undefined][]): Buffer {
  const writer = createWriter()
  for (const [id, value] of fields) {
    if (value === undefined) continue
    writer.number((id << 3) | (typeof value === 'number' ? NUMBER : BYTES))
    if (typeof value === 'number') writer.number(value)
    else writer.bytes(value)
  }
  return writer.finish()
}

export function readFields(bytes: Uint8Array): Fields {
  const reader = createReader(bytes)
  const fields: Fields = new Map()
  while (!reader.isAtEnd()) {
    const tag = reader.number()
    const [id, type] = [tag >>> 3, tag & 7]
    if (id === 0 || (type !== NUMBER && type !== BYTES)) throw new Error('Invalid field in a message')
    fields.set(id, type === NUMBER ? reader.number() : reader.bytes())
  }
  return fields
}

export function requireBytes(fields: Fields, id: number, length?: number): Buffer {
  const value = fields.get(id)
  if (!Buffer.isBuffer(value)) throw new Error('Missing field in a message')
  if (length !== undefined && value.length !== length)
    throw new Error('Invalid length of a field in a message')
  return value
}

export function requirePublicKey(fields: Fields, id: number): Buffer {
  const key = requireBytes(fields, id)
  checkPublicKey(key)
  return key
}

export function requireNumber(fields: Fields, id: number): number {
  const value = numberOf(fields, id)
  if (value === undefined) throw new Error('Missing field in a message')
  return value
}

function numberOf(fields: Fields, id: number): number | undefined {
  const value = fields.get(id)
  if (Buffer.isBuffer(value)) throw new Error('Invalid field in a message')
  return value
}
