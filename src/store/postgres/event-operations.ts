// The event log on PostgreSQL: numbers, events and deliveries of a whole batch in one statement.
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { NewEvent } from '../event-log.ts'
import type { Db } from '../tables.ts'

/**
 * The end of a statement that has `given`, the events with their place in the batch, and `numbered`, the instances with the
 * sequence they had before. Instances are locked before accounts, as everywhere. It is the last statement of its transaction
 * wherever that can be: the account's row is what its instances share, and is held until the commit.
 */
export const WRITE_EVENTS = `
  per_account as (
    select account_id, sum(added)::bigint as added from numbered group by account_id
  ), placed as (
    update accounts set event_position = event_position + added
    from per_account where accounts.id = per_account.account_id
    returning accounts.id, event_position - added as before
  ), appended as (
    insert into events (account_id, position, instance_id, sequence, name, data, created_at)
    select placed.id, placed.before + row_number() over (partition by placed.id order by place),
      numbered.id, numbered.before + row_number() over (partition by numbered.id order by place),
      name, data, created_at
    from given join numbered on numbered.id = given.instance_id join placed on placed.id = numbered.account_id
    returning account_id, position, instance_id, name, created_at
  ), wanted as (
    insert into deliveries (webhook_id, account_id, instance_id, position, status, created_at, updated_at)
    select webhooks.id, appended.account_id, appended.instance_id, position, 'pending',
      appended.created_at, appended.created_at
    from appended join webhooks on webhooks.account_id = appended.account_id and enabled = 1
      and (webhooks.instance_id is null or webhooks.instance_id = appended.instance_id)
      and (events like '%"*"%' or events like '%"' || appended.name || '"%')
    order by appended.account_id, position, webhooks.id
    returning webhook_id, instance_id, created_at
  )
  insert into delivery_lanes (webhook_id, instance_id, due_at)
  select webhook_id, instance_id, min(created_at) from wanted
  group by webhook_id, instance_id order by webhook_id, instance_id
  on conflict (webhook_id, instance_id) do update set due_at = coalesce(delivery_lanes.due_at, excluded.due_at)`

const APPEND_EVENTS = `
  with given as (
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) with ordinality
      as given (instance_id, name, data, created_at, place)
  ), per_instance as (
    select instance_id, count(*) as added from given group by instance_id
  ), numbered as (
    update instances set event_sequence = event_sequence + added
    from per_instance where instances.id = per_instance.instance_id
    returning instances.id, account_id, event_sequence - added as before, added
  ), ${WRITE_EVENTS}`

const appendParameters = (events: NewEvent[]): unknown[] => [
  events.map((event) => event.instanceId),
  events.map((event) => event.name),
  events.map((event) => event.data),
  events.map((event) => event.createdAt),
]

/** Inside a transaction of the query builder. */
export async function appendWithin(tx: Db, events: NewEvent[]): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(APPEND_EVENTS, appendParameters(events)))
}

export async function appendEvents(client: Pick<pg.PoolClient, 'query'>, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  // Named, so that the server plans it once per connection.
  await client.query({ name: 'append_events', text: APPEND_EVENTS, values: appendParameters(events) })
}
