// The main thread's side of the SQLite worker. Calls of one microtask are posted together; replies resolve their promises.
import { Worker } from 'node:worker_threads'
import { programEntry } from '../../../kernel/process/program-files.ts'
import { StoreError } from '../../../kernel/store-error.ts'
import { toStoreError } from './errors.ts'
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
