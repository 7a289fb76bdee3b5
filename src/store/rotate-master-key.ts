// Changes the master key: wraps every data key with the new one, in one transaction. Data itself is not encrypted again.
import { sql } from 'kysely'
import { seal, unseal } from './seal.ts'
import type { Store } from './store.ts'
import { isMasterKeyOf, MASTER_KEY_MARK, sealMark, WrongMasterKeyError, wrapCell } from './vault.ts'

export type MasterKeyRotation =
  | { outcome: 'rotated'; dataKeys: number }
  /** An earlier run has committed. */
  | { outcome: 'rotated_before' }
  /** Nothing was encrypted yet. */
  | { outcome: 'no_data' }

/** All data keys or none: after a crash the data opens with one of the two keys. */
export const rotateMasterKey = (
  store: Pick<Store, 'engine' | 'transaction'>,
  from: Uint8Array,
  to: Uint8Array,
): Promise<MasterKeyRotation> =>
  store.transaction(async (tx) => {
    // A process that creates a data key meanwhile waits, and then sees that the master key has changed.
    if (store.engine === 'postgres') await sql`lock table data_keys in exclusive mode`.execute(tx)
    const mark = await tx
      .selectFrom('facts')
      .select('value')
      .where('name', '=', MASTER_KEY_MARK)
      .executeTakeFirst()
    if (!mark) return { outcome: 'no_data' }
    if (isMasterKeyOf(mark.value, to)) return { outcome: 'rotated_before' }
    if (!isMasterKeyOf(mark.value, from)) throw new WrongMasterKeyError()
    const keys = await tx.selectFrom('data_keys').select(['scope', 'wrapped']).execute()
    for (const { scope, wrapped } of keys) {
      const cell = wrapCell(scope)
      const again = seal(to, cell, unseal(from, cell, wrapped))
      await tx.updateTable('data_keys').set({ wrapped: again }).where('scope', '=', scope).execute()
    }
    await tx
      .updateTable('facts')
      .set({ value: sealMark(to) })
      .where('name', '=', MASTER_KEY_MARK)
      .execute()
    return { outcome: 'rotated', dataKeys: keys.length }
  })
