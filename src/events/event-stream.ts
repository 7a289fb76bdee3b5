// Server-sent events: the live event log as text, with comments as keep-alive.
import { type EventFilter, matches } from './events.ts'
import type { LiveEventReader, LiveEvents, StreamedEvent } from './live-events.ts'
import { eventId } from './rules.ts'

/** How long a browser waits before it reconnects. */
const RETRY_MS = 2000

export interface StreamRequest extends Pick<EventFilter, 'events'> {
  liveEvents: LiveEvents
  accountId: number
  /** Those that the caller can see. */
  inside(events: StreamedEvent[]): Promise<StreamedEvent[]>
  instanceId: number | undefined
  /** Undefined: only new events. */
  after: number | undefined
  ended: AbortSignal
  /** Throws when the caller has lost access. */
  recheck(): Promise<void>
}

export async function* eventStream(request: StreamRequest): AsyncGenerator<string> {
  const reader = await request.liveEvents.follow(request.accountId, request.ended)
  // Read before the first chunk: once a client has that, it gets every later event.
  const after = request.after ?? reader.head()
  try {
    yield `retry: ${RETRY_MS}\n\n`
    yield* readEvents(request, reader, after)
  } finally {
    reader.close()
  }
}

async function* readEvents(
  request: StreamRequest,
  reader: LiveEventReader,
  start: number,
): AsyncGenerator<string> {
  const { accountId, instanceId, ended } = request
  for (let after = start; !ended.aborted; ) {
    const events = await reader.next(after)
    if (ended.aborted || (await hasLostAccess(request))) return
    if (events.length === 0) yield ': nothing new\n\n'
    after = events.at(-1)?.position ?? after
    const wanted = await request.inside(
      events.filter(
        (event) => (instanceId === undefined || event.instanceId === instanceId) && matches(request, event),
      ),
    )
    if (wanted.length > 0) yield wanted.map((event) => toText(accountId, event)).join('')
  }
}

/** After a revoked key or an ended subscription the stream ends; the next request is refused with the reason. */
const hasLostAccess = (request: StreamRequest): Promise<boolean> =>
  request.recheck().then(
    () => false,
    () => true,
  )

/** JSON contains no line breaks, so each event is one line of data. */
const toText = (accountId: number, { position, name, json }: StreamedEvent): string =>
  `id: ${eventId(accountId, position)}\nevent: ${name}\ndata: ${json}\n\n`
