// Those who follow the event log as it grows: each account's new events are read once, however many listen.
import { type EventRow, lastPosition, listEvents } from '../store/queries/events.ts'
import type { Store } from '../store/store.ts'
import { toEventBody } from './events.ts'

/** An event as listeners share it: worded once. */
export interface FedEvent {
  position: number
  instanceId: number
  name: string
  /** The body of a delivery, as JSON. */
  json: string
}

export interface Follower {
  /** Where the log ends right now. */
  head(): number
  /** The events after a position. Waits where there is none yet; empty: for long enough, or until it was to end. */
  next(after: number): Promise<FedEvent[]>
  leave(): void
}

export interface EventFeed {
  /** With `ended`, whoever waits need wait no more. */
  follow(accountId: number, ended: AbortSignal): Promise<Follower>
  stop(): void
}

/** Listeners that keep up are served from here; whoever is further behind reads from the store. */
const WINDOW_SIZE = 500
const PAGE_SIZE = 200
/** Commits of other processes are not told to this one. */
const LOOK_MS = 1000
/** The longest wait for an event: below the half minute after which proxies take a silent connection for dead. */
const WAIT_MS = 15_000

/** The end of an account's log, for as long as somebody follows it. */
interface Tail {
  accountId: number
  followers: number
  /** Consecutive events up to `head`. */
  window: FedEvent[]
  head: number
  waiting: Set<() => void>
  reading: boolean
  /** There was a commit during the reading. */
  again: boolean
}

export function createEventFeed(store: Pick<Store, 'db' | 'onEvents'>): EventFeed {
  const tails = new Map<number, Tail>()
  const lookAll = () => {
    for (const tail of tails.values()) void look(store, tail)
  }
  const unsubscribe = store.onEvents(lookAll)
  const timer = setInterval(lookAll, LOOK_MS).unref()
  // One timer for all: with one for each, thousands of listeners would keep thousands.
  const waits = setInterval(() => {
    for (const tail of tails.values()) wakeAll(tail)
  }, WAIT_MS).unref()

  async function open(accountId: number): Promise<Tail> {
    const head = await lastPosition(store.db, accountId)
    const tail = tails.get(accountId) ?? {
      accountId,
      followers: 0,
      window: [],
      head,
      waiting: new Set(),
      reading: false,
      again: false,
    }
    tails.set(accountId, tail)
    return tail
  }

  return {
    async follow(accountId, ended) {
      const tail = tails.get(accountId) ?? (await open(accountId))
      tail.followers += 1
      let wake: () => void = () => undefined
      ended.addEventListener('abort', () => wake(), { once: true })
      const change = () =>
        new Promise<void>((resolve) => {
          wake = resolve
          tail.waiting.add(resolve)
        })
      // What was committed between the reading of its end and now.
      void look(store, tail)
      return {
        head: () => tail.head,
        async next(after) {
          for (let hasWaited = false; ; hasWaited = true) {
            // None, although the log is longer: what it was behind of has been forgotten.
            const found = after < tail.head ? await eventsAfter(store, tail, after) : []
            if (found.length > 0 || hasWaited || ended.aborted) return found
            await change()
          }
        },
        leave() {
          tail.waiting.delete(wake)
          tail.followers -= 1
          if (tail.followers === 0) tails.delete(accountId)
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

/** One reading at a time; a commit during it calls for another. */
async function look(store: Pick<Store, 'db'>, tail: Tail): Promise<void> {
  if (tail.reading) {
    tail.again = true
    return
  }
  tail.reading = true
  do {
    tail.again = false
    // Trouble of the store: the next look will do, and listeners lose nothing by it.
    await readOn(store, tail).catch(() => undefined)
  } while (tail.again)
  tail.reading = false
}

async function readOn(store: Pick<Store, 'db'>, tail: Tail): Promise<void> {
  for (let isMore = true; isMore; ) {
    const { accountId, head: after } = tail
    const rows = await listEvents(store.db, { accountId, after, limit: PAGE_SIZE })
    isMore = rows.length === PAGE_SIZE
    if (rows.length === 0) return
    tail.window = [...tail.window, ...rows.map(toFed)].slice(-WINDOW_SIZE)
    tail.head = rows.at(-1)?.position ?? tail.head
    wakeAll(tail)
  }
}

function wakeAll({ waiting }: Tail): void {
  for (const wake of waiting) wake()
  waiting.clear()
}

async function eventsAfter(store: Pick<Store, 'db'>, tail: Tail, after: number): Promise<FedEvent[]> {
  const first = tail.window[0]?.position ?? Infinity
  if (after + 1 >= first) return tail.window.slice(after + 1 - first)
  const rows = await listEvents(store.db, { accountId: tail.accountId, after, limit: PAGE_SIZE })
  return rows.map(toFed)
}

const toFed = (row: EventRow): FedEvent => ({
  position: row.position,
  instanceId: row.instance_id,
  name: row.name,
  json: JSON.stringify(toEventBody(row)),
})
