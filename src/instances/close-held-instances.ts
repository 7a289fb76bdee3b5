// Closes the stored state of all instances when the gateway starts held: none of them is connected.

import type { Deps } from '../context.ts'
import { connectionUpdate } from '../events/rules-payloads.ts'
import { closeInstances } from './instance-queries.ts'
import { stateAfter } from './rules.ts'

/** The state in a restored database comes from the original gateway. Resuming reconnects every logged-in instance. */
export async function closeHeldInstances({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<void> {
  await store.transaction(async (tx) => {
    const now = clock()
    const closed = await closeInstances(tx, { ...stateAfter('held'), updated_at: now })
    await store.appendEvents(
      tx,
      closed.map((row) => connectionUpdate(row, now)),
    )
  })
}
