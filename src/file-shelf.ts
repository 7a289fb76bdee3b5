// Files of received messages in the data directory: sealed with the key of their instance, found by the row of their message.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from './store/store.ts'
import { instanceScope, type Vault } from './store/vault.ts'

export interface FileShelf {
  /** Null: it is not here, or its instance was logged out and its key destroyed. */
  read(instanceId: number, rowId: number): Promise<Uint8Array | null>
  put(instanceId: number, rowId: number, bytes: Uint8Array): Promise<void>
  remove(instanceId: number, rowId: number): Promise<void>
}

export interface ShelfParts {
  directory: string
  store: Pick<Store, 'db'>
  vault: Vault
}

export function createFileShelf({ directory, store, vault }: ShelfParts): FileShelf {
  const pathOf = (instanceId: number, rowId: number) => join(directory, String(instanceId), String(rowId))
  const placeOf = (rowId: number) => ({ table: 'received_files', column: 'file', row: rowId })
  return {
    async read(instanceId, rowId) {
      const sealed = await readFile(pathOf(instanceId, rowId)).catch(unlessMissing)
      if (sealed === null) return null
      const opening = vault.unseal(store.db, instanceScope(instanceId), placeOf(rowId), sealed)
      return opening.catch(() => null)
    },
    async put(instanceId, rowId, bytes) {
      const sealed = await vault.seal(store.db, instanceScope(instanceId), placeOf(rowId), bytes)
      await mkdir(join(directory, String(instanceId)), { recursive: true, mode: 0o700 })
      // Under its name only when it is whole.
      const path = pathOf(instanceId, rowId)
      await writeFile(`${path}.part`, sealed, { mode: 0o600, flush: true })
      await rename(`${path}.part`, path)
    },
    async remove(instanceId, rowId) {
      await rm(pathOf(instanceId, rowId), { force: true })
    },
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
