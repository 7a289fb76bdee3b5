// What the rules work with; each function names the part of it that it needs.
import type { LiveSessions } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { OutcomeWatch } from './outcome-watch.ts'

/** What the guarded client says of a URL by its form alone: the URL as it will be used, or why not. */
export type JudgeUrl = (text: string, purpose: 'webhook' | 'media') => { href: string } | { refused: string }

export interface Deps {
  store: Store
  vault: Vault
  sessions: LiveSessions
  /** A message was accepted: whoever sends may look for it at once. */
  wakeSending: () => void
  /** Waits for what becomes of messages. */
  outcomes: OutcomeWatch
  /** Milliseconds; a parameter so that rules about time need no waiting in tests. */
  clock: () => number
  judgeUrl: JudgeUrl
}
