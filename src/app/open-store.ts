// Opens the store that the settings select, and unlocks it: master key, vault, first account.
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { bootstrap, OtherApiKeyError } from '../accounts/accounts.ts'
import { findCaller } from '../accounts/api-keys.ts'
import { type Settings, SettingsError } from '../config.ts'
import {
  accountNames,
  FIRST_KEY_FILE,
  loadMasterKey,
  type MasterKeySettings,
  writeSecret,
} from '../data-dir/secrets.ts'
import { StoreError } from '../kernel/store-error.ts'
import type { Metrics } from '../metrics.ts'
import type { NameOwner } from '../network/sandbox-link.ts'
import { openPostgresStore } from '../store/engines/postgres/open.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import type { Store, StoreHooks } from '../store/store.ts'
import { hasMasterKeyMark, openVault, type Vault, WrongMasterKeyError } from '../store/vault.ts'

export async function openStore(
  settings: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>,
  metrics: Pick<Metrics, 'observeCommit'>,
  logger: FastifyBaseLogger,
  /** A newer program has changed the schema: this process must stop. */
  onOutdated: () => void,
): Promise<Store> {
  const hooks: StoreHooks = {
    log: logger,
    onCommit: metrics.observeCommit,
    onFatal: (err: Error) => logger.fatal({ err }, 'the store has failed and cannot be used any more'),
    onOutdated(err) {
      logger.fatal({ err }, 'the store was changed by a newer program; this one ends')
      onOutdated()
    },
  }
  return settings.DATABASE_URL === undefined
    ? openSqliteStore(settings.DATA_DIR, hooks)
    : openPostgresStore(settings.DATABASE_URL, hooks).catch(nameDatabaseUrl)
}

/** An unreachable server, a missing database and a refused login are all corrected by one setting. */
function nameDatabaseUrl(error: unknown): never {
  if (error instanceof StoreError && error.kind === 'unavailable') {
    throw new StoreError(error.kind, `DATABASE_URL: the database cannot be reached: ${error.message}`, error)
  }
  throw error
}

export interface UnlockedStore {
  masterKey: Uint8Array
  vault: Vault
  nameOwner: NameOwner
}

/** Opens the vault. Also a process that waits for another one does this first, so that a wrong key shows at its start. */
export async function unlockStore(settings: MasterKeySettings, store: Store): Promise<UnlockedStore> {
  const sealedBefore = await hasMasterKeyMark(store.db)
  const master = await loadMasterKey(settings, sealedBefore)
  const vault = await openVault(store.db, master).catch(refuseWrongMasterKey)
  return { masterKey: master, vault, nameOwner: accountNames(master) }
}

/** Creates the first account and its key on the first start. Returns the key if this start created it. */
export async function prepareAccount(
  settings: Pick<Settings, 'DATA_DIR' | 'API_KEY'>,
  store: Store,
  operatorKey: string,
  clock: () => number,
  /** Other nodes run on the same database. */
  isShared: boolean,
): Promise<string | undefined> {
  if (await findCaller({ store, clock }, operatorKey)) {
    throw new SettingsError(['OPERATOR_KEY: expected a key that opens no account'])
  }
  const saveKey = (key: string) => writeSecret(join(settings.DATA_DIR, FIRST_KEY_FILE), key, 'replace')
  const started = bootstrap({ store, clock }, settings.API_KEY, saveKey, !isShared)
  const { newKey } = await started.catch(refuseOtherApiKey)
  return newKey
}

function refuseOtherApiKey(error: unknown): never {
  if (error instanceof OtherApiKeyError) {
    throw new SettingsError([
      'API_KEY: the nodes that run have another value, which this one would make invalid; set the same value, or stop all nodes to change it',
    ])
  }
  throw error
}

function refuseWrongMasterKey(error: unknown): never {
  if (error instanceof WrongMasterKeyError) {
    throw new SettingsError([`MASTER_KEY: ${error.message}; set the key that was used before`])
  }
  throw error
}
