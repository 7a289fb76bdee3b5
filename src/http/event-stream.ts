// Server-sent events: the event log as text, with a sign of life while nothing happens.
import { setTimeout as pause } from 'node:timers/promises'
import type { EventFeed, FedEvent, Follower } from '../domain/event-feed.ts'
import { type EventFilter, eventId, wants } from '../domain/events.ts'

/** Below the half minute after which proxies take a silent connection for dead. */
const PING_MS = 15_000
/** What the browser waits before it comes back. */
const RETRY_MS = 2000

export interface StreamRequest extends Pick<EventFilter, 'events'> {
  feed: EventFeed
  accountId: number
  instanceId: number | undefined
  /** Undefined: from now on. */
  after: number | undefined
  ended: AbortSignal
  /** Raises when the listener may not hear more. */
  recheck(): Promise<void>
}

export async function* eventStream(request: StreamRequest): AsyncGenerator<string> {
  const follower = await request.feed.follow(request.accountId)
  // Before the first word goes out: whoever has that may count on all that comes after it.
  const after = request.after ?? follower.head()
  try {
    yield `retry: ${RETRY_MS}\n\n`
    yield* follow(request, follower, after)
  } finally {
    follower.leave()
  }
}

async function* follow(request: StreamRequest, follower: Follower, begin: number): AsyncGenerator<string> {
  const { accountId, instanceId, ended } = request
  let after = begin
  while (!ended.aborted) {
    const events = await nextOrPing(follower, after, ended)
    if (await isShutOut(request)) return
    if (events === 'ping') {
      yield ': ping\n\n'
      continue
    }
    for (const event of events) {
      after = event.position
      const isWanted = (instanceId === undefined || event.instanceId === instanceId) && wants(request, event)
      if (isWanted) yield toText(accountId, event)
    }
  }
}

async function nextOrPing(
  follower: Follower,
  after: number,
  ended: AbortSignal,
): Promise<FedEvent[] | 'ping'> {
  const either = new AbortController()
  const signal = AbortSignal.any([ended, either.signal])
  try {
    return await Promise.race([
      follower.next(after, signal),
      pause(PING_MS, 'ping' as const, { signal, ref: false }).catch((): FedEvent[] => []),
    ])
  } finally {
    either.abort()
  }
}

/** Revoked meanwhile, or without a subscription: the stream ends, and coming back is answered with the reason. */
const isShutOut = (request: StreamRequest): Promise<boolean> =>
  request.recheck().then(
    () => false,
    () => true,
  )

/** JSON has no line breaks of its own, so that each event is one line of data. */
const toText = (accountId: number, { position, name, json }: FedEvent): string =>
  `id: ${eventId(accountId, position)}\nevent: ${name}\ndata: ${json}\n\n`
