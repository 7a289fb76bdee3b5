// Sets aside what the gateway cannot process, so that it neither comes back with every connection nor disappears silently.

import type { Deps } from '../context.ts'
import type { EventData } from '../contract/events.ts'
import { setAsideEvent } from '../events/rules-payloads.ts'
import { insertSetAside, markArrivalProcessed } from './set-aside-queries.ts'

export type SetAsideReason = EventData<'messages.set_aside'>['reason']

export interface SetAsideItem extends Omit<EventData<'messages.set_aside'>, 'at'> {
  /** The same for the same thing, which may come several times. */
  name: string
  /** Its content, encrypted. */
  sealed: Uint8Array
  /** The stored arrival that it is, if it was stored before: it counts as processed from now on. */
  arrival?: string | undefined
}

export interface SetAsideDeps extends Pick<Deps, 'store' | 'clock'> {
  /** For the metrics. */
  onSetAside?: ((reason: SetAsideReason) => void) | undefined
}

/** Stores it with its event in one transaction. False: it was set aside before. */
export async function setAside(
  { store, clock, onSetAside }: SetAsideDeps,
  instanceId: number,
  { name, sealed, arrival, ...facts }: SetAsideItem,
): Promise<boolean> {
  const now = clock()
  const isNew = await store.instanceTransaction(instanceId, async (tx) => {
    if (arrival !== undefined) await markArrivalProcessed(tx, instanceId, arrival, now)
    const row = {
      instance_id: instanceId,
      name,
      what: facts.what,
      reason: facts.reason,
      sealed,
      created_at: now,
    }
    if (!(await insertSetAside(tx, row))) return false
    await store.appendEvents(tx, [setAsideEvent(instanceId, facts, now)])
    return true
  })
  if (isNew) onSetAside?.(facts.reason)
  return isNew
}
