// The calls between phones: ringing, answered and over. They are in memory and end with the process.
import { createNotifier, type Notifier } from './notifier.ts'
import type { Account } from './world.ts'

/** `missed`: the caller gave up, or the call rang for too long. */
export type PhoneCallStatus = 'ringing' | 'answered' | 'rejected' | 'missed' | 'ended'

export interface Call {
  id: string
  from: Account
  to: Account
  isVideo: boolean
  status: PhoneCallStatus
  /** Unix seconds. */
  timestamp: number
  /** The timer that ends a call without an answer. */
  ringing: NodeJS.Timeout | undefined
}

export interface Calls {
  readonly notifier: Notifier
  add(call: Call): void
  find(id: string): Call | undefined
  /** The calls of a number, oldest first. */
  of(number: string): Call[]
  /** Ends the timers of all calls. */
  stop(): void
}

const KEPT = 100

export function createCalls(): Calls {
  let calls: Call[] = []
  return {
    notifier: createNotifier(),
    add(call) {
      for (const dropped of calls.slice(0, -KEPT)) clearTimeout(dropped.ringing)
      calls = [...calls.slice(-KEPT), call]
    },
    find: (id) => calls.find((call) => call.id === id),
    of: (number) => calls.filter(({ from, to }) => from.number === number || to.number === number),
    stop() {
      for (const { ringing } of calls) clearTimeout(ringing)
    },
  }
}
