// Whether the disk has room, and whether keys and data are closed to other users of the machine.
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Settings } from '../../config.ts'
import { FIRST_KEY_FILE, MASTER_KEY_FILE, OPERATOR_KEY_FILE } from '../../key-files.ts'
import { bytesText } from '../print.ts'
import { type Finding, messageOf, ok, warning, wrong } from './finding.ts'

const MIB = 1024 * 1024
/** Below this the next busy day may fill the disk. */
const LITTLE_BYTES = 1024 * MIB
/** Below this the write-ahead log of one backup may not fit. */
const TOO_LITTLE_BYTES = 128 * MIB

const KEY_FILES = [FIRST_KEY_FILE, OPERATOR_KEY_FILE, MASTER_KEY_FILE]
const OTHERS = 0o077

export async function checkDisk({ DATA_DIR }: Settings): Promise<Finding[]> {
  const directory = await modeOf(DATA_DIR)
  if (directory === undefined) {
    return [await freeSpace(dirname(resolve(DATA_DIR))), await makeable(DATA_DIR)]
  }
  const keys = await Promise.all(KEY_FILES.map((name) => keyFile(join(DATA_DIR, name))))
  const findings = [
    await freeSpace(DATA_DIR),
    await writable(DATA_DIR),
    ...keys.filter((key) => key !== undefined),
  ]
  if (process.platform === 'win32') return findings
  const open = (directory & OTHERS) !== 0
  const closed = open
    ? warning(
        'data directory',
        `other users may enter ${DATA_DIR} (mode ${octal(directory)})`,
        `chmod 700 ${DATA_DIR}`,
      )
    : ok('data directory', `${DATA_DIR} is closed to other users`)
  return [...findings, closed]
}

async function freeSpace(directory: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(directory)
    const free = bavail * bsize
    const found = `${bytesText(free)} free`
    if (free < TOO_LITTLE_BYTES) return wrong('disk', found, 'free some space now: writes are about to fail')
    return free < LITTLE_BYTES ? warning('disk', found, 'free some space soon') : ok('disk', found)
  } catch (error) {
    return warning('disk', messageOf(error), 'see that the directory above DATA_DIR exists')
  }
}

async function makeable(directory: string): Promise<Finding> {
  const above = dirname(resolve(directory))
  return (await mayWrite(above))
    ? ok('data directory', `${directory} does not exist yet; the first start makes it`)
    : wrong(
        'data directory',
        `${directory} does not exist and cannot be made in ${above}`,
        'make it, or set DATA_DIR',
      )
}

async function writable(directory: string): Promise<Finding> {
  return (await mayWrite(directory))
    ? ok('data directory', `${directory} can be written`)
    : wrong(
        'data directory',
        `${directory} cannot be written`,
        'run this as the user that runs the server, or change its owner',
      )
}

async function keyFile(path: string): Promise<Finding | undefined> {
  const mode = await modeOf(path)
  if (mode === undefined || process.platform === 'win32') return undefined
  return (mode & OTHERS) === 0
    ? ok('key file', `${path} is readable by its owner only`)
    : wrong(
        'key file',
        `other users may read ${path} (mode ${octal(mode)})`,
        `chmod 600 ${path}, and replace the key`,
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
