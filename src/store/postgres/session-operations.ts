// Session keys on PostgreSQL: a batch of sessions' writes in a few set-based statements, each only while its fence holds.
import type pg from 'pg'
import type { SealedKey, SessionWrite } from '../session-keys.ts'

type Client = Pick<pg.PoolClient, 'query'>

export async function saveSessions(client: Client, writes: SessionWrite[]): Promise<boolean[]> {
  const ids = [...new Set(writes.map((write) => write.instanceId))]
  const { rows } = await client.query<{ id: number; fence: number }>(
    'select id, fence from instances where id = any($1::bigint[]) and deleted_at is null order by id for share',
    [ids],
  )
  const fences = new Map(rows.map((row) => [row.id, row.fence]))
  const owned = writes.map((write) => fences.get(write.instanceId) === write.fence)
  const allowed = writes.filter((_write, index) => owned[index])
  await writeKeys(client, allowed)
  await writeArrivals(client, allowed)
  return owned
}

async function writeKeys(client: Client, writes: SessionWrite[]): Promise<void> {
  // A key that two writes of the batch set is written once, as the later one has it.
  const last = new Map<string, SealedKey & { instanceId: number }>()
  for (const { instanceId, keys } of writes) {
    for (const key of keys) last.set(`${instanceId}\0${key.kind}\0${key.name}`, { ...key, instanceId })
  }
  const all = [...last.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
  const kept = all.filter((key) => key.sealed !== null)
  const gone = all.filter((key) => key.sealed === null)
  const place = (keys: typeof all) => [
    keys.map((key) => key.instanceId),
    keys.map((key) => key.kind),
    keys.map((key) => key.name),
  ]
  if (gone.length > 0) {
    await client.query(
      `delete from session_keys where (instance_id, kind, name) in
         (select * from unnest($1::bigint[], $2::text[], $3::text[]))`,
      place(gone),
    )
  }
  if (kept.length > 0) {
    await client.query(
      `insert into session_keys (instance_id, kind, name, sealed)
       select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[])
       on conflict (instance_id, kind, name) do update set sealed = excluded.sealed`,
      [...place(kept), kept.map((key) => key.sealed)],
    )
  }
}

async function writeArrivals(client: Client, writes: SessionWrite[]): Promise<void> {
  const arrivals = writes.flatMap(({ instanceId, arrivals: list }) =>
    list.map((arrival) => ({ ...arrival, instanceId })),
  )
  if (arrivals.length === 0) return
  await client.query(
    `insert into inbox (instance_id, name, sealed, received_at)
     select * from unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[])
     on conflict (instance_id, name) do nothing`,
    [
      arrivals.map((arrival) => arrival.instanceId),
      arrivals.map((arrival) => arrival.name),
      arrivals.map((arrival) => arrival.sealed),
      arrivals.map((arrival) => arrival.receivedAt),
    ],
  )
}
