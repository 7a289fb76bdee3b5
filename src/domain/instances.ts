// Instances: making, naming, watching, logging out and deleting them (spec 2.1, 2.2, 4.2).
import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import type { InstanceReference } from '../contract/fields.ts'
import type { ConnectionState, Instance, InstanceState, StateReason } from '../contract/instances.ts'
import type { FileContent } from '../contract/route.ts'
import { GatewayError } from '../errors.ts'
import { NetworkError, type Pairing, type QrCode } from '../network/network.ts'
import * as rows from '../store/queries/instances.ts'
import { giveBackUsage } from '../store/queries/usage.ts'
import { instanceScope } from '../store/vault.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { connectionUpdate } from './event-payloads.ts'
import { imageType } from './image-type.ts'
import { moveInstance, moveWithin } from './instance-moves.ts'
import { stateAfter } from './instance-state.ts'
import { apiInstanceName } from './names.ts'
import { takeQuota } from './quota.ts'
import { iso } from './time.ts'

const QR_WAIT_MS = 15_000

export async function requireInstance(
  { store }: Pick<Deps, 'store'>,
  accountId: number,
  apiName: string,
): Promise<rows.InstanceRow> {
  const row = await rows.findInstance(store.db, accountId, apiName)
  if (!row) throw new GatewayError('instance_not_found')
  return row
}

export const listInstances = async ({ store }: Pick<Deps, 'store'>, caller: Caller) =>
  (await rows.listInstances(store.db, caller.account.id)).map(toInstance)

export async function createInstance(
  deps: Deps,
  caller: Caller,
  input: { instanceName: string; integration?: string | undefined },
): Promise<z.output<typeof Instance>> {
  const now = deps.clock()
  const row = await deps.store.transaction(async (tx) => {
    await takeQuota(tx, caller.account.id, caller.plan, 'instances')
    const made = await rows.insertInstance(tx, {
      account_id: caller.account.id,
      display_name: input.instanceName.trim(),
      api_name: apiInstanceName(input.instanceName),
      integration: input.integration ?? 'whatsapp',
      ...stateAfter('started'),
      number: null,
      lid: null,
      profile_name: null,
      profile_picture_url: null,
      created_at: now,
      updated_at: now,
    })
    await deps.store.appendEvents(tx, [connectionUpdate(made, now)])
    return made
  })
  try {
    // Nobody waits for the code here: it is asked for, or comes as an event (decision 0013).
    await deps.sessions.begin(row.id)
  } catch (error) {
    // The instance is made all the same; its state says that the network could not be reached.
    if (!(error instanceof NetworkError)) throw error
    await moveInstance(deps, row.id, 'gave_up')
  }
  return toInstance(await requireInstance(deps, caller.account.id, row.api_name))
}

export async function connectInstance(
  deps: Deps,
  caller: Caller,
  apiName: string,
  number: string | undefined,
): Promise<{ instance: z.output<typeof Instance>; pairing: Pairing }> {
  const row = await requireInstance(deps, caller.account.id, apiName)
  if (row.state === 'open') throw new GatewayError('instance_already_connected')
  const pairing = await deps.sessions.pair(row.id, number)
  return { instance: toInstance(await requireInstance(deps, caller.account.id, apiName)), pairing }
}

export async function restartInstance(deps: Deps, caller: Caller, apiName: string) {
  const row = await requireInstance(deps, caller.account.id, apiName)
  if (row.logged_in === 0) throw new GatewayError('instance_not_connected')
  await deps.sessions.restart(row.id)
  return toInstance(await requireInstance(deps, caller.account.id, apiName))
}

export async function logoutInstance(deps: Deps, caller: Caller, apiName: string): Promise<rows.InstanceRow> {
  const row = await requireInstance(deps, caller.account.id, apiName)
  await deps.sessions.logOut(row.id)
  await forgetLogin(deps, row.id, 'The instance was logged out.')
  return row
}

/** Ends the login for good: credentials, their key and everything still waiting go in one transaction. */
export async function forgetLogin(
  { store, vault, clock }: Pick<Deps, 'store' | 'vault' | 'clock'>,
  instanceId: number,
  error: string,
): Promise<void> {
  const now = clock()
  await store.transaction(async (tx) => {
    const failed = await rows.failWaiting(tx, instanceId, { reason: 'logged_out', error }, now)
    await rows.deleteSessionKeys(tx, instanceId)
    await vault.destroy(tx, instanceScope(instanceId))
    await store.appendEvents(tx, failed)
    await moveWithin({ store, clock }, tx, instanceId, 'logged_out', { logged_in: 0 })
  })
}

export interface Deletion {
  instance: Pick<rows.InstanceRow, 'id' | 'display_name'>
  lastState: ConnectionState
  missing: boolean
}

