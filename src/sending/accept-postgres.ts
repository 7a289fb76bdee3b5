// Accepting sends on PostgreSQL: a handful of set-based statements per batch, however large it is.
import type pg from 'pg'
import { lockOwners, noteDeliveries, WRITE_EVENTS } from '../events/append-postgres.ts'
import { chatKindOf } from '../events/rules-route.ts'
import { isLid } from '../network/jid.ts'
import { type PostgresOperation, prepared, type QueryClient } from '../store/engines/postgres/statement.ts'
import {
  type AcceptBatch,
  acceptedEvent,
  acceptInBatch,
  type InstanceColumns,
  idempotencyKey,
  keyResource,
  keyUsageKey,
  laneKey,
  type SendToAccept,
  toBatchInstance,
  usageKey,
} from './outbox.ts'
import { firstStatus, IDEMPOTENCY_TTL_MS, type KeyTerms } from './rules.ts'

/** Begins the transaction itself, in the round trip that reads the first facts. */
export const acceptSend: PostgresOperation<'acceptSend'> = async (client, sends) => {
  const { instances, used } = await beginWithFacts(client, sends)
  await loadKeyUsage(client, sends, instances, used)
  const batch: AcceptBatch = { instances, used, answers: await loadAnswers(client, sends) }
  const outcomes = sends.map((send) => acceptInBatch(send, batch))
  const accepted = sends.filter((_send, index) => outcomes[index]?.outcome === 'accepted')
  await noteKeys(client, accepted)
  if (accepted.length > 0) await insertMessages(client, accepted, batch)
  return outcomes
}

interface UsageColumns {
  account_id: number
  period: number
  used: number
}

/**
 * Instances first, then usage, each locked in the order of its key, so that two transactions never wait for each other. Several
 * statements in one round trip take no parameters: the text contains only integers, which are checked.
 */
async function beginWithFacts(
  client: QueryClient,
  sends: SendToAccept[],
): Promise<Pick<AcceptBatch, 'instances' | 'used'>> {
  const periods = distinctPeriods(sends)
  const pairs = periods.map((send) => `(${integer(send.accountId)}, ${integer(send.period)})`).join(', ')
  const ids = distinct(sends.map((send) => send.instanceId)).map(integer)
  const lockUsage = `select account_id, period, used from usage
    where resource = 'messages' and (account_id, period) in (${pairs}) order by account_id, period for update`
  const [, instances, known] = (await client.query(
    `begin;
     select id, logged_in, queued_count, scheduled_count, number, lid, profile_name, node_id from instances
       where id in (${ids.join(', ')}) and deleted_at is null order by id for no key update;
     ${lockUsage}`,
  )) as unknown as [unknown, pg.QueryResult<InstanceColumns & { id: number }>, pg.QueryResult<UsageColumns>]
  const usage =
    known.rows.length === periods.length ? known : await insertUsage(client, sends, instances.rows, lockUsage)
  return {
    instances: new Map(instances.rows.map((row) => [row.id, toBatchInstance(row)])),
    used: new Map(
      usage.rows.map((row) => [usageKey({ accountId: row.account_id, period: row.period }), row.used]),
    ),
  }
}

type KeySend = SendToAccept & { key: KeyTerms }
const ofKeys = (sends: SendToAccept[]): KeySend[] =>
  sends.filter((send): send is KeySend => send.key !== undefined)

/** Locked after the usage of accounts, in the order of the keys. Only keys with a wall around sends cost these round trips. */
async function loadKeyUsage(
  client: QueryClient,
  sends: SendToAccept[],
  instances: AcceptBatch['instances'],
  used: AcceptBatch['used'],
): Promise<void> {
  const known = ofKeys(sends).filter(({ instanceId }) => instances.has(instanceId))
  const first = [...new Map(known.map((send) => [keyUsageKey(send.key), send])).values()]
  if (first.length === 0) return
  const values = [
    first.map((send) => send.accountId),
    first.map((send) => keyResource(send.key)),
    first.map((send) => send.key.day),
  ]
  await client.query(
    `insert into usage (account_id, resource, period, used)
     select account_id, resource, period, 0 from unnest($1::bigint[], $2::text[], $3::bigint[])
       as wanted (account_id, resource, period)
     order by account_id, resource, period on conflict (account_id, resource, period) do nothing`,
    values,
  )
  const { rows } = await client.query<{ resource: string; period: number; used: number }>(
    `select resource, period, used from usage where (account_id, resource, period) in (
       select * from unnest($1::bigint[], $2::text[], $3::bigint[]))
     order by account_id, resource, period for update`,
    values,
  )
  for (const row of rows) used.set(`${row.resource}:${row.period}`, row.used)
}

