// What the rules work with; each function names the part of it that it needs.
import type { LiveSessions } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'

export interface Deps {
  store: Store
  vault: Vault
  sessions: LiveSessions
  /** A message was accepted: whoever sends may look for it at once. */
  wakeSending: () => void
  /** Milliseconds; a parameter so that rules about time need no waiting in tests. */
  clock: () => number
}
