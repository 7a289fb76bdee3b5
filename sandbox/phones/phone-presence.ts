// The presence of a phone itself, beside that of its linked devices.
import type { Account } from '../model/world.ts'
import { announcePresence } from '../network/presence.ts'
import type { PhonePresence, SandboxState } from '../network/sandbox-state.ts'

export interface SettablePresence extends PhonePresence {
  /** The person opens the app or puts the phone away. */
  set(available: boolean): void
}

export function createPresence(state: SandboxState, account: Account): SettablePresence {
  // A phone on the screen of a developer is in use until the API says otherwise.
  let isOpen = true
  return {
    get available() {
      return isOpen && !state.faults.offline.has(account.number)
    },
    lastSeen: Math.floor(Date.now() / 1000),
    set(available) {
      isOpen = available
      announcePresence(state, account)
      state.changes.record({ about: 'world' }, [account.owner])
    },
  }
}
