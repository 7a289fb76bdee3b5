// The event log: read from a cursor, or streamed live.
import type { Deps } from '../context.ts'
import type { Handlers } from '../request-handler.ts'
import { eventStream } from './event-stream.ts'
import { listEvents, resolveCursor, streamedInside } from './events.ts'
import type { LiveEvents } from './live-events.ts'

export interface EventDeps extends Pick<Deps, 'store'> {
  liveEvents: LiveEvents
}

export const eventHandlers = ({ store, liveEvents }: EventDeps) =>
  ({
    async listEvents({ caller }, { query }) {
      const { events, hasMore, next } = await listEvents({ store }, caller, query)
      return { count: events.length, hasMore, next, events }
    },
    async streamEvents(context, { query }) {
      const { caller, ended, recheck } = context
      // When a browser reconnects, the last event it has seen replaces the cursor of the URL.
      const cursor = context.header('last-event-id') || query.after
      const { instanceId, after } = await resolveCursor({ store }, caller, { ...query, after: cursor })
      const chunks = eventStream({
        liveEvents,
        accountId: caller.account.id,
        inside: (events) => streamedInside({ store }, caller, events),
        instanceId,
        events: query.events,
        after: cursor === undefined ? undefined : after,
        ended,
        recheck,
      })
      return { chunks, contentType: 'text/event-stream' }
    },
  }) satisfies Partial<Handlers>
