// The mark of a restored database: the restore writes it, and resuming removes it (decisions 0076 and 0114).
import type { Store } from '../store/store.ts'
import type { Db } from '../store/tables.ts'
import { forgetRatchets } from './ratchet-queries.ts'

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