/** Counts the sends of keys with a wall around sends, and notes those that wait for approval. */
async function noteKeys(client: QueryClient, accepted: SendToAccept[]): Promise<void> {
  const sends = ofKeys(accepted)
  if (sends.length === 0) return
  await client.query(
    `update usage set used = used + added.count
     from (select account_id, resource, period, sum(sends) as count
       from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as sent (account_id, resource, period, sends)
       group by account_id, resource, period) as added
     where usage.account_id = added.account_id and usage.resource = added.resource and usage.period = added.period`,
    [
      sends.map((send) => send.accountId),
      sends.map((send) => keyResource(send.key)),
      sends.map((send) => send.key.day),
      sends.map((send) => send.sends),
    ],
  )
  const waiting = sends.filter(({ key }) => key.approveBy !== null)
  if (waiting.length === 0) return
  await client.query(
    `insert into approvals
       (instance_id, message_id, account_id, key_id, requested_at, expires_at, question_id, code, ask_at)
     select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
       $8::text[], $9::bigint[])`,
    [
      waiting.map((send) => send.instanceId),
      waiting.map((send) => send.messageId),
      waiting.map((send) => send.accountId),
      waiting.map((send) => send.key.id),
      waiting.map((send) => send.createdAt),
      waiting.map((send) => send.key.approveBy),
      waiting.map((send) => send.key.question?.id ?? null),
      waiting.map((send) => send.key.question?.code ?? null),
      waiting.map((send) => (send.key.question ? send.createdAt : null)),
    ],
  )
  await holdFiles(client, waiting)
}

/** The files that were fetched for these sends belong to them from now on. No other transaction changes such a row. */
async function holdFiles(client: QueryClient, waiting: KeySend[]): Promise<void> {
  const files = waiting.flatMap(({ held, instanceId, messageId }) =>
    (held?.uploadIds ?? []).map((id) => ({ id, instanceId, messageId, until: held?.until })),
  )
  if (files.length === 0) return
  await client.query(
    `update media_uploads set held_instance_id = held.instance_id, held_message_id = held.message_id, kept_until = held.until
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) as held (id, instance_id, message_id, until)
     where media_uploads.id = held.id`,
    [
      files.map(({ id }) => id),
      files.map(({ instanceId }) => instanceId),
      files.map(({ messageId }) => messageId),
      files.map(({ until }) => until),
    ],
  )
}

/** The first send of a period inserts its row, unless another process did so meanwhile. */
async function insertUsage(
  client: QueryClient,
  sends: SendToAccept[],
  instances: { id: number }[],
  lockUsage: string,
): Promise<pg.QueryResult<UsageColumns>> {
  // A deleted account has no instance: its send must be refused, and not fail because of the missing account.
  const living = new Set(instances.map((row) => row.id))
  const wanted = distinctPeriods(sends.filter((send) => living.has(send.instanceId)))
  await client.query(
    `insert into usage (account_id, resource, period, used)
     select account_id, 'messages', period, 0 from unnest($1::bigint[], $2::bigint[]) as wanted (account_id, period)
     order by account_id, period on conflict (account_id, resource, period) do nothing`,
    [wanted.map((send) => send.accountId), wanted.map((send) => send.period)],
  )
  return client.query<UsageColumns>(lockUsage)
}

/** One send of each account and period. */
const distinctPeriods = (sends: SendToAccept[]): SendToAccept[] => [
  ...new Map(sends.map((send) => [usageKey(send), send])).values(),
]

