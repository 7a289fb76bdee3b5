// Changes the state of an instance: the row and its event, in one transaction.

import type { Deps } from '../context.ts'
import { connectionUpdate } from '../events/rules-payloads.ts'
import type { Row, RowChange } from '../store/tables.ts'
import { findInstanceById, updateInstance } from './instance-queries.ts'
import { type StateEvent, stateAfter } from './rules.ts'

type StateDeps = Pick<Deps, 'store' | 'clock'>

export interface StateChange {
  event: StateEvent
  /** When the reason of the new state ends, where that is known. */
  until?: number | null | undefined
  /** Other columns to change with the state. */
  change?: RowChange<'instances'>
  /** Reported by a session: ignored once a log-out is recorded. */
  isFromSession?: boolean
}

export async function changeInstanceState(
  deps: StateDeps,
  instanceId: number,
  change: StateChange,
): Promise<void> {
  await deps.store.instanceTransaction(instanceId, (tx) =>
    changeInstanceStateIn(deps, tx, instanceId, change),
  )
}

/** As part of a larger transaction. A deleted instance is left unchanged, without an event. */
export async function changeInstanceStateIn(
  { store, clock }: StateDeps,
  tx: Deps['store']['db'],
  instanceId: number,
  { event, until, change, isFromSession = false }: StateChange,
): Promise<void> {
  const now = clock()
  const after = stateAfter(event, until ?? null)
  const before = await findInstanceById(tx, instanceId)
  if (!before || (change === undefined && isSame(before, after))) return
  const row = await updateInstance(
    tx,
    instanceId,
    { ...after, ...change, updated_at: now },
    { unlessLoggingOut: isFromSession },
  )
  if (row && hasChanged(before, row)) await store.appendEvents(tx, [connectionUpdate(row, now)])
}

const isSame = (before: Row<'instances'>, after: ReturnType<typeof stateAfter>): boolean =>
  before.state === after.state &&
  before.state_reason === after.state_reason &&
  before.state_until === after.state_until

const hasChanged = (before: Row<'instances'>, after: Row<'instances'>): boolean =>
  before.state !== after.state ||
  before.state_reason !== after.state_reason ||
  before.state_until !== after.state_until ||
  before.number !== after.number
