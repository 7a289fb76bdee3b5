// Checks that a store can write as well as read: a full disk or a standby server still answers reads.
import type { Db } from '../tables.ts'

export async function checkStore(db: Db, now: number): Promise<void> {
  const value = String(now)
  await db
    .insertInto('facts')
    .values({ name: 'checked_at', value })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value }))
    .execute()
  await db.selectFrom('facts').select('value').where('name', '=', 'checked_at').execute()
}
