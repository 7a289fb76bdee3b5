// Rotates the master key of a stopped gateway, and replaces its file. Every step can be repeated after a crash (decision 0118).
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Settings, SettingsError } from '../config.ts'
import {
  decodeMasterKey,
  MASTER_KEY_FILE,
  masterKeyLocation,
  newMasterKeyText,
  readMasterKey,
  readSecret,
  writeSecret,
} from '../data-dir/secrets.ts'
import { openPostgresStore } from '../store/engines/postgres/open.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import { type MasterKeyRotation, rotateMasterKey } from '../store/rotate-master-key.ts'
import { WrongMasterKeyError } from '../store/vault.ts'

/** The new key, from before the data is changed until it is the only one. */
const NEXT_FILE = `${MASTER_KEY_FILE}.new`
/** The previous key, which opens backups from before the rotation. */
export const PREVIOUS_FILE = `${MASTER_KEY_FILE}.old`

/** Undefined `newKeyFile`: a key is generated. */
export async function rotateStoredMasterKey(
  settings: Settings,
  newKeyFile: string | undefined,
): Promise<MasterKeyRotation> {
  const { DATA_DIR: directory, MASTER_KEY: fromEnvironment } = settings
  const given = newKeyFile === undefined ? undefined : (await readFile(newKeyFile, 'utf8')).trim()
  if (fromEnvironment !== undefined && given === undefined)
    throw new SettingsError(['MASTER_KEY: it is set, so the new key must be given with --new-key-file'])
  const from = await readMasterKey(settings)
  const location = masterKeyLocation(settings)
  if (!from) throw new SettingsError([`MASTER_KEY: there is no key to rotate: ${location} does not exist`])
  const next = given ?? (await nextKey(directory))
  const to = decodeMasterKey(next, newKeyFile ?? join(directory, NEXT_FILE))
  const isFile = fromEnvironment === undefined
  // On disk before any data depends on it.
  if (isFile) await writeSecret(join(directory, NEXT_FILE), next, 'replace')
  const rotation = await rotate(settings, from, to)
  if (isFile) await replaceFile(directory, next)
  return rotation
}

/** A run that was interrupted has left its key: the data may need it. */
const nextKey = async (directory: string): Promise<string> =>
  (await readSecret(join(directory, NEXT_FILE))) ?? newMasterKeyText()

async function rotate(settings: Settings, from: Uint8Array, to: Uint8Array): Promise<MasterKeyRotation> {
  const { DATABASE_URL: url, DATA_DIR: directory } = settings
  const store = await (url === undefined ? openSqliteStore(directory) : openPostgresStore(url))
  try {
    return await rotateMasterKey(store, from, to)
  } catch (error) {
    if (error instanceof WrongMasterKeyError) throw new SettingsError([`MASTER_KEY: ${error.message}`])
    throw error
  } finally {
    await store.close()
  }
}

async function replaceFile(directory: string, next: string): Promise<void> {
  const current = await readSecret(join(directory, MASTER_KEY_FILE))
  if (current !== undefined && current !== next) {
    await writeSecret(join(directory, PREVIOUS_FILE), current, 'replace')
    await writeSecret(join(directory, MASTER_KEY_FILE), next, 'replace')
  }
  await rm(join(directory, NEXT_FILE), { force: true })
}
