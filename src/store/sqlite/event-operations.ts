// The event log on SQLite: numbers, event and deliveries, statement by statement inside the caller's transaction.
import type { NewEvent } from '../event-log.ts'
import type { Prepare } from './worker.ts'

export function appendEvents(prepare: Prepare, events: NewEvent[]): void {
  for (const event of events) appendEvent(prepare, event)
}

function appendEvent(prepare: Prepare, { instanceId, name, data, createdAt }: NewEvent): void {
  const instance = prepare(
    'update instances set event_sequence = event_sequence + 1 where id = ? returning account_id, event_sequence',
  ).get(instanceId)
  if (!instance) return
  const accountId = Number(instance.account_id)
  const account = prepare(
    'update accounts set event_position = event_position + 1 where id = ? returning event_position',
  ).get(accountId)
  const position = Number(account?.event_position)
  prepare(
    `insert into events (account_id, position, instance_id, sequence, name, data, created_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
  ).run(accountId, position, instanceId, Number(instance.event_sequence), name, data, createdAt)
  const { changes } = prepare(
    `insert into deliveries (webhook_id, account_id, instance_id, position, status, created_at, updated_at)
     select id, ?1, ?2, ?5, 'pending', ?4, ?4 from webhooks where ${WANTS_EVENT} order by id`,
  ).run(accountId, instanceId, name, createdAt, position)
  if (Number(changes) === 0) return
  prepare(
    `insert into delivery_lanes (webhook_id, instance_id, due_at)
     select id, ?2, ?4 from webhooks where ${WANTS_EVENT}
     on conflict (webhook_id, instance_id) do update set due_at = coalesce(due_at, excluded.due_at)`,
  ).run(accountId, instanceId, name, createdAt)
}

/** Names of events contain nothing that `like` takes for a pattern. */
const WANTS_EVENT = `account_id = ?1 and enabled = 1 and (instance_id is null or instance_id = ?2)
  and (events like '%"*"%' or events like '%"' || ?3 || '"%')`
