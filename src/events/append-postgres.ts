// The event log on PostgreSQL: numbers, events and deliveries of a whole batch in one statement.
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { prepared, type QueryClient } from '../store/engines/postgres/statement.ts'
import type { Db } from '../store/tables.ts'
import { FILTER_COLUMNS, PASSES_FILTER, personColumns, ROUTE_COLUMNS, routeColumns } from './append-store.ts'
import type { NewEvent } from './rules-payloads.ts'

/** `chatIds` in SQL, for events of people: `person_phone` or `person_lid` of `given` is set. */
const NAMED_DATA = `case when person_phone is null and person_lid is null then data else
        '{"number":' || coalesce(to_json(person_phone)::text, 'null') || ',"lid":' || coalesce(to_json(known.lid)::text, 'null')
        || ',"username":' || coalesce(to_json(username)::text, 'null') || ',"groupJid":null,' || substr(data, 2) end`
const KNOWN_NAMES = `left join lateral (
        select coalesce(person_lid, (select lid from addresses
          where addresses.instance_id = given.instance_id and phone = person_phone
          order by updated_at desc limit 1)) as lid
      ) as known on true
      left join usernames on usernames.instance_id = given.instance_id and usernames.lid = known.lid`

/**
 * The end of a statement that defines `given`, the events with their ordinal in the batch, and `numbered`, the instances with the
 * sequence that they had before. `wanted` is the fan-out rule in SQL.
 *
 * Instances, accounts and webhooks are locked in the order of decision 0078, each by id; a webhook that is deleted at the same time
 * is skipped. If the events belong to several instances, `lockOwners` runs first. This is the last statement of its transaction where
 * possible: all instances of an account share the account's row, which stays locked until the commit.
 */
export const WRITE_EVENTS = `
  per_account as (
    select account_id, sum(added)::bigint as added from numbered group by account_id
  ), placed as (
    update accounts set event_position = event_position + added
    from per_account where accounts.id = per_account.account_id
    returning accounts.id, event_position - added as before
  ), appended as (
    insert into events (account_id, position, instance_id, sequence, name, data, created_at, ${ROUTE_COLUMNS})
    select placed.id, placed.before + row_number() over (partition by placed.id order by ordinal),
      numbered.id, numbered.before + row_number() over (partition by numbered.id order by ordinal),
      name, ${NAMED_DATA}, created_at, ${ROUTE_COLUMNS}
    from given join numbered on numbered.id = given.instance_id join placed on placed.id = numbered.account_id
      ${KNOWN_NAMES}
    returning account_id, position, instance_id, name, created_at, ${ROUTE_COLUMNS}
  ), hooks as materialized (
    select id, account_id, instance_id, events, ${FILTER_COLUMNS} from webhooks
    where account_id in (select id from placed) and enabled = 1 order by id for key share
  ), wanted as (
    insert into deliveries (webhook_id, account_id, instance_id, position, status, created_at, updated_at)
    select hooks.id, appended.account_id, appended.instance_id, position, 'pending',
      appended.created_at, appended.created_at
    from appended join hooks on hooks.account_id = appended.account_id
      and (hooks.instance_id is null or hooks.instance_id = appended.instance_id)
      and (events like '%"*"%' or events like '%"' || appended.name || '"%')
      and ${PASSES_FILTER}
    order by appended.account_id, position, hooks.id
    returning webhook_id, instance_id, created_at
  )
  insert into delivery_lanes (webhook_id, instance_id, due_at)
  select webhook_id, instance_id, min(created_at) from wanted
  group by webhook_id, instance_id order by webhook_id, instance_id
  on conflict (webhook_id, instance_id) do update set due_at = coalesce(delivery_lanes.due_at, excluded.due_at)`

const LOCK_OWNERS = `with owners as materialized (
    select id, account_id from instances where id = any($1::bigint[]) order by id for no key update
  )
  select id from accounts where id in (select account_id from owners) order by id for no key update`
const LOCK_BATCH = prepared('lock_owners', LOCK_OWNERS)

/**
 * Instances and their accounts, in the order of their ids, before the statement that updates them. Not in the same statement: its
 * update would visit the version of the row that was current when the statement began, and two such statements can wait for each
 * other.
 */
export async function lockOwners(client: QueryClient, instanceIds: readonly number[]): Promise<void> {
  await client.query(LOCK_BATCH([instanceIds]))
}

/** Undefined: there is one, and one row needs no order. */
const severalInstances = (events: NewEvent[]): number[] | undefined => {
  const ids = [...new Set(events.map(({ instanceId }) => instanceId))]
  return ids.length > 1 ? ids : undefined
}

const APPEND_EVENTS = `with given as (
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
      $8::bigint[], $9::text[], $10::text[]) with ordinality
      as given (instance_id, name, data, created_at, ${ROUTE_COLUMNS}, person_phone, person_lid, ordinal)
  ), per_instance as (
    select instance_id, count(*) as added from given group by instance_id
  ), numbered as (
    update instances set event_sequence = event_sequence + added
    from per_instance where instances.id = per_instance.instance_id
    returning instances.id, account_id, event_sequence - added as before, added
  ), ${WRITE_EVENTS}`

const APPEND_BATCH = prepared('append_events', APPEND_EVENTS)

const columnsOf = (events: NewEvent[]): unknown[] => [
  events.map((event) => event.instanceId),
  events.map((event) => event.name),
  events.map((event) => event.data),
  events.map((event) => event.createdAt),
  ...routeArrays(events.map(routeColumns)),
  events.map((event) => personColumns(event).phone),
  events.map((event) => personColumns(event).lid),
]

const routeArrays = (routes: ReturnType<typeof routeColumns>[]): unknown[][] => [
  routes.map((route) => route.chat_kind),
  routes.map((route) => route.direction),
  routes.map((route) => route.sender),
  routes.map((route) => route.historical),
]

/** Inside a transaction of the query builder. */
export async function appendWithin(tx: Db, events: NewEvent[]): Promise<void> {
  const several = severalInstances(events)
  if (several) await tx.executeQuery(CompiledQuery.raw(LOCK_OWNERS, [several]))
  await tx.executeQuery(CompiledQuery.raw(APPEND_EVENTS, columnsOf(events)))
}

/** Inside a transaction of hot operations. */
export async function appendEvents(client: QueryClient, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const several = severalInstances(events)
  if (several) await lockOwners(client, several)
  noteDeliveries(client, await client.query(APPEND_BATCH(columnsOf(events))))
}

/** The statement ends with the lanes of the deliveries that it has created. */
export function noteDeliveries(client: QueryClient, { rowCount }: Pick<pg.QueryResult, 'rowCount'>): void {
  if (rowCount !== null && rowCount > 0) client.hasDeliveries = true
}
