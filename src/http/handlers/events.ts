// The event log: read from a cursor, or followed as it grows.
import type { Deps } from '../../domain/deps.ts'
import type { EventFeed } from '../../domain/event-feed.ts'
import { listEvents, resolveCursor } from '../../domain/events.ts'
import { eventStream } from '../event-stream.ts'
import type { Handlers } from '../handler.ts'

export const eventHandlers = (deps: Deps, feed: EventFeed): Handlers<'listEvents' | 'streamEvents'> => ({
  async listEvents({ caller }, { query }) {
    const { events, hasMore, next } = await listEvents(deps, caller, query)
    return { success: true, count: events.length, hasMore, next, events }
  },
  async streamEvents(context, { query }) {
    const { caller, ended, recheck } = context
    // What the browser has seen counts more than where it once began.
    const cursor = context.header('last-event-id') || query.after
    const { instanceId, after } = await resolveCursor(deps, caller, { ...query, after: cursor })
    const chunks = eventStream({
      feed,
      accountId: caller.account.id,
      instanceId,
      events: query.events,
      after: cursor === undefined ? undefined : after,
      ended,
      recheck,
    })
    return { chunks, contentType: 'text/event-stream' }
  },
})
