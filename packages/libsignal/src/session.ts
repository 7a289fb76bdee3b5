// The state of one session. States are never changed: each step returns a new one, so that a message that turns out to belong to
// another session, or to be forged, leaves no trace.
import type { KeyPair } from './curve.ts'

export interface Session {
  readonly registrationId: number
  readonly remoteIdentityKey: Buffer
  /** The key that began the session; it identifies the session. */
  readonly baseKey: Buffer
  /** True if this side began it. */
  readonly isOurs: boolean
  readonly createdAt: number
  readonly usedAt: number
  /** Null while it is the session that messages are sent on. */
  readonly closedAt: number | null
  readonly rootKey: Buffer
  readonly ownRatchet: KeyPair
  readonly remoteRatchetKey: Buffer
  /** The number of the last message on the sending chain before this one. */
  readonly previousCounter: number
  /** Null until the first message of the other side has arrived, if that side began the session. */
  readonly sending: ChainKey | null
  /** The newest is the last. */
  readonly receiving: readonly ReceivingChain[]
  /** Sent along until the other side has answered. */
  readonly pendingPreKey: PendingPreKey | null
}

export interface ChainKey {
  readonly key: Buffer
  /** The number of the last message; -1 before the first. */
  readonly counter: number
}

export interface ReceivingChain {
  readonly ratchetKey: Buffer
  /** Null if the other side has gone on to another chain. */
  readonly key: Buffer | null
  readonly counter: number
  /** The keys of messages that were overtaken by later ones, by number. */
  readonly skipped: ReadonlyMap<number, Buffer>
}

export interface PendingPreKey {
  readonly baseKey: Buffer
  readonly signedKeyId: number
  readonly preKeyId: number | null
}
