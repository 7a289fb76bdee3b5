// Recording receipts on PostgreSQL: a batch of them in one statement. It applies the message-progress rule in SQL.

import { CHAT_COLUMNS, chatUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { GROUP_JID_PATTERN } from '../network/jid.ts'
import { SHOW_LAST_MESSAGE } from '../sending/outbox-postgres.ts'
import { prepared, type QueryClient, type WithEvents } from '../store/engines/postgres/statement.ts'
import type { Row } from '../store/tables.ts'
import {
  type MessageProgress,
  progressEvents,
  type RecordedProgress,
  sentChatChange,
} from './progress-store.ts'
import { applyTextChange } from './text-change-postgres.ts'

/** The instances are locked, so that no status changes between `found` and `changed`. */
const RECORD_PROGRESS = prepared(
  'record_progress',
  `with steps as (
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
        $8::text[], $9::text[])
      with ordinality as steps (instance_id, message_id, before, reached, time_column, at, now, chats, network_chat, ordinal)
  ), found as (
    select steps.*, messages.row_id, messages.kind,
      case when messages.status in ('queued', 'sending') then coalesce(network_chat, messages.chat) else messages.chat end as chat,
      messages.content, messages.status in ('queued', 'sending') as became_sent,
      case when messages.status in ('queued', 'sending') then 'sent' else messages.status end
        = any(string_to_array(before, ',')) as moved
    from steps join messages on messages.instance_id = steps.instance_id and messages.id = steps.message_id
      and messages.direction = 'outgoing' and messages.chat = any(string_to_array(chats, ','))
  ), changed as (
    update messages set status = case when moved then reached else 'sent' end, chat = found.chat,
      sent_at = case when became_sent then at else sent_at end,
      delivered_at = case when moved and time_column = 'delivered_at' then at else delivered_at end,
      read_at = case when moved and time_column = 'read_at' then at else read_at end,
      updated_at = case when moved then now else messages.updated_at end
    from found where messages.row_id = found.row_id and (became_sent or moved)
    returning found.ordinal, found.row_id, found.instance_id, found.chat, found.kind, found.content, became_sent, moved
  ), counted as (
    update instances set queued_count = queued_count - gone.count
    from (select instance_id, count(*) as count from changed where became_sent group by instance_id) as gone
    where instances.id = gone.instance_id
  )
  select ordinal::integer as ordinal, row_id, chat, kind, content, became_sent as "becameSent", moved, number, lid, profile_name
  from changed left join instances on instances.id = changed.instance_id`,
)

/** The caller's transaction has locked the instances. */
export async function recordProgress(
  client: QueryClient,
  inputs: MessageProgress[],
): Promise<WithEvents<boolean>> {
  const recorded = new Map<MessageProgress, RecordedProgress>()
  for (const round of roundsOf(inputs)) {
    const { rows } = await client.query<RecordedProgress & { ordinal: number }>(
      RECORD_PROGRESS(columnsOf(round)),
    )
    for (const row of rows) recorded.set(round[row.ordinal - 1] as MessageProgress, row)
  }
  const events: NewEvent[] = []
  for (const progress of inputs) {
    const row = recorded.get(progress)
    if (!row) continue
    events.push(...progressEvents(progress, row))
    if (row.becameSent) events.push(...(await changeChat(client, progress, row)))
  }
  return { outputs: inputs.map((progress) => recorded.has(progress)), events }
}

const SHOW_AS_LAST = prepared(
  'show_as_last_message',
  `insert into chats (instance_id, jid, is_group, last_message_text, last_message_at, active_at, created_at, updated_at,
     disappearing_seconds, last_message_row_id)
   values ($1::bigint, $2::text, case when $2 like '${GROUP_JID_PATTERN}' then 1 else 0 end, $3::text, $4::bigint, $4, $4, $4,
     coalesce((select disappearing_seconds from groups where groups.instance_id = $1 and jid = $2), 0), $5::bigint)
   ${SHOW_LAST_MESSAGE}`,
)
const SET_TIMER = prepared(
  'set_timer',
  `update chats set disappearing_seconds = $3::bigint, updated_at = $4::bigint
   where instance_id = $1::bigint and jid = any($2::text[]) and disappearing_seconds <> $3
   returning ${CHAT_COLUMNS.join(', ')}`,
)

/** Rare, so one statement for each message. */
async function changeChat(
  client: QueryClient,
  { instanceId, chats, now }: MessageProgress,
  sent: RecordedProgress,
): Promise<NewEvent[]> {
  const change = sentChatChange(sent)
  if (!change) return []
  if (change.kind === 'text') return applyTextChange(client, { ...change.change, instanceId, now })
  const { rows } = await client.query<Row<'chats'>>(
    change.kind === 'timer'
      ? SET_TIMER([instanceId, chats, change.seconds, now])
      : SHOW_AS_LAST([instanceId, sent.chat, change.text, now, sent.row_id]),
  )
  return rows.map((row) => chatUpdate(row, now))
}

/** A statement updates a message once: the second receipt of a message in a batch is recorded in the next round. */
function roundsOf(inputs: MessageProgress[]): MessageProgress[][] {
  const rounds: MessageProgress[][] = []
  const seen = new Map<string, number>()
  for (const progress of inputs) {
    const name = `${progress.instanceId}/${progress.messageId}`
    const round = seen.get(name) ?? 0
    seen.set(name, round + 1)
    rounds[round] = [...(rounds[round] ?? []), progress]
  }
  return rounds
}

const columnsOf = (steps: MessageProgress[]): unknown[] => [
  steps.map(({ instanceId }) => instanceId),
  steps.map(({ messageId }) => messageId),
  steps.map(({ before }) => before.join(',')),
  steps.map(({ status }) => status),
  steps.map(({ timeColumn }) => timeColumn),
  steps.map(({ atMs }) => atMs),
  steps.map(({ now }) => now),
  steps.map(({ chats }) => chats.join(',')),
  steps.map(({ networkChat }) => networkChat),
]
