// Waits for the outcome of sends. All waiters share one query, which runs after each commit that may have changed a message.
import type { z } from 'zod'
import type { Failure, FailureReason, MessageStatus } from '../contract/sending.ts'
import { coalesce } from '../kernel/async/coalesce.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { findOutcomes, type OutcomeRow } from '../messages/message-queries.ts'
import type { Store } from '../store/store.ts'

export interface AwaitedOutcome {
  status: 'sent' | 'failed'
  failure?: z.output<typeof Failure>
}

export interface SendOutcomes {
  /** The outcome of the message; undefined after `waitMs`, and when the process stops. */
  wait(
    message: { instanceId: number; messageId: string },
    waitMs: number,
  ): Promise<AwaitedOutcome | undefined>
  /** Ends every wait. */
  stop(): void
}

/** Commits of other processes are not signalled to this one. */
const POLL_MS = 1000

const UNDER_WAY: ReadonlySet<MessageStatus> = new Set(['awaiting_approval', 'scheduled', 'queued', 'sending'])

/** Every later status means that the network has accepted the message. */
function outcomeOf(row: OutcomeRow): AwaitedOutcome | undefined {
  if (UNDER_WAY.has(row.status as MessageStatus)) return undefined
  if (row.status !== 'failed') return { status: 'sent' }
  const reason = (row.failure_reason ?? 'internal') as FailureReason
  return { status: 'failed', failure: { reason, error: row.failure_error ?? '', code: row.failure_code } }
}

interface Waiting {
  messageId: string
  settles: Set<(outcome: AwaitedOutcome | undefined) => void>
}

export function createSendOutcomes({ store }: { store: Pick<Store, 'db' | 'onEvents'> }): SendOutcomes {
  const waiting = new Map<EntryName<'instance'>, Waiting>()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  async function readOutcomes(): Promise<void> {
    const ids = [...waiting.values()].map(({ messageId }) => messageId)
    for (const row of await findOutcomes(store.db, ids)) {
      const outcome = outcomeOf(row)
      const { settles } = waiting.get(entryName('instance', row.instance_id, row.id)) ?? {}
      if (outcome && settles) for (const settle of settles) settle(outcome)
    }
  }
  /** One query at a time; a commit during it causes another. */
  const poll = coalesce(async () => {
    // If the store fails, the next event or the timer repeats the query.
    if (waiting.size > 0) await readOutcomes().catch(() => undefined)
  })
  const unsubscribe = store.onEvents(() => void (waiting.size > 0 && poll()))

  return {
    wait: ({ instanceId, messageId }, waitMs) =>
      new Promise((resolve) => {
        if (isStopped) return resolve(undefined)
        const name = entryName('instance', instanceId, messageId)
        const settle = (outcome: AwaitedOutcome | undefined) => {
          clearTimeout(timeout)
          const others = waiting.get(name)?.settles
          others?.delete(settle)
          if (others?.size === 0) waiting.delete(name)
          if (waiting.size === 0) clearInterval(timer)
          resolve(outcome)
        }
        const timeout = setTimeout(() => settle(undefined), waitMs)
        if (waiting.size === 0) timer = setInterval(() => void poll(), POLL_MS)
        const shared = waiting.get(name) ?? { messageId, settles: new Set() }
        shared.settles.add(settle)
        waiting.set(name, shared)
        // The outcome may already be stored.
        void poll()
      }),
    stop() {
      isStopped = true
      unsubscribe()
      // Each settle removes itself; deleting from a set or map during iteration is safe.
      for (const { settles } of waiting.values()) for (const settle of settles) settle(undefined)
    },
  }
}
