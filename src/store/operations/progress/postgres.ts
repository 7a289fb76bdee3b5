// Recording receipts on PostgreSQL: a batch of them in one statement. It applies the message-progress rule in SQL.
import { prepared, type QueryClient, type WithEvents } from '../../engines/postgres/statement.ts'
import { type MessageProgress, progressEvents, type RecordedProgress } from './types.ts'

/** The instances are locked, so that no status changes between `found` and `changed`. */
const RECORD_PROGRESS = prepared(
  'record_progress',
  `with steps as (
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
        $8::text[])
      with ordinality as steps (instance_id, message_id, before, reached, time_column, at, now, chats, place)
  ), found as (
    select steps.*, messages.row_id, messages.chat, messages.status in ('queued', 'sending') as became_sent,
      case when messages.status in ('queued', 'sending') then 'sent' else messages.status end
        = any(string_to_array(before, ',')) as moved
    from steps join messages on messages.instance_id = steps.instance_id and messages.id = steps.message_id
      and messages.direction = 'outgoing' and messages.chat = any(string_to_array(chats, ','))
  ), changed as (
    update messages set status = case when moved then reached else 'sent' end,
      sent_at = case when became_sent then at else sent_at end,
      delivered_at = case when moved and time_column = 'delivered_at' then at else delivered_at end,
      read_at = case when moved and time_column = 'read_at' then at else read_at end,
      updated_at = case when moved then now else messages.updated_at end
    from found where messages.row_id = found.row_id and (became_sent or moved)
    returning found.place, found.instance_id, found.chat, became_sent, moved
  ), counted as (
    update instances set queued_count = queued_count - gone.count
    from (select instance_id, count(*) as count from changed where became_sent group by instance_id) as gone
    where instances.id = gone.instance_id
  )
  select place::integer as place, chat, became_sent as "becameSent", moved from changed`,
)

/** The caller's transaction has locked the instances. */
export async function recordProgress(
  client: QueryClient,
  inputs: MessageProgress[],
): Promise<WithEvents<boolean>> {
  const recorded = new Map<MessageProgress, RecordedProgress>()
  for (const round of roundsOf(inputs)) {
    const { rows } = await client.query<RecordedProgress & { place: number }>(
      RECORD_PROGRESS(columnsOf(round)),
    )
    for (const row of rows) recorded.set(round[row.place - 1] as MessageProgress, row)
  }
  return {
    outputs: inputs.map((progress) => recorded.has(progress)),
    events: inputs.flatMap((progress) => {
      const row = recorded.get(progress)
      return row ? progressEvents(progress, row) : []
    }),
  }
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
]
