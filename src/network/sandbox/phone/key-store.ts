/**
 * The keys of one phone. What a piece of work changes is held back until `keep`, so that the ratchet, the message
 * it decrypted and the queue entry it came from are committed together or not at all.
 */
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStoreWithTransaction } from 'baileys'
import type { Database } from '../store/database.ts'
import { readPhoneKey, writePhoneKey } from '../store/phone-keys.ts'

export type PhoneKeyStore = SignalKeyStoreWithTransaction & {
  /** Writes what was changed since the last `keep` or `drop`. */
  keep(): void
  drop(): void
  /** Writes at once, beside any work in progress. */
  put(type: keyof SignalDataTypeMap, id: string, value: unknown): void
}

export function createKeyStore(database: Database, number: string): PhoneKeyStore {
  const known = new Map<string, unknown>()
  const changed = new Map<string, { type: string; id: string; value: unknown }>()
  const read = (type: string, id: string): unknown => {
    const name = `${type} ${id}`
    const change = changed.get(name)
    if (change) return change.value
    if (!known.has(name)) known.set(name, readPhoneKey(database, number, type, id) ?? null)
    return known.get(name)
  }
  const put = (type: string, id: string, value: unknown) => {
    known.set(`${type} ${id}`, value ?? null)
    writePhoneKey(database, number, type, id, value)
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
    // A phone does one thing at a time, so that each piece of work is a transaction by itself.
    isInTransaction: () => true,
    transaction: (work) => work(),
    keep() {
      for (const { type, id, value } of changed.values()) put(type, id, value)
      changed.clear()
    },
    drop: () => changed.clear(),
    put,
  }
}
