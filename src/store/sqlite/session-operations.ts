// Session keys on SQLite: a batch of sessions' writes inside one transaction, each only while its fence holds.
import type { SessionWrite } from '../session-keys.ts'
import type { Prepare } from './worker.ts'

export function saveSessions(prepare: Prepare, writes: SessionWrite[]): boolean[] {
  return writes.map((write) => {
    const owned = prepare('select 1 from instances where id = ? and fence = ? and deleted_at is null').get(
      write.instanceId,
      write.fence,
    )
    if (!owned) return false
    for (const { kind, name, sealed } of write.keys) {
      if (sealed === null) {
        prepare('delete from session_keys where instance_id = ? and kind = ? and name = ?').run(
          write.instanceId,
          kind,
          name,
        )
      } else {
        prepare(
          `insert into session_keys (instance_id, kind, name, sealed) values (?, ?, ?, ?)
           on conflict (instance_id, kind, name) do update set sealed = excluded.sealed`,
        ).run(write.instanceId, kind, name, sealed)
      }
    }
    for (const { name, sealed, receivedAt } of write.arrivals) {
      prepare('insert or ignore into inbox (instance_id, name, sealed, received_at) values (?, ?, ?, ?)').run(
        write.instanceId,
        name,
        sealed,
        receivedAt,
      )
    }
    return true
  })
}
