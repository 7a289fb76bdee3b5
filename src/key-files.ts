// Keys that the first start makes and keeps in the data directory, readable by their owner only (decisions 1).
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

export const operatorKey = (directory: string, fromEnvironment: string | undefined): Promise<string> =>
  fromEnvironment === undefined
    ? keptSecret(directory, OPERATOR_KEY_FILE, newKeyText)
    : Promise.resolve(fromEnvironment)

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
  return decodeMasterKey(
    await keptSecret(directory, MASTER_KEY_FILE, () => randomBytes(32).toString('base64')),
  )
}

/** The master key as it is, for those who must not make one. */
export async function readMasterKey(
  directory: string,
  fromEnvironment: string | undefined,
): Promise<Uint8Array | undefined> {
  if (fromEnvironment !== undefined) return decodeMasterKey(fromEnvironment)
  try {
    return decodeMasterKey((await readFile(join(directory, MASTER_KEY_FILE), 'utf8')).trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function decodeMasterKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32)
    throw new SettingsError([`MASTER_KEY: ${MASTER_KEY_FILE} in DATA_DIR does not hold 32 bytes in base64`])
  return key
}

/** Reads the secret, or makes and keeps one. Written with `wx`, so that of two first starts one wins. */
async function keptSecret(directory: string, file: string, make: () => string): Promise<string> {
  const path = join(directory, file)
  try {
    await writeSecret(path, make())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(path, 'utf8')).trim()
}

export async function writeSecret(path: string, secret: string, flag: 'w' | 'wx' = 'wx'): Promise<void> {
  const file = await open(path, flag, 0o600)
  try {
    await file.writeFile(`${secret}\n`)
    // A key that is relied on must survive the loss of power as the data does.
    await file.sync()
  } finally {
    await file.close()
  }
}
