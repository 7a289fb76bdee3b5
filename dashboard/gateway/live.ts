// One event stream for the whole page. Each event invalidates the queries that it concerns.
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { EventName } from '../../src/contract/events.ts'

/** The body of an event, the same as in webhooks. */
export interface LiveEvent {
  id: string
  event: EventName
  timestamp: string
  sequence: number
  instance: { id: number; instanceName: string; apiInstanceName: string }
  data: unknown
}

/** `off`: not signed in, or the gateway has refused the stream to the key. `waiting`: disconnected, reconnecting after a backoff; meanwhile pages poll. */
export type LiveState = 'off' | 'connecting' | 'live' | 'waiting'

const ADDRESS = '/api/v1/events/stream'
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** Throttle: a burst of events invalidates a query at its start, then at most this often. */
const REST_MS = 500

/** The query keys that an event invalidates, as in `queries.ts`. */
const CONCERNS: Record<EventName, readonly string[]> = {
  'messages.upsert': ['messages', 'chats', 'limits', 'activity'],
  'messages.update': ['messages', 'activity'],
  'messages.edited': ['messages'],
  'messages.deleted': ['messages'],
  'messages.reaction': ['messages'],
  'messages.set_aside': [],
  'contacts.update': ['contacts', 'chats'],
  'contacts.merged': ['contacts', 'chats', 'messages'],
  'chats.update': ['chats'],
  'labels.update': ['labels', 'chats'],
  'labels.association': ['labels', 'chats'],
  'qrcode.updated': ['instances', 'qr'],
  'passkey.updated': ['instances', 'qr', 'passkey'],
  'connection.update': ['instances', 'qr'],
  'groups.upsert': ['chats', 'groups'],
  'groups.update': ['chats', 'groups'],
  'group-participants.update': ['groups'],
  call: [],
  'presence.update': [],
}
export const EVENT_NAMES = Object.keys(CONCERNS) as EventName[]

export interface Live {
  /** `isForbidden` asks the gateway why it has refused the stream. */
  start(queries: QueryClient, isForbidden: () => Promise<boolean>): void
  stop(): void
  state(): LiveState
  onState(listener: () => void): () => void
  /** Calls the listener for every event; returns a function that removes it. */
  onEvent(listener: (event: LiveEvent) => void): () => void
}

interface LiveTimers {
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

/** The timers are a parameter so that tests need not wait. */
export function createLive(timers: LiveTimers = globalThis): Live {
  const stateListeners = new Set<() => void>()
  const eventListeners = new Set<(event: LiveEvent) => void>()
  let source: EventSource | undefined
  let timer: unknown
  let waitMs = FIRST_WAIT_MS
  let state: LiveState = 'off'
  let lastId: string | undefined
  const outdated = new Set<string>()
  let resting: unknown
  let isForbidden = async () => false

  function become(next: LiveState): void {
    state = next
    for (const listener of stateListeners) listener()
  }
  function invalidateOutdated(queries: QueryClient): void {
    if (resting !== undefined || outdated.size === 0) return
    for (const key of outdated) void queries.invalidateQueries({ queryKey: [key] })
    outdated.clear()
    resting = timers.setTimeout(() => {
      resting = undefined
      invalidateOutdated(queries)
    }, REST_MS)
  }
  function open(queries: QueryClient): void {
    become('connecting')
    // A new EventSource for each attempt, because the built-in reconnect has no backoff. `after` resumes the stream.
    const opened = new EventSource(
      lastId === undefined ? ADDRESS : `${ADDRESS}?after=${encodeURIComponent(lastId)}`,
    )
    source = opened
    opened.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS
      become('live')
      // Events may have been missed while disconnected.
      void queries.invalidateQueries()
    })
    for (const name of EVENT_NAMES) opened.addEventListener(name, (message) => take(queries, message))
    opened.addEventListener('error', () => {
      // An `EventSource` does not tell why it was refused: only that it is not an interruption.
      const isRefused = opened.readyState === EventSource.CLOSED
      opened.close()
      become('waiting')
      if (isRefused) void stopIfForbidden(opened)
      timer = timers.setTimeout(() => open(queries), waitMs)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    })
  }
  async function stopIfForbidden(refused: EventSource): Promise<void> {
    if ((await isForbidden()) && source === refused) stop()
  }
  function take(queries: QueryClient, message: Event): void {
    const event = JSON.parse((message as Event & { data: string }).data) as LiveEvent
    lastId = event.id
    for (const key of [...CONCERNS[event.event], 'deliveries']) outdated.add(key)
    invalidateOutdated(queries)
    for (const listener of eventListeners) listener(event)
  }
  function stop(): void {
    timers.clearTimeout(timer)
    source?.close()
    source = undefined
    lastId = undefined
    waitMs = FIRST_WAIT_MS
    become('off')
  }
  return {
    start(queries, asked) {
      isForbidden = asked
      if (state === 'off') open(queries)
    },
    stop,
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

/** The stream that all pages share. */
export const live = createLive()

export const useLiveState = (): LiveState => useSyncExternalStore(live.onState, live.state)
