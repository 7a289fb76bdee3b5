// The Signal keys of one phone. Changes are buffered until `save`, so that the ratchet, the message that it decrypted and the
// removal from the queue are committed in one transaction.

import type { SignalDataSet, SignalDataTypeMap, SignalKeyStoreWithTransaction } from 'baileys'
import { SenderKeyRecord, SessionRecord } from 'libsignal'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { Refusal } from '../model/refusal.ts'
import type { Database } from '../store/database.ts'
import { readPhoneKey, writePhoneKey } from '../store/phone-keys.ts'

export interface PhoneKeyStore extends SignalKeyStoreWithTransaction {
  /** Writes the changes since the last `save` or `discard`. */
  save(): void
  discard(): void
  /** After a rollback: keys are read again, and the changes of the work in progress can no longer be saved. */
  invalidate(): void
  /** Writes at once, without buffering. */
  write(type: keyof SignalDataTypeMap, id: string, value: unknown): void
}

export function createKeyStore(database: Database, number: string): PhoneKeyStore {
  const known = new Map<string, unknown>()
  const changed = new Map<string, { type: string; id: string; value: unknown }>()
  let isStale = false
  const read = (type: string, id: string): unknown => {
    const name = `${type} ${id}`
    const change = changed.get(name)
    if (change) return change.value
    if (!known.has(name)) known.set(name, fromStored(type, readPhoneKey(database, number, type, id)))
    return known.get(name)
  }
  const write = (type: string, id: string, value: unknown) => {
    known.set(`${type} ${id}`, value ?? null)
    writePhoneKey(database, number, type, id, toStored(value))
  }
  return {
    get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const value = read(type, id)
        if (value !== null && value !== undefined) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    set(data: SignalDataSet) {
      for (const [type, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values))
          changed.set(`${type} ${id}`, { type, id, value: value ?? null })
    },
    // The phone's mutex makes each piece of work a transaction.
    isInTransaction: () => true,
    transaction: (work) => work(),
    save() {
      if (isStale) throw new Refusal('storage_full', sentenceOf('storage_full'))
      for (const { type, id, value } of changed.values()) write(type, id, value)
      changed.clear()
    },
    discard() {
      changed.clear()
      isStale = false
    },
    invalidate() {
      known.clear()
      isStale = true
    },
    write,
  }
}

/** Sessions and sender keys are objects in memory, and bytes in the database. */
const toStored = (value: unknown): unknown =>
  value instanceof SessionRecord || value instanceof SenderKeyRecord ? value.toBytes() : value

function fromStored(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (type === 'session') return SessionRecord.deserialize(value)
  return type === 'sender-key' ? SenderKeyRecord.deserialize(value) : value
}
