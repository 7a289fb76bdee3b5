// Limits the work that the messages of one sender can cause. Messages that cannot be decrypted cost as much as the sender likes: up to
// thousands of steps for some seventy bytes. After too many of them within a minute, the messages of that sender are tried with the
// least effort: few steps, and only in the sessions that they most likely belong to. They are not refused, because an honest sender
// whose session was lost sends many messages that fail and then answers the retry receipts with messages that need no step at all.
import { MessageCounterError } from './errors.ts'

export interface Effort {
  /** Steps along chains for one message. */
  readonly steps: number
  /** Sessions that one message is tried with. */
  readonly sessions: number
}

export interface EffortLimit {
  /** Runs a decryption with the effort that this sender is worth, and counts it if it fails. */
  run<T>(sender: string, decrypt: (effort: Effort) => Promise<T>): Promise<T>
  /** For a message that was decrypted at an unusual cost: it counts like one that failed. */
  noteCostly(sender: string): void
}

/** Without limits beyond those that each message has anyway. */
const FULL_EFFORT: Effort = { steps: Infinity, sessions: Infinity }
const LEAST_EFFORT: Effort = { steps: 100, sessions: 2 }
const COSTLY_PER_MINUTE = 10
const MINUTE_MS = 60_000
/** Senders that are remembered at a time; the one that was noted first is forgotten first. */
const MAX_SENDERS = 1000

interface Window {
  startedAt: number
  costly: number
}

export function createEffortLimit(now = (): number => performance.now()): EffortLimit {
  const windows = new Map<string, Window>()
  function windowOf(sender: string): Window | undefined {
    const window = windows.get(sender)
    if (!window || now() - window.startedAt < MINUTE_MS) return window
    windows.delete(sender)
    return undefined
  }
  const isLimited = (sender: string): boolean => (windowOf(sender)?.costly ?? 0) >= COSTLY_PER_MINUTE
  function noteCostly(sender: string): void {
    const window = windowOf(sender)
    if (window) {
      window.costly += 1
      return
    }
    windows.set(sender, { startedAt: now(), costly: 1 })
    if (windows.size > MAX_SENDERS) windows.delete(windows.keys().next().value as string)
  }
  return {
    async run(sender, decrypt) {
      try {
        return await decrypt(isLimited(sender) ? LEAST_EFFORT : FULL_EFFORT)
      } catch (error) {
        // A message whose key was used before costs nothing: the network delivers messages again after a reconnect.
        if (!(error instanceof MessageCounterError)) noteCostly(sender)
        throw error
      }
    },
    noteCostly,
  }
}
