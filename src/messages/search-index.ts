// Indexes the words of messages for the search, behind the traffic: accepting and receiving do not wait for it (decision 0164).

import { realTimers, type Timers } from '../kernel/async/timers.ts'
import type { Store } from '../store/store.ts'
import { indexNext } from './search-queries.ts'
import { SILENT } from './silent-types.ts'

/** One commit of the index. A larger one would noticeably delay the commits beside it. */
const BATCH = 200
/** After a commit with events, so that many messages are indexed together. */
const DELAY_MS = 500
/** Messages of a history have no events. */
const IDLE_MS = 5000
/** While there is more to index, the worker rests this many times as long as it has worked: longer beside other commits. */
const REST = { beside: 30, alone: 1 }

export interface SearchIndexDeps {
  store: Pick<Store, 'db' | 'transaction' | 'messageSearch' | 'onEvents'>
  /** Indexes the next messages; replaced in tests. */
  index?: typeof indexNext
  log: { warn(fields: object, message: string): void }
  /** False: another node does it. */
  isLead?: () => boolean
  /** Of the machine, in milliseconds. */
  elapsed: () => number
  timers?: Timers
}

export interface SearchIndex {
  start(): void
  stop(): Promise<void>
}

export function createSearchIndex(deps: SearchIndexDeps): SearchIndex {
  const { store, index = indexNext, log, isLead = () => true, elapsed, timers = realTimers } = deps
  let timer: ReturnType<Timers['setTimeout']> | undefined
  let running: Promise<void> | undefined
  let unsubscribe: (() => void) | undefined
  let isWoken = false

  /** Returns when to go on. */
  async function pass(): Promise<number> {
    if (!isLead()) return IDLE_MS
    const begun = elapsed()
    const read = await index(store, { limit: BATCH, silent: SILENT })
    if (read === BATCH) return (elapsed() - begun) * (isWoken ? REST.beside : REST.alone)
    return isWoken || read !== 0 ? DELAY_MS : IDLE_MS
  }
  const later = (ms: number) => {
    timers.clearTimeout(timer)
    timer = timers.setTimeout(run, ms)
  }
  const run = () => {
    isWoken = false
    running = pass()
      .catch((err: unknown) => {
        log.warn({ err }, 'search: could not index messages; retrying')
        return IDLE_MS
      })
      .then((ms) => {
        running = undefined
        if (unsubscribe) later(ms)
      })
  }
  return {
    start() {
      if (unsubscribe) return
      unsubscribe = store.onEvents(() => {
        if (isWoken) return
        isWoken = true
        if (!running) later(DELAY_MS)
      })
      later(DELAY_MS)
    },
    async stop() {
      unsubscribe?.()
      unsubscribe = undefined
      timers.clearTimeout(timer)
      await running
    },
  }
}
