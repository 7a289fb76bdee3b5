// One event stream for the whole page: what happens on the server makes the queries it concerns read anew.
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { EventName } from '../src/contract/events.ts'

/** The body of an event, as webhooks get it (decisions 8). */
export interface LiveEvent {
  id: string
  event: EventName
  timestamp: string
  sequence: number
  instance: { id: number; instanceName: string; apiInstanceName: string }
  data: unknown
}

/** `off`: nobody is signed in. `waiting`: lost, and tried again later; pages then poll. */
export type LiveState = 'off' | 'connecting' | 'live' | 'waiting'

const ADDRESS = '/api/v1/events/stream'
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** A burst of events makes the same reading out of date many times over: it is read at its beginning, then this often. */
const REST_MS = 500

/** What an event makes out of date. Keys begin as those in `queries.ts`. */
const CONCERNS: Record<EventName, readonly string[]> = {
  'messages.upsert': ['messages', 'chats', 'limits', 'activity'],
  'messages.update': ['messages', 'activity'],
  'contacts.update': ['contacts', 'chats'],
  'chats.update': ['chats'],
  'qrcode.updated': ['instances', 'qr'],
  'connection.update': ['instances', 'qr'],
}
export const EVENT_NAMES = Object.keys(CONCERNS) as EventName[]

export interface Live {
  start(queries: QueryClient): void
  stop(): void
  state(): LiveState
  onState(listener: () => void): () => void
  /** Every event as it comes; returns how to stop listening. */
  onEvent(listener: (event: LiveEvent) => void): () => void
}

export function createLive(): Live {
  const stateListeners = new Set<() => void>()
  const eventListeners = new Set<(event: LiveEvent) => void>()
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = FIRST_WAIT_MS
  let state: LiveState = 'off'
  let lastId: string | undefined
  const outdated = new Set<string>()
  let resting: ReturnType<typeof setTimeout> | undefined

  function become(next: LiveState): void {
    state = next
    for (const listener of stateListeners) listener()
  }
  function readAnew(queries: QueryClient): void {
    if (resting !== undefined || outdated.size === 0) return
    for (const key of outdated) void queries.invalidateQueries({ queryKey: [key] })
    outdated.clear()
    resting = setTimeout(() => {
      resting = undefined
      readAnew(queries)
    }, REST_MS)
  }
  function open(queries: QueryClient): void {
    become('connecting')
    // A source of its own for each try, so that we decide how long to wait; where it stopped stands in the address.
    const opened = new EventSource(
      lastId === undefined ? ADDRESS : `${ADDRESS}?after=${encodeURIComponent(lastId)}`,
    )
    source = opened
    opened.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS
      become('live')
      // Whatever happened while nobody listened.
      void queries.invalidateQueries()
    })
    for (const name of EVENT_NAMES) opened.addEventListener(name, (message) => take(queries, message))
    opened.addEventListener('error', () => {
      opened.close()
      become('waiting')
      timer = setTimeout(() => open(queries), waitMs)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    })
  }
  function take(queries: QueryClient, message: Event): void {
    const event = JSON.parse((message as Event & { data: string }).data) as LiveEvent
    lastId = event.id
    for (const key of [...CONCERNS[event.event], 'deliveries']) outdated.add(key)
    readAnew(queries)
    for (const listener of eventListeners) listener(event)
  }
  return {
    start(queries) {
      if (state === 'off') open(queries)
    },
    stop() {
      clearTimeout(timer)
      source?.close()
      source = undefined
      lastId = undefined
      waitMs = FIRST_WAIT_MS
      become('off')
    },
    state: () => state,
    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    onEvent(listener) {
      eventListeners.add(listener)
      return () => eventListeners.delete(listener)
    },
  }
}

/** The page's one stream. */
export const live = createLive()

export const useLiveState = (): LiveState => useSyncExternalStore(live.onState, live.state)
