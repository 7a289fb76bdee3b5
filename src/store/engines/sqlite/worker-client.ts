// The main thread's side of the SQLite worker. Calls of one microtask are posted together; replies resolve their promises.
import { Worker } from 'node:worker_threads'
import { programEntry } from '../../../kernel/process/program-files.ts'
import { StoreError, type StoreErrorKind } from '../../../kernel/store-error.ts'
import type { CommandName, Reply, WorkerCall, WorkerCommands, WorkerSettings } from './worker-protocol.ts'

export interface SqliteClient {
  call<K extends CommandName>(
    command: K,
    input: WorkerCommands[K]['input'],
  ): Promise<WorkerCommands[K]['output']>
  close(): Promise<void>
}

interface Pending {
  resolve(output: unknown): void
  reject(error: unknown): void
}

export async function startSqliteClient(
  settings: WorkerSettings,
  onFatal: (error: Error) => void = () => undefined,
): Promise<SqliteClient> {
  const worker = new Worker(programEntry(import.meta.url, './worker.ts', 'sqlite-worker'), {
    workerData: settings,
  })
  const pending = new Map<number, Pending>()
  let bundle: WorkerCall[] = []
  let lastId = 0
  let failure: StoreError | undefined

  function fail(error: StoreError): void {
    failure ??= error
    for (const entry of pending.values()) entry.reject(failure)
    pending.clear()
  }
  function flush(): void {
    worker.postMessage(bundle)
    bundle = []
  }
  function call<K extends CommandName>(
    command: K,
    input: WorkerCommands[K]['input'],
  ): Promise<WorkerCommands[K]['output']> {
    if (failure) return Promise.reject(failure)
    return new Promise((resolve, reject) => {
      lastId += 1
      pending.set(lastId, { resolve, reject })
      if (bundle.push({ id: lastId, command, input }) === 1) queueMicrotask(flush)
    })
  }

  const opened = Promise.withResolvers<void>()
  worker.on('message', (replies: Reply[]) => {
    opened.resolve()
    for (const reply of replies) {
      const entry = pending.get(reply.id)
      pending.delete(reply.id)
      if (reply.ok) entry?.resolve(reply.output)
      else entry?.reject(toStoreError(reply))
    }
  })
  worker.on('error', (cause: Error) => {
    const error = new StoreError('unavailable', `the SQLite thread has failed: ${cause.message}`, cause)
    opened.reject(error)
    fail(error)
    onFatal(error)
  })
  await opened.promise

  return {
    call,
    async close() {
      if (failure) return
      await call('close', null)
      fail(new StoreError('unavailable', 'the store is closed'))
      await worker.terminate()
    },
  }
}

// Maps SQLite's result codes to the kinds of `StoreError`.

/** By extended result code, else by the primary code in its low byte. Any other code is a bug in this program. */
const CODES: Record<number, StoreErrorKind> = {
  /** PRIMARYKEY, UNIQUE, FOREIGNKEY. */
  1555: 'unique',
  2067: 'unique',
  787: 'reference',
  /** PERM. */
  3: 'unavailable',
  /** BUSY, LOCKED: another process held the file for longer than a write waits. */
  5: 'unavailable',
  6: 'unavailable',
  /** NOMEM. */
  7: 'unavailable',
  /** READONLY, IOERR, FULL. */
  8: 'unavailable',
  10: 'unavailable',
  13: 'unavailable',
  /** CANTOPEN: also when the process has no file descriptor left. */
  14: 'unavailable',
  /** PROTOCOL: the write-ahead log could not be locked. */
  15: 'unavailable',
  /** TOOBIG, other constraints, MISMATCH: data that do not fit their column. */
  18: 'refused',
  19: 'refused',
  20: 'refused',
  /** NOLFS: the file is as large as the file system allows. */
  22: 'unavailable',
  /** AUTH. */
  23: 'unavailable',
}

export function toStoreError({ message, errcode }: { message: string; errcode: number }): StoreError {
  const kind = CODES[errcode] ?? CODES[errcode & 0xff] ?? 'failed'
  return new StoreError(kind, `sqlite: ${message} (${errcode})`)
}
