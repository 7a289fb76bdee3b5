// Instances: creating, connecting, listing and deleting them.
import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { decrementUsage } from '../accounts/account-queries.ts'
import { requireAccount } from '../accounts/accounts.ts'
import type { Caller } from '../accounts/caller.ts'
import { reachesInstance } from '../accounts/rules.ts'
import { takeQuota } from '../accounts/take-quota.ts'
import { ownPictureUrl } from '../contacts/rules.ts'
import type { Deps } from '../context.ts'
import type { InstanceReference } from '../contract/fields.ts'
import type { ConnectionState, Instance, InstanceState, StateReason } from '../contract/instances.ts'
import { sentenceOf } from '../contract/reasons.ts'
import { GatewayError } from '../errors.ts'
import { connectionUpdate } from '../events/rules-payloads.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { apiInstanceName, apiNamePattern, didYouMean } from '../kernel/names.ts'
import { type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { iso, isoOrNull } from '../kernel/time.ts'
import { personJid } from '../network/jid.ts'
import { NetworkError, type Pairing, type QrCode } from '../network/network.ts'
import type { PasskeyStep } from '../network/passkey.ts'
import { lockAccount } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { instanceScope } from '../store/vault.ts'
import { deleteWebhooksOf } from '../webhooks/webhook-queries.ts'
import { type AccountInstanceRow, listAllInstances as listRows } from './activity-queries.ts'
import { changeInstanceState } from './change-instance-state.ts'
import { currentPasskey, shownOrNull } from './current-passkey.ts'
import * as rows from './instance-queries.ts'
import { closeInstances } from './instance-queries.ts'
import { instanceNames, stateAfter } from './rules.ts'

const QR_WAIT_MS = 15_000

export async function requireInstance(
  { store }: { store: Pick<Deps['store'], 'db'> },
  accountId: number,
  apiName: string,
): Promise<rows.InstanceRow> {
  const row = await rows.findInstance(store.db, accountId, apiName)
  if (!row) throw await unknownInstance(store.db, accountId, apiName)
  return row
}

/** Names the instance that is meant, if the display name was given in place of the API name. */
export async function unknownInstance(db: Db, accountId: number, given: string): Promise<GatewayError> {
  const similar = await rows.listSimilarNames(db, accountId, apiNamePattern(given))
  const message = `${sentenceOf('instance_not_found')}${didYouMean(similar)}`
  return new GatewayError('instance_not_found', {}, { message })
}

/** For a call that needs the network. */
export async function requireOpenInstance(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  apiName: string,
): Promise<rows.InstanceRow> {
  const instance = await requireInstance(deps, caller.account.id, apiName)
  if (instance.state !== 'open') throw new GatewayError('instance_not_connected')
  return instance
}

export const listInstances = async ({ store }: Pick<Deps, 'store'>, caller: Caller) =>
  (await rows.listInstances(store.db, caller.account.id))
    .filter((row) => reachesInstance(caller.walls, row.api_name))
    .map((row) => toInstance(row, caller.origin))

export async function createInstance(
  deps: Pick<Deps, 'store' | 'clock' | 'sessions'>,
  caller: Caller,
  input: { instanceName: string; integration?: string | undefined },
  /** Runs in the transaction that creates the instance. */
  alsoInsert?: (tx: Deps['store']['db'], row: rows.InstanceRow) => Promise<void>,
): Promise<z.output<typeof Instance>> {
  const now = deps.clock()
  const row = await deps.store.transaction(async (tx) => {
    if (!(await lockAccount(tx, caller.account.id))) throw new GatewayError('unauthorized')
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
      created_at: now,
      updated_at: now,
    })
    await alsoInsert?.(tx, made)
    await deps.store.appendEvents(tx, [connectionUpdate(made, now)])
    return made
  })
  try {
    // The answer does not wait for the QR code: callers request it or get it as an event (decision 0013).
    await deps.sessions.start(row.id)
  } catch (error) {
    // The instance exists all the same; its state shows that the network could not be reached.
    if (!(error instanceof NetworkError)) throw error
    await changeInstanceState(deps, row.id, { event: 'unreachable' })
  }
  return toInstance(await requireInstance(deps, caller.account.id, row.api_name), caller.origin)
}

