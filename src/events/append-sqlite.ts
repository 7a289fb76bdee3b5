// The event log on SQLite: numbers, events and deliveries of a whole batch, inside the caller's transaction.

import type { Prepare } from '../store/engines/sqlite/hot-transaction.ts'
import { PASSES_FILTER, personColumns, ROUTE_COLUMNS, routeColumns } from './append-store.ts'
import type { NewEvent } from './rules-payloads.ts'

interface Counter {
  accountId: number
  /** The last number that was assigned. */
  last: number
}

export function appendEvents(prepare: Prepare, events: NewEvent[]): void {
  const sequences = countInstances(prepare, events)
  // Events of an instance whose row was deleted are dropped.
  const kept = events.filter(({ instanceId }) => sequences.has(instanceId))
  const accountOf = ({ instanceId }: NewEvent): number => sequences.get(instanceId)?.accountId as number
  for (const [accountId, own] of Map.groupBy(kept, accountOf)) {
    const before = reservePositions(prepare, accountId, own.length)
    for (const [index, event] of own.entries()) {
      const counter = sequences.get(event.instanceId) as Counter
      counter.last += 1
      insertEvent(prepare, event, { accountId, position: before + index + 1, sequence: counter.last })
    }
    insertDeliveries(prepare, accountId, before)
  }
}

function countInstances(prepare: Prepare, events: NewEvent[]): Map<number, Counter> {
  const counters = new Map<number, Counter>()
  for (const [instanceId, own] of Map.groupBy(events, (event) => event.instanceId)) {
    const row = prepare(
      'update instances set event_sequence = event_sequence + ? where id = ? returning account_id, event_sequence',
    ).get(own.length, instanceId)
    if (!row) continue
    counters.set(instanceId, {
      accountId: Number(row.account_id),
      last: Number(row.event_sequence) - own.length,
    })
  }
  return counters
}

/** Reserves positions in the account's log. Returns the last position before them. */
function reservePositions(prepare: Prepare, accountId: number, count: number): number {
  const row = prepare(
    'update accounts set event_position = event_position + ? where id = ? returning event_position',
  ).get(count, accountId)
  return Number(row?.event_position) - count
}

/** `chatIds` in SQL, for events of people: `?12` is the number of the person, or `?13` the lid. */
const NAMED_DATA = `case when ?12 is null and ?13 is null then ?6 else
  '{"number":' || json_quote(?12) || ',"lid":' || json_quote(known.lid)
  || ',"username":' || json_quote((select username from usernames where instance_id = ?3 and lid = known.lid))
  || ',"groupJid":null,' || substr(?6, 2) end`
const KNOWN_LID = `select coalesce(?13, (select lid from addresses where instance_id = ?3 and phone = ?12
  order by updated_at desc limit 1)) as lid`

function insertEvent(
  prepare: Prepare,
  event: NewEvent,
  { accountId, position, sequence }: { accountId: number; position: number; sequence: number },
): void {
  const { instanceId, name, data, createdAt } = event
  const { chat_kind: chatKind, direction, sender, historical } = routeColumns(event)
  const { phone, lid } = personColumns(event)
  prepare(
    `insert into events (account_id, position, instance_id, sequence, name, data, created_at, ${ROUTE_COLUMNS})
     select ?1, ?2, ?3, ?4, ?5, ${NAMED_DATA}, ?7, ?8, ?9, ?10, ?11 from (${KNOWN_LID}) as known`,
  ).run(
    accountId,
    position,
    instanceId,
    sequence,
    name,
    data,
    createdAt,
    chatKind,
    direction,
    sender,
    historical,
    phone,
    lid,
  )
}

/**
 * The fan-out rule in SQL: the account's events after position `?2`, each with the webhooks that want it. The join starts from the
 * webhooks, because most accounts have few or none. Names of events contain no character that is special to `like`.
 */
const FAN_OUT = `from webhooks cross join events
  where webhooks.account_id = ?1 and enabled = 1 and events.account_id = ?1 and position > ?2
    and (webhooks.instance_id is null or webhooks.instance_id = events.instance_id)
    and (webhooks.events like '%"*"%' or webhooks.events like '%"' || events.name || '"%')
    and ${PASSES_FILTER}`

function insertDeliveries(prepare: Prepare, accountId: number, before: number): void {
  const { changes } = prepare(
    `insert into deliveries (webhook_id, account_id, instance_id, position, status, created_at, updated_at)
     select webhooks.id, events.account_id, events.instance_id, position, 'pending', events.created_at, events.created_at
     ${FAN_OUT} order by position, webhooks.id`,
  ).run(accountId, before)
  if (Number(changes) === 0) return
  prepare(
    `insert into delivery_lanes (webhook_id, instance_id, due_at)
     select webhooks.id, events.instance_id, min(events.created_at) ${FAN_OUT} group by webhooks.id, events.instance_id
     on conflict (webhook_id, instance_id) do update set due_at = coalesce(due_at, excluded.due_at)`,
  ).run(accountId, before)
}
