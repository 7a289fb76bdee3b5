// The event log: what an event looks like from outside, and reading it from a cursor (decisions 8).
import { EVENT_ID, type Event, type EventName, LOG_END } from '../contract/events.ts'
import { invalidField } from '../errors.ts'
import * as rows from '../store/queries/events.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { requireInstance, toNames } from './instances.ts'
import { iso } from './time.ts'

type EventDeps = Pick<Deps, 'store'>

/** Made of what never changes, so that every try and every reading gives the same one. */
export const eventId = (accountId: number, position: number): string => `evt_${accountId}_${position}`

/** The body of a delivery. It is written from the row each time, and comes out the same each time. */
export const toEventBody = (row: rows.EventRow): Event =>
  ({
    id: eventId(row.account_id, row.position),
    event: row.name,
    timestamp: iso(row.created_at),
    sequence: row.sequence,
    instance: { id: row.instance_id, ...toNames(row) },
    data: JSON.parse(row.data) as unknown,
  }) as Event

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
  if (query.before !== undefined) return listEventsBack({ store }, caller, query, query.before)
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
  const page = found.slice(0, query.limit)
  const last = page.at(-1)?.position ?? after
  return {
    events: page.filter((row) => wants(query, row)).map(toEventBody),
    hasMore: found.length > query.limit,
    next: last === 0 ? null : eventId(accountId, last),
  }
}

/** The same log from its end, for whoever wants to see what happened last (decision 0052). */
async function listEventsBack({ store }: EventDeps, caller: Caller, query: EventQuery, before: string) {
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
  const page = found.slice(0, query.limit)
  const last = page.at(-1)?.position ?? position
  return {
    events: page.filter((row) => wants(query, row)).map(toEventBody),
    hasMore: found.length > query.limit,
    next: last === undefined ? null : eventId(accountId, last),
  }
}

function positionOf(field: string, id: string, accountId: number): number {
  const [, account, position] = EVENT_ID.exec(id) ?? []
  if (Number(account) !== accountId) throw invalidField(field, 'this is no event of the account')
  return Number(position)
}

export const wants = ({ events }: Pick<EventFilter, 'events'>, row: { name: string }): boolean =>
  events === undefined || events.includes(row.name as EventName)

/** Where to go on, as a position in the account's log; without a cursor, at its beginning. */
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
  if (instanceId === undefined) throw invalidField('after', 'a sequence needs instanceName beside it')
  return {
    instanceId,
    after: await rows.positionAt(store.db, { accountId, instanceId, sequence: Number(after) }),
  }
}
