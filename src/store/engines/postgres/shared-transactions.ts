// Transactions of single instances that share a commit. All instances of an account append to one event log, which only one transaction
// at a time can do: when many of them change their state at once, one commit for each is the limit of the account (decision 0094).
import { sql } from 'kysely'
import type { NewEvent } from '../../../events/rules-payloads.ts'
import type { CommitMeasure } from '../../store.ts'
import type { Db } from '../../tables.ts'
import { createBatcher } from '../batcher.ts'

/** Instances are locked until the commit, and each work takes a few round trips: more of them would delay arrivals and sends. */
const MAX_BATCH = 16

interface InstanceWork {
  instanceId: number
  work(tx: Db): Promise<unknown>
}

interface SharedParts {
  /** Repeats the transaction when it conflicts with another one. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Appends to the log, as part of the transaction. */
  append(tx: Db, events: NewEvent[]): Promise<void>
  onCommit?: ((measure: CommitMeasure) => void) | undefined
}

export interface SharedTransactions {
  run<T>(instanceId: number, work: (tx: Db) => Promise<T>): Promise<T>
  append(tx: Db, events: NewEvent[]): Promise<void>
}

export function createSharedTransactions({ transaction, append, onCommit }: SharedParts): SharedTransactions {
  /** The events of a shared transaction wait for its end: accounts are locked after instances, and as briefly as possible. */
  const collected = new WeakMap<Db, NewEvent[]>()

  const commit = (calls: InstanceWork[]): Promise<unknown[]> =>
    transaction(async (tx) => {
      const events: NewEvent[] = []
      collected.set(tx, events)
      const ids = calls.map(({ instanceId }) => instanceId)
      // In the order of decision 0078, because the works come in any order.
      await sql`select id from instances where id = any(${ids}::bigint[]) order by id for no key update`.execute(
        tx,
      )
      const outputs: unknown[] = []
      for (const { work } of calls) outputs.push(await work(tx))
      await append(tx, events)
      return outputs
    })
  const shared = createBatcher(commit, { maxSize: MAX_BATCH, onCommit })

  return {
    run: <T>(instanceId: number, work: (tx: Db) => Promise<T>) => shared({ instanceId, work }) as Promise<T>,
    async append(tx, events) {
      const waiting = collected.get(tx)
      if (waiting) waiting.push(...events)
      else await append(tx, events)
    },
  }
}