export async function connectInstance(
  deps: Pick<Deps, 'store' | 'sessions'>,
  caller: Caller,
  apiName: string,
  number: string | undefined,
): Promise<{ instance: z.output<typeof Instance>; pairing: Pairing; passkey: PasskeyStep | null }> {
  const row = await requireInstance(deps, caller.account.id, apiName)
  if (row.state === 'open') throw new GatewayError('instance_already_connected')
  const pairing = await deps.sessions.pair(row.id, number)
  const after = await requireInstance(deps, caller.account.id, apiName)
  const passkey = await currentPasskey(deps, after)
  return { instance: toInstance(after, caller.origin), pairing, passkey }
}

export async function restartInstance(
  deps: Pick<Deps, 'store' | 'sessions'>,
  caller: Caller,
  apiName: string,
) {
  const row = await requireInstance(deps, caller.account.id, apiName)
  if (row.logged_in === 0) throw new GatewayError('instance_not_connected')
  await deps.sessions.restart(row.id)
  return toInstance(await requireInstance(deps, caller.account.id, apiName), caller.origin)
}

export interface Deletion {
  instance: Pick<rows.InstanceRow, 'id' | 'display_name'>
  lastState: ConnectionState
  missing: boolean
}

type DeletionDeps = Pick<Deps, 'store' | 'clock' | 'vault'>

export async function deleteInstance(
  deps: DeletionDeps & Pick<Deps, 'sessions' | 'files'>,
  caller: Caller,
  apiName: string,
): Promise<Deletion> {
  const deletion = await markAndRemove(deps, caller, apiName)
  // Its session may still show a QR code, which must not be usable any more.
  if (!deletion.missing) await deps.sessions.end(deletion.instance.id)
  // The key of the files is already destroyed. Files that a crash leaves behind are removed by the sweep of received files.
  await deps.files.forget([deletion.instance.id])
  return deletion
}

async function markAndRemove(deps: DeletionDeps, caller: Caller, apiName: string): Promise<Deletion> {
  return deps.store.transaction(async (tx) => {
    const now = deps.clock()
    const marked = await rows.markDeleted(tx, caller.account.id, apiName, now)
    if (marked) {
      await removeInstance(deps, tx, marked, now)
      return { instance: marked, lastState: marked.state as ConnectionState, missing: false }
    }
    const row = await rows.findInstanceIncludingDeleted(tx, caller.account.id, apiName)
    if (!row) throw await unknownInstance(tx, caller.account.id, apiName)
    const lastState = row.state as ConnectionState
    if (row.deleted_at === null)
      throw new GatewayError('instance_still_connected', { connectionState: lastState })
    return { instance: row, lastState, missing: true }
  })
}

async function removeInstance(
  deps: DeletionDeps,
  tx: Deps['store']['db'],
  row: rows.InstanceRow,
  now: number,
): Promise<void> {
  const accountId = row.account_id
  const failure = { reason: 'instance_deleted', error: 'The instance was deleted.' } as const
  const contacts = row.contact_count + row.saved_group_count
  if (contacts > 0) await decrementUsage(tx, { accountId, resource: 'contacts', period: 0 }, contacts)
  const failed = await rows.failWaitingMessages(tx, row.id, failure, now)
  await rows.deleteSessionKeys(tx, row.id)
  await deps.vault.destroy(tx, instanceScope(row.id))
  await rows.deleteInstanceRows(tx, row.id)
  await lockAccount(tx, accountId)
  await decrementUsage(tx, { accountId, resource: 'instances', period: 0 })
  await deps.store.appendEvents(tx, failed)
  await deleteWebhooksOf(tx, 'instance_id', row.id)
}

export async function loginQr(
  deps: Pick<Deps, 'store' | 'sessions'>,
  caller: Caller,
  apiName: string,
): Promise<QrCode> {
  const row = await requireInstance(deps, caller.account.id, apiName)
  if (row.state === 'open') throw new GatewayError('instance_already_connected')
  // A logged-in instance needs no code, and this request must not restart a replaced session.
  if (row.logged_in === 1) throw new GatewayError('qr_not_ready', {}, { retryAfterSeconds: 2 })
  const passkey = shownOrNull(await currentPasskey(deps, row))
  if (passkey) throw new GatewayError('passkey_pending', { passkey })
  const qr = await deps.sessions.qr(row.id, QR_WAIT_MS)
  if (!qr) throw new GatewayError('qr_not_ready', {}, { retryAfterSeconds: 2 })
  return qr
}

