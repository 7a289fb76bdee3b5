// Saving sessions on PostgreSQL: a batch of writes in one statement, each applied only while its fencing token is current.
import { type PostgresOperation, prepared } from '../store/engines/postgres/statement.ts'
import { lastOfEach } from './session-store.ts'

/** A single statement needs no explicit transaction: one round trip, and no lock is held between statements. */
const SAVE_SESSIONS = prepared(
  'save_sessions',
  `with owned as (
    select id, fence from instances where id = any($1::bigint[]) and deleted_at is null order by id for share
  ), keys as (
    select keys.* from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bytea[])
      as keys (instance_id, fence, kind, name, sealed)
    join owned on owned.id = keys.instance_id and owned.fence = keys.fence
  ), arrived as (
    select arrived.* from unnest($7::bigint[], $8::bigint[], $9::text[], $10::bytea[], $11::bigint[])
      as arrived (instance_id, fence, name, sealed, received_at)
    join owned on owned.id = arrived.instance_id and owned.fence = arrived.fence
  ), gone as (
    delete from session_keys using keys where keys.sealed is null and session_keys.instance_id = keys.instance_id
      and session_keys.kind = keys.kind and session_keys.name = keys.name
  ), kept as (
    insert into session_keys (instance_id, kind, name, sealed)
    select instance_id, kind, name, sealed from keys where sealed is not null order by instance_id, kind, name
    on conflict (instance_id, kind, name) do update set sealed = excluded.sealed
  ), received as (
    insert into inbox (instance_id, name, sealed, received_at)
    select instance_id, name, sealed, received_at from arrived
    on conflict (instance_id, name) do nothing
  )
  select id, fence from owned`,
)

export const saveSession: PostgresOperation<'saveSession'> = async (client, writes) => {
  const keys = lastOfEach(writes)
  const arrivals = writes.flatMap(({ instanceId, fence, arrivals: list }) =>
    list.map((arrival) => ({ ...arrival, instanceId, fence })),
  )
  const { rows } = await client.query<{ id: number; fence: number }>(
    SAVE_SESSIONS([
      [...new Set(writes.map((write) => write.instanceId))],
      keys.map((key) => key.instanceId),
      keys.map((key) => key.fence),
      keys.map((key) => key.kind),
      keys.map((key) => key.name),
      keys.map((key) => key.sealed),
      arrivals.map((arrival) => arrival.instanceId),
      arrivals.map((arrival) => arrival.fence),
      arrivals.map((arrival) => arrival.name),
      arrivals.map((arrival) => arrival.sealed),
      arrivals.map((arrival) => arrival.receivedAt),
    ]),
  )
  const fences = new Map(rows.map((row) => [row.id, row.fence]))
  return writes.map((write) => fences.get(write.instanceId) === write.fence)
}
