// Settling on PostgreSQL: what became of a batch of claimed messages, and the chats they moved, in one statement.
import type pg from 'pg'
import { chatUpdate, type NewEvent } from '../event-log.ts'
import { type SentPayload, type SettleRequest, settledMessage, settledStep } from '../lanes.ts'
import type { Row } from '../tables.ts'

type Client = Pick<pg.PoolClient, 'query'>

/**
 * Of the message that is settled the statement still sees the old status, so that the look for others in its lane passes it over.
 */
const SETTLE_SENDS = `
  with given as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
      $8::integer[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::text[], $14::boolean[]) with ordinality
      as given (lane, fence, instance_id, row_id, status, failure_reason, failure_error, failure_code, sent_at, now,
        due_at, chat, text, release, place)
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
  ), freed as (
    update lanes set locked_until = null, owner = null, due_at = case
      when owned.status = 'sending' or exists (select 1 from messages where messages.lane = owned.lane
        and messages.status in ('queued', 'sending') and messages.row_id <> owned.row_id) then owned.due_at end
    from owned where lanes.key = owned.lane and owned.release
  ), talked as (
    insert into chats (instance_id, jid, is_group, last_message_text, last_message_at, active_at, created_at, updated_at)
    select distinct on (instance_id, chat) instance_id, chat, case when chat like '%@g.us' then 1 else 0 end, text, now,
      now, now, now
    from owned where status = 'sent' order by instance_id, chat, place desc
    on conflict (instance_id, jid) do update set
      last_message_text = case when coalesce(chats.last_message_at, 0) <= excluded.last_message_at
        then excluded.last_message_text else chats.last_message_text end,
      last_message_at = greatest(chats.last_message_at, excluded.last_message_at),
      active_at = greatest(chats.active_at, excluded.active_at), updated_at = excluded.updated_at
    returning id, instance_id, jid, is_group, name, push_name, last_message_text, last_message_at, unread_count
  )
  select owned.place::integer as place, changed.row_id is not null as is_news, to_json(talked) as chat
  from owned left join changed on changed.row_id = owned.row_id
    left join talked on owned.status = 'sent' and talked.instance_id = owned.instance_id and talked.jid = owned.chat
  order by owned.place`

interface SettledRow {
  place: number
  is_news: boolean
  chat: Row<'chats'> | null
}

/** The caller's transaction has locked the instances. */
export async function settleSends(
  client: Client,
  requests: SettleRequest[],
): Promise<{ settled: boolean[]; events: NewEvent[] }> {
  // Settled twice in one batch, a message is settled once.
  const seen = new Set<string>()
  const first = requests.filter(({ rowId, fence }) => seen.size !== seen.add(`${rowId} ${fence}`).size)
  const { rows } = await client.query<SettledRow>({
    name: 'settle_sends',
    text: SETTLE_SENDS,
    values: columnsOf(first),
  })
  const outcomes = rows.map(({ place, is_news: isNews, chat }) => ({
    isNews,
    chat,
    request: first[place - 1] as SettleRequest,
  }))
  await renameChats(
    client,
    outcomes.map(({ request }) => request),
  )
  const chats = new Map(outcomes.map(({ chat, request }) => [chat?.id ?? null, { chat, at: request.now }]))
  const owned = new Set(outcomes.map(({ request }) => request))
  return {
    settled: requests.map((request) => owned.has(request)),
    events: [
      ...outcomes.flatMap(({ isNews, request }) => (isNews ? settledStep(request) : [])),
      ...[...chats.values()].flatMap(({ chat, at }) => (chat ? [chatUpdate(chat, at)] : [])),
    ],
  }
}

function columnsOf(requests: SettleRequest[]): unknown[] {
  const column = (pick: (request: SettleRequest) => unknown) => requests.map(pick)
  const changes = requests.map(({ outcome, now }) => settledMessage(outcome, now))
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
  ]
}

/** Rare: the network knows the person under another number than the one that was asked for. */
async function renameChats(client: Client, requests: SettleRequest[]): Promise<void> {
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

/** One statement, for which no transaction need be begun. The first one counts: a second try sends the same bytes. */
export async function keepPayloads(client: Client, payloads: SentPayload[]): Promise<null[]> {
  await client.query({
    name: 'keep_payloads',
    text: `insert into sent_payloads (instance_id, message_id, payload, created_at)
     select * from unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[])
     on conflict (instance_id, message_id) do nothing`,
    values: [
      payloads.map(({ instanceId }) => instanceId),
      payloads.map(({ messageId }) => messageId),
      payloads.map(({ payload }) => Buffer.from(payload)),
      payloads.map(({ now }) => now),
    ],
  })
  return payloads.map(() => null)
}
