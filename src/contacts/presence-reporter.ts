// Limits how often the presence of one person is recorded: the first change at once, then the latest one per second.
import { setTimeout as pause } from 'node:timers/promises'
import type { PresenceChange } from '../network/people.ts'

const PAUSE_MS = 1000

export interface PresenceReporter {
  report(change: PresenceChange): void
}

/** A person who starts and stops typing many times a second must not cause as many events. */
export function createPresenceReporter(
  record: (change: PresenceChange) => Promise<void>,
  onFailure: (error: unknown) => void,
  pauseFor: (ms: number) => Promise<unknown> = (ms) => pause(ms, undefined, { ref: false }),
): PresenceReporter {
  /** By person: the latest change that waits for the end of the pause; undefined: none does. */
  const pausing = new Map<string, PresenceChange | undefined>()
  async function run(jid: string, first: PresenceChange): Promise<void> {
    for (let next: PresenceChange | undefined = first; next; next = pausing.get(jid)) {
      pausing.set(jid, undefined)
      await record(next).catch(onFailure)
      await pauseFor(PAUSE_MS)
    }
    pausing.delete(jid)
  }
  return {
    report(change) {
      const { jid } = change.person
      if (pausing.has(jid)) pausing.set(jid, change)
      else void run(jid, change)
    },
  }
}
