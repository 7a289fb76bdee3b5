// Server-sent events: the event log as text, with a sign of life while nothing happens.
import type { EventFeed, FedEvent, Follower } from '../domain/event-feed.ts'
import { type EventFilter, eventId, wants } from '../domain/events.ts'

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
  const follower = await request.feed.follow(request.accountId, request.ended)
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
  for (let after = begin; !ended.aborted; ) {
    const events = await follower.next(after)
    if (ended.aborted || (await isShutOut(request))) return
    if (events.length === 0) yield ': nothing new\n\n'
    after = events.at(-1)?.position ?? after
    const wanted = events.filter(
      (event) => (instanceId === undefined || event.instanceId === instanceId) && wants(request, event),
    )
    if (wanted.length > 0) yield wanted.map((event) => toText(accountId, event)).join('')
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
