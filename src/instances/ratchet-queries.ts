// Forgets the state of all encryption, after the database has gone back to an earlier time: a backup was restored, or a failover lost
// commits. The keys of then would encrypt other texts again, and recipients would drop those as repeated (decision 0114).
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import type { Db } from '../store/tables.ts'

/**
 * One-time keys are among them: one that was used since then must not be used again. The driver notices that they are gone, and
 * uploads new ones with the next connection.
 */
const FORGET = `delete from session_keys where kind in ('session', 'sender-key', 'sender-key-memory', 'pre-key')`

/**
 * The statements of one transaction, for each engine. The new fencing tokens come first: a connection that is still open cannot
 * write its keys back. On PostgreSQL the instances are locked in the order of decision 0078.
 */
export const FORGET_RATCHETS: Readonly<Record<Store['engine'], readonly string[]>> = {
  sqlite: ['update instances set fence = fence + 1', FORGET],
  postgres: [
    `with locked as materialized (select id from instances order by id for update)
     update instances set fence = fence + 1 from locked where instances.id = locked.id`,
    FORGET,
  ],
}

/** As part of `tx`. Open connections fail at their next write, and the next ones begin new sessions with everyone. */
export async function forgetRatchets(tx: Db, engine: Store['engine']): Promise<void> {
  for (const statement of FORGET_RATCHETS[engine]) await sql.raw(statement).execute(tx)
}
