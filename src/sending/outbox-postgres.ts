// The outbox on PostgreSQL: claims sends, settles them, and saves their payloads. A claim is two statements, however many lanes are due. They apply the lane-run rule in SQL.

import { CHAT_COLUMNS, chatUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { applyTextChange } from '../messages/text-change-postgres.ts'
import { GROUP_JID_PATTERN } from '../network/jid.ts'
import {
  type PostgresOperation,
  prepared,
  type QueryClient,
  type WithEvents,
} from '../store/engines/postgres/statement.ts'
import type { Row } from '../store/tables.ts'
import {
  type ClaimedColumns,
  type ClaimedSend,
  type ClaimRenewal,
  type ClaimRequest,
  DISAPPEARING,
  movesChat,
  type SettleRequest,
  sendingEvents,
  settledColumns,
  settledEvents,
  toClaimedSend,
} from './outbox.ts'

const HELD_LANES = `(select count(*) from lanes where instance_id = instances.id and locked_until > $1)`
const FREE_LANES = `select key, due_at from lanes where instance_id = instances.id and due_at <= $1
  and (locked_until is null or locked_until <= $1) order by due_at, key`

/** The instances that have a due lane and may have one more locked, longest due first. */
export const DUE_INSTANCES = `
  select instances.id from instances, lateral (${FREE_LANES} limit 1) as free
  where queued_count > 0 and state = 'open' and ($5::bigint is null or node_id = $5) and ${HELD_LANES} < $2 order by free.due_at, free.key limit $3`

/** `chooseLanes` in SQL. Instance by instance: one with a long queue costs no more than one with a short queue. */
const CLAIM_LANES = prepared(
  'claim_lanes',
  `with chosen as (
    select free.key from instances,
      lateral (${FREE_LANES} limit greatest(0, $2 - ${HELD_LANES})) as free
    where instances.id = any($6::bigint[]) and queued_count > 0 and state = 'open'
      and ($7::bigint is null or node_id = $7)
    order by free.due_at, free.key limit $3
  )
  update lanes set owner = $4, locked_until = $1 + $5, fence = fence + 1
  from chosen where lanes.key = chosen.key returning lanes.key, lanes.fence, lanes.due_at`,
)

/** `takeRun` in SQL: `halts` counts the messages so far that end a run. */
const CLAIM_RUNS = prepared(
  'claim_runs',
  `update messages set status = 'sending', tries = tries + 1, updated_at = $2
    from unnest($1::text[]) as claimed (key),
      lateral (
        select row_id, row_number() over (order by lane_seq) as ordinal,
          count(*) filter (where status <> 'queued' or delay_ms > 0) over (order by lane_seq) as halts
        from (select row_id, lane_seq, status, delay_ms from messages
              where lane = claimed.key and status in ('queued', 'sending') order by lane_seq limit $3) as waiting
      ) as run
    where messages.row_id = run.row_id and (run.ordinal = 1 or run.halts = 0)
    returning messages.lane, run.ordinal::integer as ordinal, messages.row_id, id, account_id, instance_id, chat,
      messages.kind, content, delay_ms, tries, created_at, send_at, expires_at,
      (select state_reason from instances where instances.id = messages.instance_id) as state_reason, ${DISAPPEARING}`,
)

/** A lock that has expired can be renewed as long as no other claim has taken the lane. */
const RENEW_CLAIMS = prepared(
  'renew_claims',
  `update lanes set locked_until = given.locked_until
   from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as given (lane, fence, locked_until, ordinal)
   where lanes.key = given.lane and lanes.fence = given.fence and lanes.locked_until is not null
   returning given.ordinal::integer as ordinal`,
)

interface ClaimedRow extends ClaimedColumns {
  lane: string
  ordinal: number
}

/** The caller's transaction has locked the instances: a claim at the same time would not see the renewal. */
export async function renewClaim(
  client: QueryClient,
  renewals: ClaimRenewal[],
): Promise<WithEvents<boolean>> {
  if (renewals.length === 0) return { outputs: [], events: [] }
  // Of two renewals of one lane in a batch the last one counts, for both.
  const last = new Map(renewals.map((renewal) => [`${renewal.fence} ${renewal.lane}`, renewal]))
  const given = [...last.values()]
  const { rows } = await client.query<{ ordinal: number }>(
    RENEW_CLAIMS([
      given.map(({ lane }) => lane),
      given.map(({ fence }) => fence),
      given.map(({ lockedUntil }) => lockedUntil),
    ]),
  )
  const renewed = new Set(rows.map(({ ordinal }) => given[ordinal - 1]))
  return {
    outputs: renewals.map(({ fence, lane }) => renewed.has(last.get(`${fence} ${lane}`))),
    events: [],
  }
}

/** The caller's transaction has locked the instances, so that their locked lanes can be counted. */
export async function claimSends(
  client: QueryClient,
  requests: ClaimRequest[],
  instanceIds: number[],
): Promise<WithEvents<ClaimedSend[]>> {
  const outputs: ClaimedSend[][] = []
  for (const request of requests) outputs.push(await claim(client, request, instanceIds))
  const events = outputs.flatMap((claimed, index) =>
    claimed.flatMap((send) => sendingEvents(send, (requests[index] as ClaimRequest).now)),
  )
  return { outputs, events }
}

async function claim(
  client: QueryClient,
  { owner, nodeId, now, lockMs, limit, perInstance, runLength }: ClaimRequest,
  instanceIds: number[],
): Promise<ClaimedSend[]> {
  if (instanceIds.length === 0) return []
  const { rows: lanes } = await client.query<{ key: string; fence: number; due_at: number }>(
    CLAIM_LANES([now, perInstance, limit, owner, lockMs, instanceIds, nodeId ?? null]),
  )
  if (lanes.length === 0) return []
  const keys = lanes.map((row) => row.key)
  const { rows } = await client.query<ClaimedRow>(CLAIM_RUNS([keys, now, runLength]))
  rows.sort((a, b) => a.ordinal - b.ordinal)
  const runs = Map.groupBy(rows, ({ lane }) => lane)
  const empty = keys.filter((key) => !runs.has(key))
  if (empty.length > 0) {
    // Every message of these lanes was cancelled: they rest until the next send.
    await client.query(
      'update lanes set due_at = null, locked_until = null, owner = null where key = any($1)',
      [empty],
    )
  }
  lanes.sort((a, b) => a.due_at - b.due_at || (a.key < b.key ? -1 : 1))
  return lanes.flatMap(({ key, fence }) => (runs.get(key) ?? []).map((row) => toClaimedSend(row, key, fence)))
}

// Settling: the outcomes of a batch of claimed messages, and the chats that they change, in one statement.

/** The end of an insert of chats: one that is stored shows its newest message. */
export const SHOW_LAST_MESSAGE = `on conflict (instance_id, jid) do update set
      last_message_text = case when coalesce(chats.last_message_at, 0) <= excluded.last_message_at
        then excluded.last_message_text else chats.last_message_text end,
      last_message_row_id = case when coalesce(chats.last_message_at, 0) <= excluded.last_message_at
        then excluded.last_message_row_id else chats.last_message_row_id end,
      last_message_deleted = case when coalesce(chats.last_message_at, 0) <= excluded.last_message_at
        then 0 else chats.last_message_deleted end,
      last_message_at = greatest(chats.last_message_at, excluded.last_message_at),
      active_at = greatest(chats.active_at, excluded.active_at), updated_at = excluded.updated_at
    returning ${CHAT_COLUMNS.join(', ')}`

/**
 * Applies `statusAfter` and `laneDueAt` of the settle-send rule. All parts of the statement see the rows as they were before it:
 * messages in `ended` still have their old status there, but no longer wait in their lane.
 */
const SETTLE_SENDS = prepared(
  'settle_sends',
  `with given as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
      $8::integer[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::text[], $14::boolean[], $15::boolean[]) with ordinality
      as given (lane, fence, instance_id, row_id, status, failure_reason, failure_error, failure_code, sent_at, now,
        due_at, chat, text, release, moves_chat, ordinal)
  ), owned as (
    select given.* from given join lanes on lanes.key = given.lane and lanes.fence = given.fence
      and lanes.locked_until is not null
    order by lanes.key for update of lanes
  ), changed as (
    update messages set status = owned.status, failure_reason = owned.failure_reason,
      failure_error = owned.failure_error, failure_code = owned.failure_code, sent_at = owned.sent_at,
      updated_at = owned.now
    from owned where messages.row_id = owned.row_id and messages.status in ('queued', 'sending')
    returning messages.row_id, messages.instance_id, owned.status
  ), counted as (
    update instances set queued_count = queued_count - gone.count
    from (select instance_id, count(*) as count from changed where status <> 'sending' group by instance_id) as gone
    where instances.id = gone.instance_id
  ), ended as (
    select lane, array_agg(row_id) as row_ids from owned where status <> 'sending' group by lane
  ), freed as (
    update lanes set locked_until = null, owner = null, due_at = case
      when exists (select 1 from messages where messages.lane = owned.lane and messages.status in ('queued', 'sending')
        and messages.row_id <> all(coalesce(ended.row_ids, '{}'))) then owned.due_at end
    from owned left join ended on ended.lane = owned.lane where lanes.key = owned.lane and owned.release
  ), updated_chats as (
    insert into chats (instance_id, jid, is_group, last_message_text, last_message_at, active_at, created_at, updated_at,
      disappearing_seconds, last_message_row_id)
    select distinct on (instance_id, chat) instance_id, chat, case when chat like '${GROUP_JID_PATTERN}' then 1 else 0 end, text, now,
      now, now, now,
      coalesce((select disappearing_seconds from groups where groups.instance_id = owned.instance_id and jid = chat), 0), row_id
    from owned join changed using (row_id, instance_id) where moves_chat order by instance_id, chat, ordinal desc
    ${SHOW_LAST_MESSAGE}
  )
  select owned.ordinal::integer as ordinal, changed.row_id is not null as has_changed, to_json(updated_chats) as chat
  from owned left join changed on changed.row_id = owned.row_id
    left join updated_chats on owned.moves_chat and updated_chats.instance_id = owned.instance_id and updated_chats.jid = owned.chat
  order by owned.ordinal`,
)

interface SettledRow {
  ordinal: number
  has_changed: boolean
  chat: Row<'chats'> | null
}

/** The caller's transaction has locked the instances. */
export async function settleSend(
  client: QueryClient,
  requests: SettleRequest[],
): Promise<WithEvents<boolean>> {
  if (requests.length === 0) return { outputs: [], events: [] }
  // A message that is settled twice in one batch is settled once.
  const seen = new Set<string>()
  const first = requests.filter(({ rowId, fence }) => seen.size !== seen.add(`${rowId} ${fence}`).size)
  const { rows } = await client.query<SettledRow>(SETTLE_SENDS(columnsOf(first)))
  const settled = rows.map(({ ordinal, has_changed: hasChanged, chat }) => ({
    hasChanged,
    chat,
    request: first[ordinal - 1] as SettleRequest,
  }))
  await renameChats(
    client,
    settled.map(({ request }) => request),
  )
  const chats = new Map(settled.map(({ chat, request }) => [chat?.id ?? null, { chat, at: request.now }]))
  const owned = new Set(settled.map(({ request }) => request))
  const edited: NewEvent[] = []
  for (const { hasChanged, request } of settled) {
    const { outcome, instanceId, now } = request
    if (hasChanged && outcome.kind === 'sent' && outcome.textChange)
      edited.push(...(await applyTextChange(client, { ...outcome.textChange, instanceId, now })))
  }
  return {
    outputs: requests.map((request) => owned.has(request)),
    events: [
      ...settled.flatMap(({ hasChanged, request }) => (hasChanged ? settledEvents(request) : [])),
      ...[...chats.values()].flatMap(({ chat, at }) => (chat ? [chatUpdate(chat, at)] : [])),
      ...edited,
    ],
  }
}

function columnsOf(requests: SettleRequest[]): unknown[] {
  const column = (pick: (request: SettleRequest) => unknown) => requests.map(pick)
  const changes = requests.map(({ outcome, now }) => settledColumns(outcome, now))
  return [
    column(({ lane }) => lane),
    column(({ fence }) => fence),
    column(({ instanceId }) => instanceId),
    column(({ rowId }) => rowId),
    changes.map(({ status }) => status),
    changes.map(({ failure_reason }) => failure_reason),
    changes.map(({ failure_error }) => failure_error),
    changes.map(({ failure_code }) => failure_code),
    changes.map(({ sent_at }) => sent_at),
    column(({ now }) => now),
    column(({ outcome, now }) => (outcome.kind === 'retry' ? outcome.at : now)),
    column(({ outcome, chat }) => (outcome.kind === 'sent' ? outcome.chat : chat)),
    column(({ outcome }) => (outcome.kind === 'sent' ? outcome.text : null)),
    column(({ release }) => release),
    column(({ outcome }) => movesChat(outcome)),
  ]
}

/** Rare: the network has the person under a different number than the requested one. */
async function renameChats(client: QueryClient, requests: SettleRequest[]): Promise<void> {
  const renamed = requests.flatMap(({ outcome, chat, rowId }) =>
    outcome.kind === 'sent' && outcome.chat !== chat ? [{ rowId, chat: outcome.chat }] : [],
  )
  if (renamed.length === 0) return
  await client.query(
    `update messages set chat = renamed.chat from unnest($1::bigint[], $2::text[]) as renamed (row_id, chat)
     where messages.row_id = renamed.row_id`,
    [renamed.map(({ rowId }) => rowId), renamed.map(({ chat }) => chat)],
  )
}

// Saving payloads is one statement, which needs no transaction around it.

const SAVE_PAYLOADS = prepared(
  'save_payloads',
  `insert into sent_payloads (instance_id, message_id, payload, created_at)
   select * from unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[])
   on conflict (instance_id, message_id, created_at) do nothing`,
)

export const savePayload: PostgresOperation<'savePayload'> = async (client, payloads) => {
  await client.query(
    SAVE_PAYLOADS([
      payloads.map(({ instanceId }) => instanceId),
      payloads.map(({ messageId }) => messageId),
      payloads.map(({ payload }) => Buffer.from(payload)),
      payloads.map(({ acceptedAt }) => acceptedAt),
    ]),
  )
  return payloads.map(() => null)
}
