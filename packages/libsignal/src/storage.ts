// What ciphers need from the owner of the keys. The network library implements it.
import type { KeyPair } from './curve.ts'
import type { SessionRecord } from './session-record.ts'

type Later<T> = T | Promise<T>

/** The caller runs one step with an address at a time, from reading the record to storing it. */
export interface SignalStorage {
  loadSession(address: string): Later<SessionRecord | null | undefined>
  storeSession(address: string, record: SessionRecord): Later<void>
  isTrustedIdentity(name: string, identityKey: Uint8Array): Later<boolean>
  loadPreKey(id: number): Later<KeyPair | null | undefined>
  removePreKey(id: number): Later<void>
  loadSignedPreKey(id: number): Later<KeyPair | null | undefined>
  getOurRegistrationId(): Later<number>
  getOurIdentity(): Later<KeyPair>
}