export async function deleteInstance(deps: Deps, caller: Caller, apiName: string): Promise<Deletion> {
  const deletion = await markAndRemove(deps, caller, apiName)
  // It may have been showing a code: nobody may pair with what is gone.
  if (!deletion.missing) await deps.sessions.logOut(deletion.instance.id)
  return deletion
}

async function markAndRemove(deps: Deps, caller: Caller, apiName: string): Promise<Deletion> {
  return deps.store.transaction(async (tx) => {
    const now = deps.clock()
    const marked = await rows.markDeleted(tx, caller.account.id, apiName, now)
    if (marked) {
      await removeInstance(deps, tx, marked, now)
      return { instance: marked, lastState: marked.state as ConnectionState, missing: false }
    }
    const row = await rows.findInstanceEverKnown(tx, caller.account.id, apiName)
    if (!row) throw new GatewayError('instance_not_found')
    const lastState = row.state as ConnectionState
    if (row.deleted_at === null)
      throw new GatewayError('instance_still_connected', { connectionState: lastState })
    return { instance: row, lastState, missing: true }
  })
}

async function removeInstance(
  deps: Deps,
  tx: Deps['store']['db'],
  row: rows.InstanceRow,
  now: number,
): Promise<void> {
  const accountId = row.account_id
  const failure = { reason: 'instance_deleted', error: 'The instance was deleted.' } as const
  await deps.store.appendEvents(tx, await rows.failWaiting(tx, row.id, failure, now))
  await rows.deleteSessionKeys(tx, row.id)
  await deps.vault.destroy(tx, instanceScope(row.id))
  await rows.deleteBelongings(tx, row.id)
  await giveBackUsage(tx, { accountId, resource: 'instances', period: 0 })
  const contacts = row.contact_count + row.saved_group_count
  if (contacts > 0) await giveBackUsage(tx, { accountId, resource: 'contacts', period: 0 }, contacts)
}

export async function loginQr(deps: Deps, caller: Caller, apiName: string): Promise<QrCode> {
  const row = await requireInstance(deps, caller.account.id, apiName)
  if (row.state === 'open') throw new GatewayError('instance_already_connected')
  // It has a login: a code would be of no use, and asking for one must not bring a replaced session back.
  if (row.logged_in === 1) throw new GatewayError('qr_not_ready', {}, { retryAfterSeconds: 2 })
  const qr = await deps.sessions.qr(row.id, QR_WAIT_MS)
  if (!qr) throw new GatewayError('qr_not_ready', {}, { retryAfterSeconds: 2 })
  return qr
}

const LOGIN_WAIT_MS = 10_000
const LOGIN_LOOK_MS = 50

/** Waits a moment for a login that has begun, as after a scan; whether it came is told by the state. */
export async function untilLoggedIn(deps: Deps, caller: Caller, apiName: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOGIN_WAIT_MS; waitedMs += LOGIN_LOOK_MS) {
    const row = await requireInstance(deps, caller.account.id, apiName)
    if (row.state === 'open') return
    await pause(LOGIN_LOOK_MS)
  }
}

export async function profilePicture(deps: Deps, caller: Caller, apiName: string): Promise<FileContent> {
  const row = await requireInstance(deps, caller.account.id, apiName)
  const picture = row.logged_in === 1 ? await deps.sessions.profilePicture(row.id) : null
  const contentType = picture && imageType(picture.bytes)
  if (!picture || !contentType) throw new GatewayError('profile_picture_not_found')
  return { bytes: picture.bytes, contentType }
}

export const toNames = (row: Pick<rows.InstanceRow, 'display_name' | 'api_name'>) => ({
  instanceName: row.display_name,
  displayName: row.display_name,
  apiInstanceName: row.api_name,
  internalName: row.api_name,
})

export const toReference = (row: rows.InstanceRow): z.output<typeof InstanceReference> => ({
  id: row.id,
  ...toNames(row),
})

/** Spec 2.1 rule 1: where the network gives the internal name as profile name, people see the display name. */
const shownProfileName = (row: rows.InstanceRow): string | null =>
  row.profile_name === row.api_name ? row.display_name : row.profile_name

export const toInstanceState = (row: rows.InstanceRow): z.output<typeof InstanceState> => ({
  ...toNames(row),
  state: row.state as ConnectionState,
  stateReason: row.state_reason as StateReason | null,
  profileName: shownProfileName(row),
  profilePictureUrl: row.profile_picture_url,
  profilePicUrl: row.profile_picture_url,
  number: row.number,
  owner: row.number === null ? null : `${row.number}@s.whatsapp.net`,
  integration: row.integration,
})

export const toInstance = (row: rows.InstanceRow): z.output<typeof Instance> => ({
  id: row.id,
  ...toInstanceState(row),
  status: row.state as ConnectionState,
  isConnected: row.state === 'open',
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
