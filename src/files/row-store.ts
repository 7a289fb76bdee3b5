// Files of received messages as rows of PostgreSQL, which every node can read.
import { createSemaphore } from '../kernel/async/semaphore.ts'
import type { Transactional } from '../store/tables.ts'
import {
  listInstancesWithFiles,
  listStoredFiles,
  readFileParts,
  readFileRange,
  removeFileParts,
  removeFilePartsOf,
  writeFileParts,
} from './file-part-queries.ts'
import type { FileStore } from './file-store.ts'

/** A large file takes a connection for seconds. The others of the pool stay free for messages. */
const AT_ONCE = 3

export function createRowStore(store: Transactional): FileStore {
  const acquire = createSemaphore(AT_ONCE)
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const release = await acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
  return {
    read: (instanceId, rowId, range) =>
      inTurn(() =>
        range ? readFileRange(store.db, instanceId, rowId, range) : readFileParts(store, instanceId, rowId),
      ),
    write: (instanceId, rowId, sealed) => inTurn(() => writeFileParts(store, instanceId, rowId, sealed)),
    remove: (_instanceId, rowId) => removeFileParts(store.db, rowId),
    removeFolder: (instanceId) => removeFilePartsOf(store.db, instanceId),
    folderIds: () => listInstancesWithFiles(store.db),
    fileIds: (instanceId) => listStoredFiles(store.db, instanceId),
  }
}