function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`)
  return value
}

async function loadAnswers(client: QueryClient, sends: SendToAccept[]): Promise<AcceptBatch['answers']> {
  const keyed = sends.filter((send) => send.idempotency !== null)
  if (keyed.length === 0) return new Map()
  const { rows } = await client.query<{
    account_id: number
    key: string
    fingerprint: string
    answer: string
  }>(
    `select known.account_id, known.key, fingerprint, answer from idempotency_keys as known
     join unnest($1::bigint[], $2::text[], $3::bigint[]) as wanted (account_id, key, oldest)
       on known.account_id = wanted.account_id and known.key = wanted.key and known.created_at > wanted.oldest`,
    [
      keyed.map((send) => send.accountId),
      keyed.map((send) => send.idempotency?.key),
      keyed.map((send) => send.createdAt - IDEMPOTENCY_TTL_MS),
    ],
  )
  return new Map(rows.map((row) => [idempotencyKey(row.account_id, row.key), row]))
}

/**
 * Lanes, messages, events, counters and answers in one statement: most of what a batch costs is its round trips. `place` counts the
 * sends of the batch that share a lane, and gives each its number in the lane. `lanes.kind` is a column without a reader.
 */
const INSERT_SENDS = prepared(
  'insert_sends',
  `with sent as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::bigint[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[], $15::text[],
      $16::text[], $17::text[], $18::bigint[], $19::bigint[], $20::integer[], $21::text[], $22::text[], $23::text[], $24::text[])
      with ordinality
      as sent (id, account_id, instance_id, chat, number, group_jid, kind, content, delay_ms, lane, ordinal, created_at,
        period, idempotency_key, fingerprint, answer, event, send_at, expires_at, counted, chat_kind, person_lid, status,
        reference, ordinal_in_batch)
  ), lane_counts as (
    select lane, min(instance_id) as instance_id, min(created_at) as due_at, count(*) as added
    from sent where lane is not null group by lane order by lane
  ), taken as (
    insert into lanes (key, instance_id, due_at, last_seq)
    select lane, instance_id, due_at, added from lane_counts
    on conflict (key) do update
      set last_seq = lanes.last_seq + excluded.last_seq, due_at = coalesce(lanes.due_at, excluded.due_at)
    returning key, last_seq
  ), given as (
    select instance_id, 'messages.upsert' as name, event as data, created_at, chat_kind, 'outgoing' as direction,
      null::text as sender, 0::bigint as historical, number as person_phone, person_lid, ordinal_in_batch as ordinal
    from sent
  ), numbered as (
    update instances set queued_count = queued_count + queued, scheduled_count = scheduled_count + added - queued,
      event_sequence = event_sequence + added
    from (select instance_id, count(*) as added, count(lane) as queued from sent group by instance_id) as per_instance
    where instances.id = per_instance.instance_id
    returning instances.id, account_id, event_sequence - added as before, added
  ), counted as (
    update usage set used = used + added.count
    from (select account_id, period, sum(counted) as count from sent group by account_id, period) as added
    where usage.account_id = added.account_id and usage.resource = 'messages' and usage.period = added.period
  ), answered as (
    insert into idempotency_keys (account_id, key, fingerprint, answer, created_at)
    select account_id, idempotency_key, fingerprint, answer, created_at from sent where idempotency_key is not null
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
  ), kept as (
    insert into messages (id, account_id, instance_id, direction, chat, number, group_jid, kind, content, delay_ms,
      status, lane, lane_seq, created_at, updated_at, send_at, expires_at, reference)
    select id, account_id, sent.instance_id, 'outgoing', chat, number, group_jid, kind, content, delay_ms,
      sent.status, sent.lane,
      taken.last_seq - lane_counts.added + sent.ordinal, created_at, created_at, send_at, expires_at,
      reference
    from sent left join lane_counts on lane_counts.lane = sent.lane left join taken on taken.key = sent.lane
    order by ordinal_in_batch
  ), ${WRITE_EVENTS}`,
)

async function insertMessages(client: QueryClient, sends: SendToAccept[], batch: AcceptBatch): Promise<void> {
  const column = (pick: (send: SendToAccept) => unknown) => sends.map(pick)
  const values = [
    column((send) => send.messageId),
    column((send) => send.accountId),
    column((send) => send.instanceId),
    column((send) => send.chat),
    column((send) => send.number),
    column((send) => send.groupJid),
    column((send) => send.kind),
    column((send) => send.content),
    column((send) => send.delayMs),
    column(laneOf),
    laneOrdinals(sends),
    column((send) => send.createdAt),
    column((send) => send.period),
    column((send) => send.idempotency?.key ?? null),
    column((send) => send.idempotency?.fingerprint ?? null),
    column((send) => send.idempotency?.answer ?? null),
    column((send) => acceptedEvent(send, batch).data),
    column((send) => send.sendAt),
    column((send) => send.expiresAt),
    column((send) => send.messages),
    column((send) => chatKindOf(send.chat)),
    column((send) => (isLid(send.chat) ? send.chat : null)),
    column(firstStatus),
    column((send) => send.reference),
  ]
  if (distinct(sends.map((send) => send.accountId)).length > 1)
    await lockOwners(client, distinct(sends.map((send) => send.instanceId)))
  noteDeliveries(client, await client.query(INSERT_SENDS(values)))
}

/** Null: a scheduled message enters its lane when it is due, and one that waits for approval with it. */
const laneOf = (send: SendToAccept): string | null => (firstStatus(send) === 'queued' ? laneKey(send) : null)

/** For each send, the number of sends of the batch in its lane up to and including it. */
function laneOrdinals(sends: SendToAccept[]): number[] {
  const ordinals = new Map<string | null, number>()
  return sends.map((send) => {
    const ordinal = (ordinals.get(laneOf(send)) ?? 0) + 1
    ordinals.set(laneOf(send), ordinal)
    return ordinal
  })
}

function distinct<T>(values: T[]): T[] {
  return [...new Set(values)]
}
