// New events for readers of the live stream: the events of an account are read once, for all readers together.
import { coalesce } from '../kernel/async/coalesce.ts'
import type { Store } from '../store/store.ts'
import { type EventRow, lastPosition, listEvents } from './queries.ts'
import { toEventBody } from './rules.ts'

/** Serialized once for all readers. */
export interface StreamedEvent {
  position: number
  instanceId: number
  name: string
  /** The body of a delivery, as JSON. */
  json: string
}

export interface LiveEventReader {
  /** The current end of the log. */
  head(): number
  /** The events after a position. Waits until there are some; empty after a timeout, and when `ended` is aborted. */
  next(after: number): Promise<StreamedEvent[]>
  close(): void
}

export interface LiveEvents {
  /** Aborting `ended` ends a wait of the reader. */
  follow(accountId: number, ended: AbortSignal): Promise<LiveEventReader>
  stop(): void
}

/** Readers within this window are served from memory; readers further behind read from the store. */
const WINDOW_SIZE = 500
const PAGE_SIZE = 200
/** Commits of other processes are not signalled to this one. */
const POLL_MS = 1000
/** The longest wait for an event. Proxies close a connection that is silent for half a minute. */
const WAIT_MS = 15_000

/** The end of an account's log, kept while it has readers. */
interface Tail {
  accountId: number
  readers: number
  /** Consecutive events up to `head`. */
  window: StreamedEvent[]
  head: number
  waiting: Set<() => void>
  /** Reads the new events: one read at a time; a commit during it causes another. */
  poll(): Promise<void>
}

export function createLiveEvents(store: Pick<Store, 'db' | 'onEvents'>): LiveEvents {
  const tails = new Map<number, Tail>()
  const pollAll = () => {
    for (const tail of tails.values()) void tail.poll()
  }
  const unsubscribe = store.onEvents(pollAll)
  const timer = setInterval(pollAll, POLL_MS).unref()
  // One timer for all readers instead of one for each of possibly thousands.
  const waits = setInterval(() => {
    for (const tail of tails.values()) wakeAll(tail)
  }, WAIT_MS).unref()

  async function open(accountId: number): Promise<Tail> {
    const head = await lastPosition(store.db, accountId)
    const tail = tails.get(accountId) ?? newTail(store, accountId, head)
    tails.set(accountId, tail)
    return tail
  }

  return {
    async follow(accountId, ended) {
      const tail = tails.get(accountId) ?? (await open(accountId))
      tail.readers += 1
      let wake: () => void = () => undefined
      ended.addEventListener('abort', () => wake(), { once: true })
      const change = () =>
        new Promise<void>((resolve) => {
          wake = resolve
          tail.waiting.add(resolve)
        })
      // Events may have been committed since the end of the log was read.
      void tail.poll()
      return {
        head: () => tail.head,
        async next(after) {
          for (let hasWaited = false; ; hasWaited = true) {
            // Empty although the log is longer: the events after this position were deleted meanwhile.
            const found = after < tail.head ? await eventsAfter(store, tail, after) : []
            if (found.length > 0 || hasWaited || ended.aborted) return found
            await change()
          }
        },
        close() {
          tail.waiting.delete(wake)
          tail.readers -= 1
          if (tail.readers === 0) tails.delete(accountId)
        },
      }
    },
    stop() {
      clearInterval(timer)
      clearInterval(waits)
      unsubscribe()
    },
  }
}

function newTail(store: Pick<Store, 'db'>, accountId: number, head: number): Tail {
  const tail: Tail = {
    accountId,
    readers: 0,
    window: [],
    head,
    waiting: new Set(),
    // If the store fails, the next poll reads the same events.
    poll: coalesce(() => readNewEvents(store, tail).catch(() => undefined)),
  }
  return tail
}

async function readNewEvents(store: Pick<Store, 'db'>, tail: Tail): Promise<void> {
  for (let isMore = true; isMore; ) {
    const { accountId, head: after } = tail
    const rows = await listEvents(store.db, { accountId, after, limit: PAGE_SIZE })
    isMore = rows.length === PAGE_SIZE
    if (rows.length === 0) return
    tail.window = [...tail.window, ...rows.map(toStreamed)].slice(-WINDOW_SIZE)
    tail.head = rows.at(-1)?.position ?? tail.head
    wakeAll(tail)
  }
}

function wakeAll({ waiting }: Tail): void {
  for (const wake of waiting) wake()
  waiting.clear()
}

async function eventsAfter(store: Pick<Store, 'db'>, tail: Tail, after: number): Promise<StreamedEvent[]> {
  const first = tail.window[0]?.position ?? Infinity
  if (after + 1 >= first) return tail.window.slice(after + 1 - first)
  const rows = await listEvents(store.db, { accountId: tail.accountId, after, limit: PAGE_SIZE })
  return rows.map(toStreamed)
}

const toStreamed = (row: EventRow): StreamedEvent => ({
  position: row.position,
  instanceId: row.instance_id,
  name: row.name,
  json: JSON.stringify(toEventBody(row)),
})
