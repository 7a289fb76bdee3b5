// Files in the data directory: each folder is a directory, so that all its files can be removed at once.
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteRange, FileStore } from './file-store.ts'

const ID = /^[1-9]\d*$/

export function createDiskStore(directory: string): FileStore {
  const folderOf = (folderId: number) => join(directory, String(folderId))
  const pathOf = (folderId: number, fileId: number) => join(folderOf(folderId), String(fileId))
  const listed = async (path: string) => (await readdir(path).catch(unlessMissing)) ?? []
  const idsIn = async (path: string) => (await listed(path)).filter((name) => ID.test(name)).map(Number)
  return {
    read: (folderId, fileId, range) =>
      (range ? readRange(pathOf(folderId, fileId), range) : readFile(pathOf(folderId, fileId))).catch(
        unlessMissing,
      ),
    async write(folderId, fileId, sealed) {
      await mkdir(folderOf(folderId), { recursive: true, mode: 0o700 })
      await writeWhole(pathOf(folderId, fileId), sealed)
    },
    remove: (folderId, fileId) => rm(pathOf(folderId, fileId), { force: true }),
    removeFolder: (folderId) => rm(folderOf(folderId), { recursive: true, force: true }),
    folderIds: () => idsIn(directory),
    fileIds: (folderId) => idsIn(folderOf(folderId)),
    async removeInterrupted(folderId) {
      const folder = folderOf(folderId)
      const names = (await listed(folder)).filter((name) => !ID.test(name))
      for (const name of names) await rm(join(folder, name), { force: true })
    },
  }
}

/** Writes, reads and removes a test file. False: the directory does not exist, because no file was stored yet. */
export async function checkDisk(directory: string): Promise<boolean> {
  if ((await readdir(directory).catch(unlessMissing)) === null) return false
  const path = join(directory, `check-${randomUUID()}`)
  await writeWhole(path, Buffer.from('check'))
  await readFile(path)
  await rm(path)
  return true
}

async function readRange(path: string, { start, length }: ByteRange): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The file gets its name only when it is complete. An incomplete one, as after a full disk, is removed at once. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.part`
  try {
    await writeFile(part, bytes, { mode: 0o600, flush: true })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw error
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
