// Settings of instances. They are in the store, so that they hold on every node and after a restart.

import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { NetworkError } from '../network/network.ts'
import { lockInstance } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { accountScope } from '../store/vault.ts'
import { findInstanceById, type InstanceRow } from './instance-queries.ts'
import { requireInstance } from './instances.ts'
import { DEFAULT_SETTINGS, type InstanceSettings, maskProxy, unmaskProxy } from './rules.ts'
import { findSettings, proxyCell, upsertSettings } from './settings-queries.ts'

type SettingsDeps = Pick<Deps, 'store' | 'vault'>
type Owner = Pick<InstanceRow, 'id' | 'account_id'>

/** Facts in the same row, which the API does not show as settings. */
interface StoredFacts {
  /** A privacy setting that cannot be read from the network. */
  linkPreviews?: boolean
  /** The key that has set the text for callers. */
  textKeyId?: number
}

/** As stored: what differs from the defaults, and the facts. */
type StoredSettings = Partial<Omit<InstanceSettings, 'proxy'>> & StoredFacts

function divide({ linkPreviews, textKeyId, ...settings }: StoredSettings) {
  const facts: StoredFacts = omitUndefined({ linkPreviews, textKeyId })
  return { settings, facts }
}

/** Absent: unchanged. */
export type SettingsChange = { [K in keyof InstanceSettings]?: InstanceSettings[K] | undefined }

export interface VersionedInstanceSettings {
  settings: InstanceSettings
  /** Changes with every change of the settings. */
  version: number
}

export async function readSettings(
  { vault }: Pick<Deps, 'vault'>,
  db: Db,
  { id, account_id: accountId }: Owner,
): Promise<VersionedInstanceSettings> {
  const row = await findSettings(db, id)
  if (!row) return { settings: DEFAULT_SETTINGS, version: 0 }
  const { settings: stored } = divide(JSON.parse(row.settings) as StoredSettings)
  const proxy = row.sealed_proxy
    ? Buffer.from(await vault.unseal(db, accountScope(accountId), proxyCell(id), row.sealed_proxy)).toString()
    : null
  return { settings: { ...DEFAULT_SETTINGS, ...stored, proxy }, version: row.updated_at }
}

/** For a session; the defaults of an instance that is deleted. */
export async function readLiveSettings(
  deps: SettingsDeps,
  instanceId: number,
): Promise<VersionedInstanceSettings> {
  const instance = await findInstanceById(deps.store.db, instanceId)
  return instance ? readSettings(deps, deps.store.db, instance) : { settings: DEFAULT_SETTINGS, version: 0 }
}

export async function getSettings(deps: SettingsDeps, caller: Caller, instanceName: string) {
  const instance = await requireInstance(deps, caller.account.id, instanceName)
  return shown((await readSettings(deps, deps.store.db, instance)).settings)
}

export async function updateSettings(
  deps: SettingsDeps & Pick<Deps, 'clock' | 'sessions' | 'checkUrl'>,
  caller: Caller,
  { instanceName, change }: { instanceName: string; change: SettingsChange },
) {
  const instance = await requireInstance(deps, caller.account.id, instanceName)
  const checked = { ...change, ...checkedProxy(deps, change.proxy) }
  const settings = await deps.store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instance.id))) throw new GatewayError('instance_not_found')
    const { settings: before } = await readSettings(deps, tx, instance)
    const after = { ...before, ...withoutAbsent(checked), ...keptProxy(checked.proxy, before.proxy) }
    await save(
      deps,
      tx,
      instance,
      after,
      change.rejectCallsText === undefined ? {} : { textKeyId: keyOf(caller) },
    )
    return after
  })
  // A session that cannot be reached reads the settings at its next connection or comparison.
  await deps.sessions.applySettings(instance.id).catch((error: unknown) => {
    if (!(error instanceof NetworkError)) throw error
  })
  return shown(settings)
}

