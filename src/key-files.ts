// Keys that the first start makes and keeps in the data directory, readable by their owner only (decisions 1).
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SettingsError } from './config.ts'
import { newKeyText } from './domain/key-text.ts'

export const FIRST_KEY_FILE = 'first-api-key'
export const OPERATOR_KEY_FILE = 'operator-key'
export const MASTER_KEY_FILE = 'master-key'

export async function prepareDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new SettingsError([`DATA_DIR: cannot be made or opened (${(error as NodeJS.ErrnoException).code})`])
  }
}

export interface KeptSecret {
  text: string
  /** Made a moment ago: it can be shown this once. */
  isNew: boolean
}

export const operatorKey = async (
  directory: string,
  fromEnvironment: string | undefined,
): Promise<KeptSecret> =>
  fromEnvironment === undefined
    ? keptSecret(directory, OPERATOR_KEY_FILE, newKeyText)
    : { text: fromEnvironment, isNew: false }

/** Reads the master key; makes one only where no data is there yet that an earlier one has sealed. */
export async function masterKey(
  directory: string,
  fromEnvironment: string | undefined,
  hasSealedData: boolean,
): Promise<Uint8Array> {
  const known = await readMasterKey(directory, fromEnvironment)
  if (known) return known
  if (hasSealedData) {
    throw new SettingsError([
      `MASTER_KEY: the data is encrypted, and neither MASTER_KEY nor ${MASTER_KEY_FILE} in DATA_DIR holds its key`,
    ])
  }
  const { text } = await keptSecret(directory, MASTER_KEY_FILE, () => randomBytes(32).toString('base64'))
  return decodeMasterKey(text)
}

/** The master key as it is, for those who must not make one. */
export async function readMasterKey(
  directory: string,
  fromEnvironment: string | undefined,
): Promise<Uint8Array | undefined> {
  if (fromEnvironment !== undefined) return decodeMasterKey(fromEnvironment)
  const text = await readSecret(join(directory, MASTER_KEY_FILE))
  return text === undefined ? undefined : decodeMasterKey(text)
}

function decodeMasterKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32)
    throw new SettingsError([`MASTER_KEY: ${MASTER_KEY_FILE} in DATA_DIR does not hold 32 bytes in base64`])
  return key
}

/** Reads the secret, or makes and keeps one. Of two first starts at once, the first to keep its own wins. */
async function keptSecret(directory: string, file: string, make: () => string): Promise<KeptSecret> {
  const path = join(directory, file)
  const known = await readSecret(path)
  if (known !== undefined) return { text: known, isNew: false }
  const made = make()
  try {
    await writeSecret(path, made, 'keep')
    return { text: made, isNew: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return { text: (await readSecret(path)) as string, isNew: false }
  }
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Writes a secret so that its file is there whole or not at all, however the process ends, and survives the loss of
 * power as the data does. `keep` fails with EEXIST where there is one already.
 */
export async function writeSecret(path: string, secret: string, existing: 'keep' | 'replace'): Promise<void> {
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${secret}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    if (existing === 'keep') await link(draft, path)
    else await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  const directory = await open(dirname(path))
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
