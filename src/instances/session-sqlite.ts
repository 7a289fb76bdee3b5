// Saving sessions on SQLite: each write is applied only while its fencing token is current.
import type { Prepare, SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
import { lastOfEach, type OwnedKey, type SealedArrival, type SessionWrite } from './session-store.ts'

export const saveSession: SqliteOperation<'saveSession'> = ({ prepare }, writes) => {
  const fences = fencesOf(prepare, writes)
  const isCurrent = ({ instanceId, fence }: SessionWrite): boolean => fences.get(instanceId) === fence
  const current = writes.filter(isCurrent)
  for (const key of lastOfEach(current)) writeKey(prepare, key)
  for (const { instanceId, arrivals } of current)
    for (const arrival of arrivals) insertArrival(prepare, instanceId, arrival)
  return writes.map(isCurrent)
}

function fencesOf(prepare: Prepare, writes: SessionWrite[]): Map<number, number> {
  const instanceIds = new Set(writes.map(({ instanceId }) => instanceId))
  const rows = [...instanceIds].flatMap((id) =>
    prepare('select id, fence from instances where id = ? and deleted_at is null').all(id),
  )
  return new Map(rows.map(({ id, fence }) => [Number(id), Number(fence)]))
}

function writeKey(prepare: Prepare, { instanceId, kind, name, sealed }: OwnedKey): void {
  if (sealed === null) {
    const remove = prepare('delete from session_keys where instance_id = ? and kind = ? and name = ?')
    remove.run(instanceId, kind, name)
    return
  }
  prepare(
    `insert into session_keys (instance_id, kind, name, sealed) values (?, ?, ?, ?)
     on conflict (instance_id, kind, name) do update set sealed = excluded.sealed`,
  ).run(instanceId, kind, name, sealed)
}

function insertArrival(
  prepare: Prepare,
  instanceId: number,
  { name, sealed, receivedAt }: SealedArrival,
): void {
  prepare('insert or ignore into inbox (instance_id, name, sealed, received_at) values (?, ?, ?, ?)').run(
    instanceId,
    name,
    sealed,
    receivedAt,
  )
}
