// Files of received messages in the data directory: encrypted with the key of their instance, named by the row of their message.
// Each instance has a folder, so that all its files can be removed at once.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import { instanceScope, type Vault } from '../store/vault.ts'

export interface ReceivedFiles {
  /** Null: there is no such file, or the instance was logged out and its key destroyed. */
  read(instanceId: number, rowId: number): Promise<Uint8Array | null>
  put(instanceId: number, rowId: number, bytes: Uint8Array): Promise<void>
  remove(instanceId: number, rowId: number): Promise<void>
  /** Removes all files of these instances. Never rejects; the media fetcher removes later what cannot be removed now. */
  forget(instanceIds: number[]): Promise<void>
  /** The instances that have a folder. */
  instanceIds(): Promise<number[]>
  /** The files of an instance, by the row of their message; `leftovers` are writes that a crash interrupted. */
  contents(instanceId: number): Promise<{ rowIds: number[]; leftovers: string[] }>
  removeLeftover(instanceId: number, name: string): Promise<void>
}

export interface ReceivedFilesParts {
  directory: string
  store: Pick<Store, 'db'>
  vault: Vault
  logger: { warn(fields: object, message: string): void }
}

const ID = /^[1-9]\d*$/

export function createReceivedFiles({ directory, store, vault, logger }: ReceivedFilesParts): ReceivedFiles {
  const folderOf = (instanceId: number) => join(directory, String(instanceId))
  const pathOf = (instanceId: number, rowId: number) => join(folderOf(instanceId), String(rowId))
  const placeOf = (rowId: number) => ({ table: 'received_files', column: 'file', row: rowId })
  const listed = async (path: string) => (await readdir(path).catch(unlessMissing)) ?? []
  return {
    async read(instanceId, rowId) {
      const sealed = await readFile(pathOf(instanceId, rowId)).catch(unlessMissing)
      if (sealed === null) return null
      const opening = vault.unseal(store.db, instanceScope(instanceId), placeOf(rowId), sealed)
      return opening.catch(() => null)
    },
    async put(instanceId, rowId, bytes) {
      const sealed = await vault.seal(store.db, instanceScope(instanceId), placeOf(rowId), bytes)
      await mkdir(folderOf(instanceId), { recursive: true, mode: 0o700 })
      await writeWhole(pathOf(instanceId, rowId), sealed)
    },
    async remove(instanceId, rowId) {
      await rm(pathOf(instanceId, rowId), { force: true })
    },
    async forget(instanceIds) {
      for (const instanceId of instanceIds) {
        await rm(folderOf(instanceId), { recursive: true, force: true }).catch((err: unknown) =>
          logger.warn(
            { err, instanceId },
            'received files: could not remove the files of a deleted instance; the media fetcher will retry',
          ),
        )
      }
    },
    instanceIds: async () => (await listed(directory)).filter((name) => ID.test(name)).map(Number),
    async contents(instanceId) {
      const names = await listed(folderOf(instanceId))
      return {
        rowIds: names.filter((name) => ID.test(name)).map(Number),
        leftovers: names.filter((name) => !ID.test(name)),
      }
    },
    async removeLeftover(instanceId, name) {
      await rm(join(folderOf(instanceId), name), { force: true })
    },
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
