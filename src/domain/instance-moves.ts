// An instance moves to another state: the row and the event that tells of it, in one transaction.
import { findLivingInstance, updateInstance } from '../store/queries/instances.ts'
import type { Row, RowChange } from '../store/tables.ts'
import type { Deps } from './deps.ts'
import { connectionUpdate } from './event-payloads.ts'
import { type StateEvent, stateAfter } from './instance-state.ts'

type MoveDeps = Pick<Deps, 'store' | 'clock'>

export async function moveInstance(
  { store, clock }: MoveDeps,
  instanceId: number,
  happened: StateEvent,
  change: RowChange<'instances'> = {},
): Promise<void> {
  await store.transaction((tx) => moveWithin({ store, clock }, tx, instanceId, happened, change))
}

/** As part of a larger transaction. Undefined: the instance is gone, and nobody is told anything. */
export async function moveWithin(
  { store, clock }: MoveDeps,
  tx: Deps['store']['db'],
  instanceId: number,
  happened: StateEvent,
  change: RowChange<'instances'> = {},
): Promise<Row<'instances'> | undefined> {
  const now = clock()
  const before = await findLivingInstance(tx, instanceId)
  const row = await updateInstance(tx, instanceId, { ...stateAfter(happened), ...change, updated_at: now })
  if (row && before && isNews(before, row)) await store.appendEvents(tx, [connectionUpdate(row, now)])
  return row
}

/** Whoever was told of a state need not hear of it again. */
const isNews = (before: Row<'instances'>, after: Row<'instances'>): boolean =>
  before.state !== after.state || before.state_reason !== after.state_reason || before.number !== after.number
