// Files of received messages: encrypted with the key of their instance, and stored in the location that the settings select. Files that
// an earlier setting left in another location are still found there.
import { settledWithin } from '../kernel/async/settled-within.ts'
import type { Store } from '../store/store.ts'
import { type Box, instanceScope, type Vault } from '../store/vault.ts'
import type { FileStore } from './file-store.ts'
import { type OpenedFile, openFile, sealFile, UnreadableFileError } from './sealed-file.ts'

export interface ReceivedFiles {
  /** Null: there is no such file, or the instance was logged out and its key destroyed. */
  open(instanceId: number, rowId: number): Promise<OpenedFile | null>
  put(instanceId: number, rowId: number, bytes: Uint8Array): Promise<void>
  remove(instanceId: number, rowId: number): Promise<void>
  /** Removes all files of these instances. Never rejects; the media fetcher removes later what cannot be removed now. */
  forget(instanceIds: number[]): Promise<void>
  /** The instances that may have files. */
  instanceIds(): Promise<number[]>
  /** The files of an instance, by the row of their message. */
  rowIds(instanceId: number): Promise<number[]>
  /** Removes what writes left that a crash interrupted. */
  removeInterrupted(instanceId: number): Promise<void>
}

export interface ReceivedFilesParts {
  /** New files go to the first one. */
  locations: readonly [FileStore, ...FileStore[]]
  store: Pick<Store, 'db'>
  vault: Vault
  logger: { warn(fields: object, message: string): void }
}

/** A call that deletes an instance does not wait longer for an object store; the removal goes on. */
const FORGET_WAIT_MS = 5000

export function createReceivedFiles({ locations, store, vault, logger }: ReceivedFilesParts): ReceivedFiles {
  async function removeInstances(instanceIds: number[]): Promise<void> {
    for (const instanceId of instanceIds) {
      for (const location of locations) {
        await location
          .removeFolder(instanceId)
          .catch((err: unknown) =>
            logger.warn(
              { err, instanceId },
              'received files: could not remove the files of a deleted instance; the media fetcher will retry',
            ),
          )
      }
    }
  }
  return {
    async open(instanceId, rowId) {
      const box = await vault.existingBox(store.db, instanceScope(instanceId))
      return box ? openFirst(locations, box, instanceId, rowId) : null
    },
    async put(instanceId, rowId, bytes) {
      const box = await vault.box(store.db, instanceScope(instanceId))
      await locations[0].write(instanceId, rowId, await sealFile(box, rowId, bytes))
    },
    async remove(instanceId, rowId) {
      for (const location of locations) await location.remove(instanceId, rowId)
    },
    async forget(instanceIds) {
      await settledWithin(removeInstances(instanceIds), FORGET_WAIT_MS)
    },
    instanceIds: () => unionOf(locations.map((location) => location.folderIds())),
    rowIds: (instanceId) => unionOf(locations.map((location) => location.fileIds(instanceId))),
    async removeInterrupted(instanceId) {
      for (const location of locations) await location.removeInterrupted?.(instanceId)
    },
  }
}

/** A location that cannot be reached matters only if no other one has the file. */
async function openFirst(
  locations: readonly FileStore[],
  box: Box,
  instanceId: number,
  rowId: number,
): Promise<OpenedFile | null> {
  const failures: unknown[] = []
  for (const location of locations) {
    try {
      const opened = await openFile(box, rowId, (range) => location.read(instanceId, rowId, range))
      if (opened) return opened
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return null
}

const unionOf = async (lists: Promise<number[]>[]): Promise<number[]> => [
  ...new Set((await Promise.all(lists)).flat()),
]
