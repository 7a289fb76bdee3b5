// The mark of a restored database: the restore writes it, and resuming removes it (decision 0076).
import type { Db } from '../tables.ts'

/** A fact. Its value is the time of the restore, in milliseconds. */
export const RESTORE_MARK = 'restored_at'

export async function hasRestoreMark(db: Db): Promise<boolean> {
  const mark = await db.selectFrom('facts').select('name').where('name', '=', RESTORE_MARK).executeTakeFirst()
  return mark !== undefined
}

export async function clearRestoreMark(db: Db): Promise<void> {
  await db.deleteFrom('facts').where('name', '=', RESTORE_MARK).execute()
}
