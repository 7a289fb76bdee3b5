// Logging out in three steps: record the log-out, unlink the device at the network, destroy the credentials. After a failure the
// remaining steps are repeated later (decision 0070).

import type { Caller } from '../accounts/caller.ts'
import { deletePictures } from '../contacts/picture-queries.ts'
import { deleteSubscriptions } from '../contacts/presence-queries.ts'
import type { Deps } from '../context.ts'
import { lockInstance } from '../store/locks.ts'
import { instanceScope } from '../store/vault.ts'
import { changeInstanceStateIn } from './change-instance-state.ts'
import * as rows from './instance-queries.ts'
import { requireInstance } from './instances.ts'

type Tx = Deps['store']['db']

export interface LogOut {
  instance: rows.InstanceRow
  /** False: the store could not be written; the credentials are destroyed as soon as it can. */
  isFinished: boolean
}

export async function logoutInstance(
  deps: Pick<Deps, 'store' | 'clock' | 'sessions'>,
  caller: Caller,
  apiName: string,
): Promise<LogOut> {
  const instance = await requireInstance(deps, caller.account.id, apiName)
  await recordLogOut(deps, instance.id)
  return { instance, isFinished: await deps.sessions.logOut(instance.id) }
}

/** From here on every caller sees the instance as logged out, and no session can change its state. */
export async function recordLogOut(deps: Pick<Deps, 'store' | 'clock'>, instanceId: number): Promise<void> {
  const { store, clock } = deps
  await store.transaction(async (tx) => {
    const failure = { reason: 'logged_out', error: 'The instance was logged out.' } as const
    await store.appendEvents(tx, await rows.failWaitingMessages(tx, instanceId, failure, clock()))
    await changeInstanceStateIn(deps, tx, instanceId, {
      event: 'logged_out',
      change: { logged_in: 0, logout_requested_at: clock() },
    })
  })
}

/** Destroys credentials and data key, and fails every queued message. Also completes a recorded log-out. Does nothing for a deleted instance. */
export async function clearLogin(
  deps: Pick<Deps, 'store' | 'vault' | 'clock'>,
  tx: Tx,
  instanceId: number,
): Promise<void> {
  const { store, vault, clock } = deps
  if (!(await lockInstance(tx, instanceId))) return
  const failure = { reason: 'logged_out', error: 'The network ended the login.' } as const
  const failed = await rows.failWaitingMessages(tx, instanceId, failure, clock())
  await rows.deleteSessionKeys(tx, instanceId)
  await deletePictures(tx, instanceId)
  await deleteSubscriptions(tx, instanceId)
  await vault.destroy(tx, instanceScope(instanceId))
  await store.appendEvents(tx, failed)
  await changeInstanceStateIn(deps, tx, instanceId, {
    event: 'logged_out',
    change: { logged_in: 0, logout_requested_at: null, groups_listed: 0 },
  })
}
