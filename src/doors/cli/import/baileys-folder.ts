// The folder of the library's `useMultiFileAuthState`: `creds.json` and a file for each key. A folder of such folders has one session
// in each.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { readKeyFileName } from './key-names.ts'
import {
  type ForeignKeyText,
  type FoundSession,
  MAX_CREDS_BYTES,
  MAX_KEY_BYTES,
  type SessionSource,
  SourceError,
  type UnreadKey,
} from './session-source.ts'

const CREDS_FILE = 'creds.json'

export async function openBaileysFolder(path: string): Promise<SessionSource> {
  const folder = resolve(path)
  await requireFolder(folder)
  return { sessions: () => sessionsIn(folder), close: async () => undefined }
}

async function requireFolder(folder: string): Promise<void> {
  try {
    await (await opendir(folder)).close()
  } catch (error) {
    throw new SourceError(`${folder}: cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

async function* sessionsIn(folder: string): AsyncIterable<FoundSession> {
  if (await hasLogin(folder)) {
    yield sessionIn(folder)
    return
  }
  let count = 0
  for await (const entry of await opendir(folder)) {
    const inner = join(folder, entry.name)
    if (!entry.isDirectory() || !(await hasLogin(inner))) continue
    count += 1
    yield sessionIn(inner)
  }
  if (count === 0) throw new SourceError(`${folder}: neither it nor a folder in it has a ${CREDS_FILE}`)
}

const hasLogin = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, CREDS_FILE)).catch(() => undefined))?.isFile() ?? false

const sessionIn = (folder: string): FoundSession => ({
  label: basename(folder),
  creds: async () => readText(join(folder, CREDS_FILE), MAX_CREDS_BYTES),
  keys: () => keysIn(folder),
  changedAt: () => newestChange(folder),
})

export async function* keysIn(folder: string): AsyncIterable<ForeignKeyText | UnreadKey> {
  for await (const entry of await opendir(folder)) {
    if (entry.name !== CREDS_FILE)
      yield entry.isFile() ? readKey(folder, entry.name) : { unread: OTHER, why: 'not a file' }
  }
}

const OTHER = 'other files'

function readKey(folder: string, file: string): ForeignKeyText | UnreadKey {
  const found = readKeyFileName(file)
  if (!found) return { unread: OTHER, why: 'not a key of a session' }
  try {
    return { ...found, text: readText(join(folder, file), MAX_KEY_BYTES) }
  } catch (error) {
    return { unread: found.kind, why: error instanceof SourceError ? error.message : 'cannot be read' }
  }
}

/**
 * Synchronous: a session has a thousand files of a few bytes, which take a quarter of the time this way, and nothing else runs in the
 * process. Not through a link: the folder is foreign, and could lead to any file of this machine.
 */
function readText(path: string, maxBytes: number): string {
  const file = openFile(path)
  try {
    const { size } = fstatSync(file)
    if (size > maxBytes) throw new SourceError('too large')
    const bytes = Buffer.alloc(size)
    let length = 0
    while (length < size) {
      const read = readSync(file, bytes, length, size - length, length)
      if (read === 0) break
      length += read
    }
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number {
  try {
    // Windows has no such flag.
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    throw new SourceError(`${basename(path)} cannot be opened (${(error as NodeJS.ErrnoException).code})`)
  }
}

export async function newestChange(folder: string): Promise<number | undefined> {
  // Files are replaced and removed all the time, which changes the folder; the login is written in place.
  const inner = await stat(folder)
  const creds = await stat(join(folder, CREDS_FILE)).catch(() => undefined)
  let newest = Math.max(inner.mtimeMs, creds?.mtimeMs ?? 0)
  for await (const entry of await opendir(folder)) {
    if (!/^(session|sender-key)-/.test(entry.name)) continue
    const changed = await stat(join(folder, entry.name)).catch(() => undefined)
    newest = Math.max(newest, changed?.mtimeMs ?? 0)
  }
  return newest
}
