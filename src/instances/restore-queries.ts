// What a restored or promoted database needs: its mark, the record of lost commits, and ratchets that are forgotten.

import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import type { Db } from '../store/tables.ts'

// The mark of a restored database: the restore writes it, and resuming removes it (decisions 0076 and 0114).

/** A fact. Its value is the time of the restore, in milliseconds. */
export const RESTORE_MARK = 'restored_at'

export async function hasRestoreMark(db: Db): Promise<boolean> {
  const mark = await db.selectFrom('facts').select('name').where('name', '=', RESTORE_MARK).executeTakeFirst()
  return mark !== undefined
}

/**
 * Removes the mark, so that sessions may start. With it go the ratchets of the backup, which the original has used since then. Without
 * a mark nothing is changed.
 */
export const clearRestoreMark = ({
  engine,
  transaction,
}: Pick<Store, 'engine' | 'transaction'>): Promise<void> =>
  transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('facts')
      .where('name', '=', RESTORE_MARK)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) await forgetRatchets(tx, engine)
  })

// The record of commits that the database has lost in a failover (decision 0125).

/** A fact. Its value is the JSON of `LossRecord`. */
export const COMMITS_LOST = 'commits_lost'

export interface LossRecord {
  loss: 'possible' | 'certain'
  /** When a node noticed it, on the clock of the database. */
  at: number
}

// Forgets the state of all encryption, after the database has gone back to an earlier time: a backup was restored, or a failover lost
// commits. The keys of then would encrypt other texts again, and recipients would drop those as repeated (decision 0114).

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
