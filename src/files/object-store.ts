// Files in an S3-compatible object store, which every node can read.
import { randomUUID } from 'node:crypto'
import { GatewayError } from '../errors.ts'
import type { ObjectClient } from '../kernel/outbound/object-client.ts'
import type { FileStore } from './file-store.ts'

const FILE = /^[1-9]\d*$/
const FOLDER = /^[1-9]\d*\/$/
const REMOVED_AT_ONCE = 8

/** Objects are called `<prefix>/<folder>/<file>`. The prefix belongs to one database: the sweep removes what that one does not know. */
export function createObjectStore(client: Omit<ObjectClient, 'close'>, prefix: string): FileStore {
  const prefixOf = (folderId: number) => `${prefix}/${folderId}/`
  const keyOf = (folderId: number, fileId: number) => `${prefixOf(folderId)}${fileId}`
  const fileIds = async (folderId: number) =>
    (await unavailable(client.list(prefixOf(folderId)))).filter((name) => FILE.test(name)).map(Number)
  return {
    read: (folderId, fileId, range) => unavailable(client.get(keyOf(folderId, fileId), range)),
    write: (folderId, fileId, sealed) => unavailable(client.put(keyOf(folderId, fileId), sealed)),
    remove: (folderId, fileId) => unavailable(client.remove(keyOf(folderId, fileId))),
    async removeFolder(folderId) {
      const rest = await fileIds(folderId)
      while (rest.length > 0) {
        const some = rest.splice(0, REMOVED_AT_ONCE)
        await unavailable(Promise.all(some.map((fileId) => client.remove(keyOf(folderId, fileId)))))
      }
    },
    async folderIds() {
      const names = await unavailable(client.list(`${prefix}/`))
      return names.filter((name) => FOLDER.test(name)).map((name) => Number(name.slice(0, -1)))
    },
    fileIds,
  }
}

/** Writes, reads, lists and removes a test object. */
export async function checkObjectStore(client: ObjectClient, prefix: string): Promise<void> {
  const name = `check-${randomUUID()}`
  const bytes = Buffer.from('check')
  await client.put(prefix + name, bytes)
  const found = await client.get(prefix + name)
  if (found === null || !bytes.equals(found)) throw new Error('a test file was not read back as written')
  if (!(await client.list(`${prefix}check-`)).length) throw new Error('a test file is missing in the list')
  await client.remove(prefix + name)
}

/** Callers get 503, and the log gets the cause. */
const unavailable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new GatewayError('unavailable', {}, { cause })
  })
