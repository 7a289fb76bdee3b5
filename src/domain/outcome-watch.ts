// Waiting for what becomes of messages: one look at the store for all who wait, after a commit that may have moved one on.
import type { z } from 'zod'
import type { Failure, FailureReason, MessageStatus } from '../contract/sending.ts'
import { findOutcomes, type OutcomeRow } from '../store/queries/messages.ts'
import type { Store } from '../store/store.ts'

export interface Outcome {
  status: 'sent' | 'failed'
  failure?: z.output<typeof Failure>
}

export interface OutcomeWatch {
  /** What became of the message; undefined when time runs out first, or the process is to end. */
  wait(message: { instanceId: number; messageId: string }, waitMs: number): Promise<Outcome | undefined>
  /** Nobody waits any longer. */
  stop(): void
}

/** Another process may have sent it, whose commits are not told here. */
const LOOK_MS = 1000

const UNDER_WAY: ReadonlySet<MessageStatus> = new Set(['queued', 'sending'])

/** The network took it, whatever came after. */
function outcomeOf(row: OutcomeRow): Outcome | undefined {
  if (UNDER_WAY.has(row.status as MessageStatus)) return undefined
  if (row.status !== 'failed') return { status: 'sent' }
  const reason = (row.failure_reason ?? 'internal') as FailureReason
  return { status: 'failed', failure: { reason, error: row.failure_error ?? '', code: row.failure_code } }
}

export function createOutcomeWatch({ store }: { store: Pick<Store, 'db' | 'onEvents'> }): OutcomeWatch {
  const waiting = new Map<string, Set<(outcome: Outcome | undefined) => void>>()
  const state = { looking: false, again: false, stopped: false }
  const nameOf = (instanceId: number, messageId: string) => `${instanceId}:${messageId}`
  let timer: NodeJS.Timeout | undefined

  async function lookOnce(): Promise<void> {
    const ids = [...waiting.keys()].map((name) => name.slice(name.indexOf(':') + 1))
    for (const row of await findOutcomes(store.db, ids)) {
      const outcome = outcomeOf(row)
      if (outcome) for (const tell of waiting.get(nameOf(row.instance_id, row.id)) ?? []) tell(outcome)
    }
  }
  /** One look at a time; whatever happens during it is seen by the next. */
  async function look(): Promise<void> {
    state.again = true
    if (state.looking) return
    state.looking = true
    while (state.again && waiting.size > 0) {
      state.again = false
      // A store in trouble is asked again at the next event, or the next tick of the timer.
      await lookOnce().catch(() => undefined)
    }
    state.looking = false
  }
  const unsubscribe = store.onEvents(() => void (waiting.size > 0 && look()))

  return {
    wait: ({ instanceId, messageId }, waitMs) =>
      new Promise((resolve) => {
        if (state.stopped) return resolve(undefined)
        const name = nameOf(instanceId, messageId)
        const tell = (outcome: Outcome | undefined) => {
          clearTimeout(late)
          const others = waiting.get(name)
          others?.delete(tell)
          if (others?.size === 0) waiting.delete(name)
          if (waiting.size === 0) clearInterval(timer)
          resolve(outcome)
        }
        const late = setTimeout(() => tell(undefined), waitMs)
        if (waiting.size === 0) timer = setInterval(() => void look(), LOOK_MS)
        waiting.set(name, (waiting.get(name) ?? new Set()).add(tell))
        // It may have gone before anybody waited.
        void look()
      }),
    stop() {
      state.stopped = true
      unsubscribe()
      // Whoever is told leaves the lists: deleting from a set or map that is being walked is safe.
      for (const tells of waiting.values()) for (const tell of tells) tell(undefined)
    },
  }
}
