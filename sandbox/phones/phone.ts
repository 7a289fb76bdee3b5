// A phone, as this layer and the API use it.
import type { Notifier } from '../model/notifier.ts'
import type { Account } from '../model/world.ts'
import type { NetworkPhone, SandboxState } from '../network/sandbox-state.ts'
import type { SettablePresence } from './phone-presence.ts'
import type { PhoneSignal } from './signal.ts'
import type { TypingLog } from './typing-log.ts'

export interface Phone extends NetworkPhone {
  readonly account: Account
  readonly signal: PhoneSignal
  /** Notifies when a message on the phone is new or has changed. */
  readonly notifier: Notifier
  readonly typing: TypingLog
  readonly presence: SettablePresence
  /** Reports that a message in the chat is new or has changed. */
  notifyChanged(chat: string): void
  /** A mutex: runs the work after all earlier work. Key changes that the work does not save are discarded. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>
  /** Stops receiving stanzas, and resolves when the work in progress is done. */
  stop(): Promise<void>
}

/** The state as the API uses it, which acts with phones and adds new ones. */
export interface StateWithPhones extends SandboxState {
  readonly phones: Map<string, Phone>
}
