// The main thread's side of the SQLite worker: calls go over in bundles, replies resolve their promises.
import { Worker } from 'node:worker_threads'
import { StoreError, type StoreErrorKind } from '../store-error.ts'
import type { Call, OperationName, Operations, Reply, WorkerSettings } from './protocol.ts'

export interface SqliteClient {
  call<K extends OperationName>(operation: K, input: Operations[K]['input']): Promise<Operations[K]['output']>
  close(): Promise<void>
}

interface Pending {
  resolve(output: unknown): void
  reject(error: unknown): void
}

/** SQLite's primary codes for trouble that may pass: busy, locked, read-only, I/O, full, cannot open. */
const PASSING = new Set([5, 6, 8, 10, 13, 14])

function kindOf(errcode: number): StoreErrorKind {
  if (errcode === 1555 || errcode === 2067) return 'unique'
  if (errcode === 787) return 'reference'
  return PASSING.has(errcode & 0xff) ? 'unavailable' : 'failed'
}

export async function startSqliteClient(
  settings: WorkerSettings,
  onFatal: (error: Error) => void = () => undefined,
): Promise<SqliteClient> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: settings })
  const pending = new Map<number, Pending>()
  let bundle: Call[] = []
  let lastId = 0
  let gone: StoreError | undefined

  function fail(error: StoreError): void {
    gone ??= error
    for (const entry of pending.values()) entry.reject(gone)
    pending.clear()
  }
  function flush(): void {
    worker.postMessage(bundle)
    bundle = []
  }
  function call<K extends OperationName>(
    operation: K,
    input: Operations[K]['input'],
  ): Promise<Operations[K]['output']> {
    if (gone) return Promise.reject(gone)
    return new Promise((resolve, reject) => {
      lastId += 1
      pending.set(lastId, { resolve, reject })
      if (bundle.push({ id: lastId, operation, input }) === 1) queueMicrotask(flush)
    })
  }

  const opened = Promise.withResolvers<void>()
  worker.on('message', (replies: Reply[]) => {
    opened.resolve()
    for (const reply of replies) {
      const entry = pending.get(reply.id)
      pending.delete(reply.id)
      if (reply.ok) entry?.resolve(reply.output)
      else entry?.reject(new StoreError(kindOf(reply.errcode), `sqlite: ${reply.message} (${reply.errcode})`))
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
      if (gone) return
      await call('close', null)
      fail(new StoreError('unavailable', 'the store is closed'))
      await worker.terminate()
    },
  }
}