/** The code that is shown now; null: there is none. Starts nothing, unlike `loginQr`. */
export async function shownQr(
  deps: Pick<Deps, 'store' | 'sessions'>,
  accountId: number,
  apiName: string,
): Promise<QrCode | null> {
  const row = await rows.findInstance(deps.store.db, accountId, apiName)
  const isShown = row?.state === 'connecting' && row.state_reason === 'awaiting_scan'
  return isShown ? deps.sessions.qr(row.id, 0) : null
}

const LOGIN_WAIT_MS = 10_000
const LOGIN_POLL_MS = 50

/** Waits for a login that has begun, for example after a scan. Returns after the timeout as well: the state shows the result. */
export async function waitForLogin(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  apiName: string,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOGIN_WAIT_MS; waitedMs += LOGIN_POLL_MS) {
    const row = await requireInstance(deps, caller.account.id, apiName)
    if (row.state === 'open') return
    await pause(LOGIN_POLL_MS)
  }
}

export const toReference = (row: rows.InstanceRow): z.output<typeof InstanceReference> => ({
  id: row.id,
  ...instanceNames(row),
})

/** Where the network reports the API name as profile name, people see the display name instead. */
const shownProfileName = (row: rows.InstanceRow): string | null =>
  row.profile_name === row.api_name ? row.display_name : row.profile_name

export const toInstanceState = (row: rows.InstanceRow, origin: string): z.output<typeof InstanceState> => ({
  ...instanceNames(row),
  state: row.state as ConnectionState,
  stateReason: row.state_reason as StateReason | null,
  stateReasonUntil: isoOrNull(row.state_until),
  profileName: shownProfileName(row),
  profilePictureUrl: ownPictureUrl(origin, row.api_name, row.picture_version),
  profilePicUrl: ownPictureUrl(origin, row.api_name, row.picture_version),
  number: row.number,
  owner: row.number === null ? null : personJid(row.number),
  integration: row.integration,
})

export const toInstance = (row: rows.InstanceRow, origin: string): z.output<typeof Instance> => ({
  id: row.id,
  ...toInstanceState(row, origin),
  status: row.state as ConnectionState,
  isConnected: row.state === 'open',
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})

// Caches instance ids by API name, so that a send needs one query instead of two.

const MAX_ENTRIES = 10_000

/**
 * Returns the id of an account's instance; refuses as `requireInstance` does. Name, id and owner of an instance never change, so
 * entries never become wrong. Whether the instance was deleted meanwhile is checked when the store accepts the send.
 */
export type InstanceIdCache = (accountId: number, apiName: string) => Promise<number>

export function createInstanceIdCache(deps: Pick<Deps, 'store'>): InstanceIdCache {
  const ids = createBoundedMap<EntryName<'account'>, number>(MAX_ENTRIES)
  return async (accountId, apiName) => {
    const name = entryName('account', accountId, apiName)
    const cached = ids.get(name)
    if (cached !== undefined) return cached
    const { id } = await requireInstance(deps, accountId, apiName)
    ids.set(name, id)
    return id
  }
}

// Closes the stored state of all instances when the gateway starts held: none of them is connected.

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

// The instances of all accounts, for the operator.

interface AllInstancesQuery extends PageQuery {
  accountId?: number | undefined
  state?: string | undefined
  search?: string | undefined
}

export async function listAllInstances(
  { store }: Pick<Deps, 'store'>,
  query: AllInstancesQuery,
  origin: string,
) {
  const { accountId, state } = query
  if (accountId !== undefined) await requireAccount(store.db, accountId)
  const filter = { accountId, state, search: query.search?.toLowerCase() || undefined }
  const found = await listRows(store.db, { ...filter, ...rowsToRead(query) })
  return page(
    found.map((row) => toAccountInstance(row, origin)),
    query,
  )
}

const toAccountInstance = (row: AccountInstanceRow, origin: string) => ({
  ...toInstance(row, origin),
  account: { id: row.account_id, name: row.account_name },
  queued: row.queued_count,
})
