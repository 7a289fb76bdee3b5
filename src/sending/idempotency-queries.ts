// Answers that are stored under an idempotency key. Accepting a send writes them.
import type { Db } from '../store/tables.ts'

/** Whether a request with this key was accepted before. */
export async function hasAnswer(db: Db, accountId: number, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}
