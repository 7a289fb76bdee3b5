// Receipts on PostgreSQL: many messages get further in one statement.
import type pg from 'pg'
import type { NewEvent } from '../event-log.ts'
import { type Progress, progressEvents } from '../progress.ts'

type Client = Pick<pg.PoolClient, 'query'>

/**
 * The instances are locked, so that no status changes between the look and the step. A receipt can overtake the network's own
 * word that it took the message: the step to `sent` is then made on the way.
 */
const MOVE_MESSAGES = `
  with steps as (
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
      with ordinality as steps (instance_id, message_id, before, reached, time_column, at, now, place)
  ), found as (
    select steps.*, messages.row_id, messages.chat, messages.status in ('queued', 'sending') as waited,
      case when messages.status in ('queued', 'sending') then 'sent' else messages.status end
        = any(string_to_array(before, ',')) as moved
    from steps join messages on messages.instance_id = steps.instance_id and messages.id = steps.message_id
      and messages.direction = 'outgoing'
  ), changed as (
    update messages set status = case when moved then reached else 'sent' end,
      sent_at = case when waited then at else sent_at end,
      delivered_at = case when moved and time_column = 'delivered_at' then at else delivered_at end,
      read_at = case when moved and time_column = 'read_at' then at else read_at end,
      updated_at = case when moved then now else messages.updated_at end
    from found where messages.row_id = found.row_id and (waited or moved)
    returning found.place, found.instance_id, found.chat, waited, moved
  ), counted as (
    update instances set queued_count = queued_count - gone.count
    from (select instance_id, count(*) as count from changed where waited group by instance_id) as gone
    where instances.id = gone.instance_id
  )
  select place::integer as place, chat, waited, moved from changed`

interface MovedRow {
  place: number
  chat: string
  waited: boolean
  moved: boolean
}

/** The caller's transaction has locked the instances. */
export async function moveMessages(
  client: Client,
  steps: Progress[],
): Promise<{ moved: boolean[]; events: NewEvent[] }> {
  const news = new Map<Progress, NewEvent[]>()
  for (const round of oneOfEach(steps)) {
    const { rows } = await client.query<MovedRow>({
      name: 'move_messages',
      text: MOVE_MESSAGES,
      values: columnsOf(round),
    })
    for (const { place, chat, waited, moved } of rows) {
      const step = round[place - 1] as Progress
      news.set(
        step,
        progressEvents(step, { waited: waited ? chat : undefined, moved: moved ? chat : undefined }),
      )
    }
  }
  return {
    moved: steps.map((step) => news.has(step)),
    events: steps.flatMap((step) => news.get(step) ?? []),
  }
}

/** A statement moves a message once: what has two steps in the batch makes the second one in the next round. */
function oneOfEach(steps: Progress[]): Progress[][] {
  const rounds: Progress[][] = []
  const made = new Map<string, number>()
  for (const step of steps) {
    const name = `${step.instanceId}/${step.messageId}`
    const round = made.get(name) ?? 0
    made.set(name, round + 1)
    rounds[round] = [...(rounds[round] ?? []), step]
  }
  return rounds
}

const columnsOf = (steps: Progress[]): unknown[] => [
  steps.map(({ instanceId }) => instanceId),
  steps.map(({ messageId }) => messageId),
  steps.map(({ before }) => before.join(',')),
  steps.map(({ status }) => status),
  steps.map(({ timeColumn }) => timeColumn),
  steps.map(({ atMs }) => atMs),
  steps.map(({ now }) => now),
]
