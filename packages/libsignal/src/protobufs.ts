// The two messages of the protocol on the wire. Written by hand: two messages of four and six fields need no generator, and this
// is the hot path.
import { createReader, createWriter } from './bytes.ts'

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
      ephemeralKey: requireBytes(fields, 1),
      counter: numberOf(fields, 2) ?? 0,
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
      baseKey: requireBytes(fields, 2),
      identityKey: requireBytes(fields, 3),
      message: requireBytes(fields, 4),
      registrationId: numberOf(fields, 5) ?? 0,
      signedPreKeyId: numberOf(fields, 6) ?? 0,
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
    const type = tag & 7
    if (type !== NUMBER && type !== BYTES) throw new Error('Invalid field in a message')
    fields.set(tag >>> 3, type === NUMBER ? reader.number() : reader.bytes())
  }
  return fields
}

export function requireBytes(fields: Fields, id: number): Buffer {
  const value = fields.get(id)
  if (!Buffer.isBuffer(value)) throw new Error('Missing field in a message')
  return value
}

export function numberOf(fields: Fields, id: number): number | undefined {
  const value = fields.get(id)
  return typeof value === 'number' ? value : undefined
}
