// Saves the states of all instances, in order for each instance. A state that cannot be saved is retried.

import { realTimers, type Timers } from '../kernel/async/timers.ts'
import { settledWithin } from '../kernel/async/waiting.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { supersede, type WantedState } from './wanted-state.ts'

/** Including the duration of a try, a state is saved within 10 s after the store is available again. */
const PAUSES_MS = [250, 500, 1000, 2000, 3000]
const AT_ONCE = 8
/** How long stop() waits for the last try. */
const LAST_TRY_MS = 2000

export interface StateKeeper {
  /** Resolves after the first try: true when the state is saved, false when saving is retried in the background. */
  recordState(instanceId: number, wanted: WantedState): Promise<boolean>
  /** Tries at once to save the waiting states of the instance; true when all are saved. */
  flush(instanceId: number): Promise<boolean>
  /** Resolves when all states of the instance are saved; false: they were dropped, or the keeper was stopped. */
  whenSaved(instanceId: number): Promise<boolean>
  isSaved(instanceId: number): boolean
  /** Drops the unsaved states; resolves when no write of the instance is running. */
  drop(instanceId: number): Promise<void>
  /** How many instances have a state whose last try failed. */
  countFailed(): number
  stop(): Promise<void>
}

export interface KeeperDeps {
  write(instanceId: number, wanted: WantedState): Promise<void>
  log(instanceId: number, message: string): void
  timers?: Timers
}

interface Entry {
  waiting: WantedState[]
  running: Promise<boolean> | undefined
  failure: unknown
  /** Called when all states are saved, or saving was given up. */
  listeners: ((isSaved: boolean) => void)[]
}

export function createStateKeeper({ write, log, timers = realTimers }: KeeperDeps): StateKeeper {
  const queues = createQueues(write, log, () => retries.schedule())
  const { entries, tryNow, close } = queues
  const retries = createRetries(queues, timers)
  let isStopped = false

  return {
    async recordState(instanceId, wanted) {
      if (isStopped) return false
      const entry = entries.get(instanceId) ?? newEntry()
      entries.set(instanceId, entry)
      entry.waiting.push(wanted)
      if (!entry.failure || entry.running) return tryNow(instanceId)
      collapse(entry)
      return false
    },
    flush: tryNow,
    whenSaved(instanceId) {
      const entry = entries.get(instanceId)
      if (!entry || isStopped) return Promise.resolve(!isStopped)
      return new Promise((resolve) => entry.listeners.push(resolve))
    },
    isSaved: (instanceId) => !entries.has(instanceId),
    async drop(instanceId) {
      const entry = entries.get(instanceId)
      if (!entry) return
      entry.waiting.splice(entry.running ? 1 : 0)
      await entry.running
      if (entries.get(instanceId) === entry) close(instanceId, entry, false)
    },
    countFailed: () => queues.failed().length,
    async stop() {
      isStopped = true
      retries.stop()
      await settledWithin(Promise.all([...entries.keys()].map(tryNow)), LAST_TRY_MS, timers)
      for (const [instanceId, entry] of entries) close(instanceId, entry, false)
    },
  }
}

interface Queues {
  entries: Map<number, Entry>
  /** Writes the waiting states of an instance; true when all are saved. */
  tryNow(instanceId: number): Promise<boolean>
  close(instanceId: number, entry: Entry, isSaved: boolean): void
  /** The instances whose last try has failed. */
  failed(): number[]
}

function createQueues(write: KeeperDeps['write'], log: KeeperDeps['log'], onFailed: () => void): Queues {
  const entries = new Map<number, Entry>()

  /** Writes in order; returns false at the first failure. */
  async function run(instanceId: number, entry: Entry): Promise<boolean> {
    for (let next = entry.waiting[0]; next; next = entry.waiting[0]) {
      try {
        await write(instanceId, next)
      } catch (error) {
        if (!entry.failure) log(instanceId, `state keeper: state not saved; retrying: ${String(error)}`)
        entry.failure = error
        collapse(entry)
        return false
      }
      entry.waiting.shift()
    }
    if (entry.failure) log(instanceId, 'state keeper: state saved after a retry')
    close(instanceId, entry, true)
    return true
  }
  function close(instanceId: number, entry: Entry, isSaved: boolean): void {
    entries.delete(instanceId)
    for (const listener of entry.listeners) listener(isSaved)
  }

  return {
    entries,
    close,
    async tryNow(instanceId) {
      const entry = entries.get(instanceId)
      if (!entry) return true
      entry.running ??= run(instanceId, entry).finally(() => {
        entry.running = undefined
        if (entries.has(instanceId)) onFailed()
      })
      return entry.running
    },
    failed: () => [...entries].flatMap(([instanceId, { failure }]) => (failure ? [instanceId] : [])),
  }
}

function createRetries(
  { entries, tryNow, failed }: Queues,
  timers: Timers,
): { schedule(): void; stop(): void } {
  let timer: ReturnType<Timers['setTimeout']> | undefined
  let failedPasses = 0
  let isStopped = false

  function schedule(): void {
    if (isStopped || timer) return
    const pauseMs = PAUSES_MS[Math.min(failedPasses, PAUSES_MS.length - 1)] as number
    timer = timers.setTimeout(() => void pass(), pauseMs)
  }
  /** Tries one instance first; the others follow only if the store is available, so that they add no load to a failing one. */
  async function pass(): Promise<void> {
    const instanceIds = failed()
    for (let from = 0, size = 1; from < instanceIds.length; from += size, size = AT_ONCE) {
      const tried = instanceIds.slice(from, from + size)
      await Promise.all(tried.map(tryNow))
      if (tried.some((id) => isStoreError(entries.get(id)?.failure, 'unavailable'))) break
    }
    failedPasses = failed().length > 0 ? failedPasses + 1 : 0
    timer = undefined
    if (failedPasses > 0) schedule()
  }

  return {
    schedule,
    stop() {
      isStopped = true
      timers.clearTimeout(timer)
    },
  }
}

const newEntry = (): Entry => ({ waiting: [], running: undefined, failure: undefined, listeners: [] })

function collapse(entry: Entry): void {
  if (entry.waiting.length > 1) entry.waiting = [entry.waiting.reduce(supersede)]
}
