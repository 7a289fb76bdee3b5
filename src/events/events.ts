// Reads the event log of an account from a cursor, forwards or backwards (decisions 0035, 0052).

import type { Caller } from '../accounts/caller.ts'
import { eventsInside, seesAllEvents } from '../accounts/walls.ts'
import type { Deps } from '../context.ts'
import { EVENT_ID, type Event, type EventName, LOG_END } from '../contract/events.ts'
import { invalidField } from '../errors.ts'
import { requireInstance } from '../instances/instances.ts'
import { page } from '../kernel/page.ts'
import type { StreamedEvent } from './live-events.ts'
import * as rows from './queries.ts'
import { eventId, toEventBody } from './rules.ts'

type EventDeps = Pick<Deps, 'store'>

export interface EventFilter {
  instanceName?: string | undefined
  events?: EventName[] | undefined
}

export interface EventQuery extends EventFilter {
  after?: string | undefined
  before?: string | undefined
  limit: number
}

export async function listEvents({ store }: EventDeps, caller: Caller, query: EventQuery) {
  if (query.before !== undefined) return listEventsBackwards({ store }, caller, query, query.before)
  const { instanceId, after } = await resolveCursor({ store }, caller, query)
  const accountId = caller.account.id
  const limit = query.limit + 1
  const found =
    instanceId === undefined
      ? await rows.listEvents(store.db, { accountId, after, limit })
      : await rows.listInstanceEvents(store.db, {
          instanceId,
          after: await rows.sequenceAt(store.db, { accountId, instanceId, position: after }),
          limit,
        })
  const { items, hasMore } = page(found, query)
  const last = items.at(-1)?.position ?? after
  return {
    events: await visible({ store }, caller, query, items),
    hasMore,
    next: last === 0 ? null : eventId(accountId, last),
  }
}

/** From the end of the log, newest events first (decision 0052). */
async function listEventsBackwards({ store }: EventDeps, caller: Caller, query: EventQuery, before: string) {
  if (query.after !== undefined) throw invalidField('before', 'give either after or before')
  const accountId = caller.account.id
  const { instanceId } = await resolveCursor({ store }, caller, { instanceName: query.instanceName })
  const position = before === LOG_END ? undefined : positionOf('before', before, accountId)
  const limit = query.limit + 1
  const found =
    instanceId === undefined
      ? await rows.listEventsBefore(store.db, { accountId, before: position, limit })
      : await rows.listInstanceEventsBefore(store.db, {
          instanceId,
          before:
            position === undefined
              ? undefined
              : 1 + (await rows.sequenceAt(store.db, { accountId, instanceId, position: position - 1 })),
          limit,
        })
  const { items, hasMore } = page(found, query)
  const last = items.at(-1)?.position ?? position
  return {
    events: await visible({ store }, caller, query, items),
    hasMore,
    next: last === undefined ? null : eventId(accountId, last),
  }
}

/** The same for the live stream, whose events are already in their final form. */
export async function streamedInside(
  { store }: EventDeps,
  caller: Caller,
  events: StreamedEvent[],
): Promise<StreamedEvent[]> {
  if (seesAllEvents(caller)) return events
  const bodies = events.map((event) => ({ ...(JSON.parse(event.json) as Event), streamed: event }))
  return (await eventsInside(store.db, caller, bodies)).map(({ streamed }) => streamed)
}

/** The events that the filter and the key let pass. */
const visible = ({ store }: EventDeps, caller: Caller, query: EventQuery, items: rows.EventRow[]) =>
  eventsInside(store.db, caller, items.filter((row) => matches(query, row)).map(toEventBody))

function positionOf(field: string, id: string, accountId: number): number {
  const [, account, position] = EVENT_ID.exec(id) ?? []
  if (Number(account) !== accountId) throw invalidField(field, 'this is not an event of the account')
  return Number(position)
}

/** Whether the filter of event names lets the event pass. */
export const matches = ({ events }: Pick<EventFilter, 'events'>, row: { name: string }): boolean =>
  events === undefined || events.includes(row.name as EventName)

/** The position in the account's log after which to read; 0 without a cursor. */
export async function resolveCursor(
  { store }: EventDeps,
  caller: Caller,
  { instanceName, after }: Pick<EventQuery, 'instanceName' | 'after'>,
): Promise<{ instanceId: number | undefined; after: number }> {
  const accountId = caller.account.id
  const instance =
    instanceName === undefined ? undefined : await requireInstance({ store }, accountId, instanceName)
  const instanceId = instance?.id
  if (after === undefined) return { instanceId, after: 0 }
  if (!EVENT_ID.test(after) && !/^\d{1,15}$/.test(after))
    throw invalidField('after', 'expected the id of an event')
  if (EVENT_ID.test(after)) return { instanceId, after: positionOf('after', after, accountId) }
  if (instanceId === undefined) throw invalidField('after', 'a sequence number needs instanceName as well')
  return {
    instanceId,
    after: await rows.positionAt(store.db, { accountId, instanceId, sequence: Number(after) }),
  }
}