/** Other credentials have no walls, and no row: 0 is the id of none. */
const keyOf = ({ credential }: Pick<Caller, 'credential'>): number =>
  credential.kind === 'api_key' ? credential.id : 0

const withoutAbsent = (change: SettingsChange): Partial<InstanceSettings> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

function checkedProxy(
  { checkUrl }: Pick<Deps, 'checkUrl'>,
  proxy: string | null | undefined,
): Pick<SettingsChange, 'proxy'> {
  if (proxy === undefined || proxy === null) return {}
  const checked = checkUrl(proxy, 'proxy')
  if ('href' in checked) return { proxy: checked.href }
  const details = [{ path: 'proxy', message: checked.refused }]
  throw new GatewayError(
    'url_not_allowed',
    { details },
    { message: `The URL is not allowed: proxy: ${checked.refused}.` },
  )
}

/** Settings of an answer can be sent back: the mask keeps the stored credentials, which go to no other proxy (decision 0191). */
function keptProxy(given: string | null | undefined, stored: string | null): { proxy?: string } {
  if (given === undefined || given === null) return {}
  const proxy = unmaskProxy(given, stored)
  if (proxy === undefined)
    throw invalidField('proxy', 'its credentials must be given again, because it has another origin')
  return { proxy }
}

/** In a transaction that holds the lock of the instance, or has made it. The proxy is checked before. */
export const storeSettings = (
  deps: Pick<Deps, 'vault' | 'clock'>,
  tx: Db,
  owner: Owner,
  change: SettingsChange,
): Promise<void> => save(deps, tx, owner, { ...DEFAULT_SETTINGS, ...withoutAbsent(change) })

async function save(
  { vault, clock }: Pick<Deps, 'vault' | 'clock'>,
  tx: Db,
  { id, account_id: accountId }: Owner,
  { proxy, ...settings }: InstanceSettings,
  changed: StoredFacts = {},
): Promise<void> {
  const before = await findSettings(tx, id)
  const { facts } = divide(before ? (JSON.parse(before.settings) as StoredSettings) : {})
  const stored: StoredSettings = { ...settings, ...facts, ...changed }
  await upsertSettings(tx, {
    instance_id: id,
    settings: JSON.stringify(stored),
    sealed_proxy:
      proxy === null
        ? null
        : await vault.seal(tx, accountScope(accountId), proxyCell(id), Buffer.from(proxy)),
    // Two changes within one millisecond get different versions.
    updated_at: Math.max(clock(), (before?.updated_at ?? 0) + 1),
  })
}

const shown = ({ proxy, ...settings }: InstanceSettings) => ({ ...settings, proxy: maskProxy(proxy) })

/** The network reports the setting when it changes, and cannot be asked for it. */
export async function recordLinkPreviews(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  instanceId: number,
  isOn: boolean,
): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const row = await findSettings(tx, instanceId)
    const stored = row ? (JSON.parse(row.settings) as StoredSettings) : {}
    if (stored.linkPreviews === isOn) return
    await upsertSettings(tx, {
      instance_id: instanceId,
      settings: JSON.stringify({ ...stored, linkPreviews: isOn }),
      sealed_proxy: row?.sealed_proxy ?? null,
      updated_at: row?.updated_at ?? clock(),
    })
  })
}

/** The key that has set the text for callers; undefined: none is known. */
export async function findTextKey(
  { store }: Pick<Deps, 'store'>,
  instanceId: number,
): Promise<number | undefined> {
  const row = await findSettings(store.db, instanceId)
  return row && (JSON.parse(row.settings) as StoredSettings).textKeyId
}

/** Null: not known yet. */
export async function findLinkPreviews(
  { store }: Pick<Deps, 'store'>,
  instanceId: number,
): Promise<boolean | null> {
  const row = await findSettings(store.db, instanceId)
  return (row && (JSON.parse(row.settings) as StoredSettings).linkPreviews) ?? null
}
