// The library's login and keys on top of the port's credentials, with a cache for the keys in use.
import {
  type AuthenticationCreds,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from 'baileys'
import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import type { Arrival, KeyChange } from '../../network/network.ts'
import { createGivenKeys, GIVEN_KEYS, type GivenKeys } from './given-keys.ts'
import { decodeKey, encodeKey } from './key-codec.ts'
import type { HeldCredentials } from './write-barrier.ts'

/** The kind under which an arrival passes through the library's transaction, together with the keys it used up. */
export const ARRIVAL_KIND = 'arrival'
/** The value of that kind. */
export interface ArrivalToStore {
  payload: Uint8Array
  /** Settles when the arrival and the keys are stored, or when that has failed. */
  stored: PromiseWithResolvers<void>
}
const CREDS = { kind: 'creds', name: 'creds' }
/**
 * Keys that change with each message. Only the frame that they encrypted depends on them. In the same way, only the receipt of a
 * received message depends on the message and the keys it used up.
 */
const RATCHETS = new Set(['session', 'sender-key'])
/** Cached keys per session: enough for active chats, and little memory for an idle session. */
const CACHE_SIZE = 500
/** Each of these keys is used once. A pairing creates 812 of them, which would fill the cache and push out the keys in use. */
const ONE_TIME_KEYS = 'pre-key:'

export interface KeyStore extends SignalKeyStore {
  /** The current value if it is in memory, else undefined; null: there is no such key. */
  cached<T extends keyof SignalDataTypeMap>(type: T, id: string): SignalDataTypeMap[T] | null | undefined
}

export interface AuthState {
  creds: AuthenticationCreds
  keys: KeyStore
  /** Stores the login as it is now. */
  saveCreds(): Promise<void>
}

export async function loadAuthState(credentials: HeldCredentials): Promise<AuthState> {
  const stored = (await credentials.read(CREDS.kind, [CREDS.name])).get(CREDS.name)
  const creds = stored ? (decodeKey(CREDS.kind, stored) as AuthenticationCreds) : initAuthCreds()
  return {
    creds,
    keys: createKeyStore(credentials),
    saveCreds: () => credentials.write([{ ...CREDS, value: encodeKey(CREDS.kind, creds) }], []),
  }
}

function createKeyStore(credentials: HeldCredentials): KeyStore {
  const cache = createCache()
  const unwritten = createUnwritten()
  const given = createGivenKeys()
  const known = (name: string): unknown => {
    const value = unwritten.get(name)
    return value === undefined ? cache.get(name) : value
  }
  return {
    cached: <T extends keyof SignalDataTypeMap>(type: T, id: string) =>
      known(`${type}:${id}`) as SignalDataTypeMap[T] | null | undefined,
    async get(type, ids) {
      const found: Record<string, SignalDataTypeMap[typeof type]> = {}
      const missing: string[] = []
      for (const id of ids) {
        const cached = known(`${type}:${id}`)
        if (cached === undefined) missing.push(id)
        else if (cached !== null) found[id] = cached as SignalDataTypeMap[typeof type]
      }
      if (missing.length === 0) return found
      const stored = await credentials.read(type, missing)
      for (const id of missing) {
        const bytes = stored.get(id)
        const value = bytes === undefined ? null : decodeKey(type, bytes)
        // A value written during the read is newer.
        if (cache.get(`${type}:${id}`) === undefined) {
          cache.set(`${type}:${id}`, value)
          given.noteRead(type, id, bytes ?? null)
        }
        if (value !== null) found[id] = value as SignalDataTypeMap[typeof type]
      }
      return found
    },
    async set(data) {
      const { keys, arrivals, cached } = toWrite(data, given)
      if (keys.length === 0 && arrivals.length === 0) return
      if (keys.some(({ kind }) => kind === GIVEN_KEYS)) await credentials.framesFlushed()
      const forget = unwritten.add(cached)
      const succeeded = keys.map(({ kind, name, value }) => given.beginWrite(kind, name, value))
      const isForFrames = arrivals.length > 0 || keys.every(({ kind }) => RATCHETS.has(kind))
      const writing = isForFrames ? credentials.writeBehind(keys, arrivals) : credentials.write(keys, [])
      const written = writing
        .then(() => {
          for (const [name, value] of cached) cache.set(name, value)
          for (const succeed of succeeded) succeed()
        })
        .finally(forget)
      for (const { stored } of arrivals) void written.then(stored.resolve, stored.reject)
      if (!isForFrames) return written
      // The next ratchet step continues while this one is written, so that many share a commit. The barrier handles a failure.
      written.catch(() => undefined)
    },
  }
}

/** Values that are being written: a ratchet must never be read from the store in its earlier state. */
function createUnwritten() {
  const entries = new Map<string, { value: unknown }>()
  return {
    get: (name: string): unknown => entries.get(name)?.value,
    /** Returns a function to call when the write has ended. */
    add(values: [string, unknown][]): () => void {
      const added = values.map(([name, value]) => [name, { value }] as const)
      for (const [name, entry] of added) entries.set(name, entry)
      return () => {
        // A later value may still be in the process of being written.
        for (const [name, entry] of added) if (entries.get(name) === entry) entries.delete(name)
      }
    },
  }
}

function toWrite(
  data: SignalDataSet,
  given: Pick<GivenKeys, 'isStored'>,
): {
  keys: KeyChange[]
  arrivals: (Arrival & ArrivalToStore)[]
  cached: [string, unknown][]
} {
  const keys: KeyChange[] = []
  const arrivals: (Arrival & ArrivalToStore)[] = []
  const cached: [string, unknown][] = []
  for (const [kind, entries] of Object.entries(data)) {
    for (const [name, value] of Object.entries(entries as Record<string, unknown>)) {
      if (kind === ARRIVAL_KIND) {
        arrivals.push({ name, ...(value as ArrivalToStore) })
        continue
      }
      const encoded = value === null || value === undefined ? null : encodeKey(kind, value)
      if (given.isStored(kind, name, encoded)) continue
      keys.push({ kind, name, value: encoded })
      cached.push([`${kind}:${name}`, value ?? null])
    }
  }
  return { keys, arrivals, cached }
}

/** Null marks a key that is known to be missing. */
function createCache(): { get(name: string): unknown; set(name: string, value: unknown): void } {
  const entries = createBoundedMap<string, unknown>(CACHE_SIZE)
  return {
    get: entries.get,
    set(name, value) {
      if (!name.startsWith(ONE_TIME_KEYS)) entries.set(name, value)
    },
  }
}
