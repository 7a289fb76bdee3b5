// The stored form of keys. Those that change with each message are compact records; all others are JSON.
import { BufferJSON, proto } from 'baileys'
import { SenderKeyRecord, SessionRecord } from 'libsignal'

interface KeyRecord {
  toBytes(): Uint8Array
}
type RecordType = { deserialize(value: unknown): KeyRecord }

const RECORD_TYPES: Record<string, RecordType> = { session: SessionRecord, 'sender-key': SenderKeyRecord }
const JSON_START = '{'.charCodeAt(0)

export function encodeKey(kind: string, value: unknown): Uint8Array {
  const type = RECORD_TYPES[kind]
  return type ? type.deserialize(value).toBytes() : Buffer.from(JSON.stringify(value, BufferJSON.replacer))
}

export function decodeKey(kind: string, bytes: Uint8Array): unknown {
  const type = RECORD_TYPES[kind]
  // Earlier versions stored every key as JSON.
  const value = type && bytes[0] !== JSON_START ? bytes : parse(bytes)
  if (type) return type.deserialize(value)
  // The library expects these as instances of the message class.
  return kind === 'app-state-sync-key'
    ? proto.Message.AppStateSyncKeyData.fromObject(value as Record<string, unknown>)
    : value
}

const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString(), BufferJSON.reviver)
