// How often each key was used on other nodes: every node counts these uses against its own limit.
import type { EntryName } from '../kernel/async/entry-name.ts'
import { realTimers, type Timers } from '../kernel/async/timers.ts'

/** Uses of one key, with the rate that applies to it. */
export interface KeyUses {
  key: EntryName
  perSecond: number
  count: number
}

/** Uses are sent to the other nodes this often. Within this time a key may be used up to its burst on each node. */
const INTERVAL_MS = 1000
/** A node that is asked with more keys than that tells the rest a second later. */
const MAX_KEYS = 5000

export interface SharedUses {
  /** A request was allowed here. */
  note(key: EntryName, perSecond: number): void
  /** Runs when another node tells its uses. */
  onReceived(listener: (uses: readonly KeyUses[]) => void): void
  receive(uses: readonly KeyUses[]): void
  stop(): void
}

export function createSharedUses(
  tell: (uses: KeyUses[]) => void,
  timers: Pick<Timers, 'setInterval' | 'clearInterval'> = realTimers,
): SharedUses {
  const counts = new Map<EntryName, KeyUses>()
  const listeners: ((uses: readonly KeyUses[]) => void)[] = []
  const timer = timers.setInterval(() => {
    const uses = [...counts.values()].slice(0, MAX_KEYS)
    for (const { key } of uses) counts.delete(key)
    if (uses.length > 0) tell(uses)
  }, INTERVAL_MS)
  timer.unref()
  return {
    note(key, perSecond) {
      const known = counts.get(key)
      if (known) known.count += 1
      else counts.set(key, { key, perSecond, count: 1 })
    },
    onReceived: (listener) => void listeners.push(listener),
    receive(uses) {
      for (const listener of listeners) listener(uses)
    },
    stop: () => timers.clearInterval(timer),
  }
}
