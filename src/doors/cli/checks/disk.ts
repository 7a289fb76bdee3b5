// Checks free disk space, and that other users of the machine cannot read keys and data.
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Settings } from '../../../config.ts'
import { FIRST_KEY_FILE, MASTER_KEY_FILE, OPERATOR_KEY_FILE } from '../../../data-dir/secrets.ts'
import { formatBytes } from '../print.ts'
import { type Finding, messageOf, ok, warning, wrong } from './finding.ts'

const MIB = 1024 * 1024
/** A busy day may fill the disk. */
const LOW_SPACE_BYTES = 1024 * MIB
/** The write-ahead log may not fit during a backup. */
const CRITICAL_SPACE_BYTES = 128 * MIB

const KEY_FILES = [FIRST_KEY_FILE, OPERATOR_KEY_FILE, MASTER_KEY_FILE]
const GROUP_AND_OTHERS = 0o077

export async function checkDisk({ DATA_DIR }: Settings): Promise<Finding[]> {
  const directory = await modeOf(DATA_DIR)
  if (directory === undefined) {
    return [await checkFreeSpace(dirname(resolve(DATA_DIR))), await checkCreatable(DATA_DIR)]
  }
  const keys = await Promise.all(KEY_FILES.map((name) => checkKeyFile(join(DATA_DIR, name))))
  const findings = [
    await checkFreeSpace(DATA_DIR),
    await checkWritable(DATA_DIR),
    ...keys.filter((key) => key !== undefined),
  ]
  if (process.platform === 'win32') return findings
  const open = (directory & GROUP_AND_OTHERS) !== 0
  const access = open
    ? warning(
        'data directory',
        `other users can access ${DATA_DIR} (mode ${octal(directory)})`,
        `run chmod 700 ${DATA_DIR}`,
      )
    : ok('data directory', `other users cannot access ${DATA_DIR}`)
  return [...findings, access]
}

async function checkFreeSpace(directory: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(directory)
    const free = bavail * bsize
    const found = `${formatBytes(free)} free`
    if (free < CRITICAL_SPACE_BYTES) return wrong('disk', found, 'free disk space now: writes will fail soon')
    return free < LOW_SPACE_BYTES ? warning('disk', found, 'free disk space soon') : ok('disk', found)
  } catch (error) {
    return warning('disk', messageOf(error), 'check that the parent directory of DATA_DIR exists')
  }
}

async function checkCreatable(directory: string): Promise<Finding> {
  const above = dirname(resolve(directory))
  return (await mayWrite(above))
    ? ok('data directory', `${directory} does not exist yet; the first start creates it`)
    : wrong(
        'data directory',
        `${directory} does not exist and cannot be created in ${above}`,
        'create it, or set DATA_DIR',
      )
}

async function checkWritable(directory: string): Promise<Finding> {
  return (await mayWrite(directory))
    ? ok('data directory', `${directory} is writable`)
    : wrong(
        'data directory',
        `${directory} is not writable`,
        'run the doctor as the user that runs the server, or change the owner of the directory',
      )
}

async function checkKeyFile(path: string): Promise<Finding | undefined> {
  const mode = await modeOf(path)
  if (mode === undefined || process.platform === 'win32') return undefined
  return (mode & GROUP_AND_OTHERS) === 0
    ? ok('key file', `only the owner can read ${path}`)
    : wrong(
        'key file',
        `other users can read ${path} (mode ${octal(mode)})`,
        `run chmod 600 ${path}, and replace the key`,
      )
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777
  } catch {
    return undefined
  }
}

const mayWrite = (directory: string): Promise<boolean> =>
  access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

const octal = (mode: number): string => mode.toString(8).padStart(3, '0')
