// Receipts on PostgreSQL: many messages get further in one transaction.
import type pg from 'pg'
import type { NewEvent } from '../event-log.ts'
import { type Progress, progressEvents } from '../progress.ts'
import { appendEvents } from './event-operations.ts'
import { integer } from './operations.ts'

type Client = Pick<pg.PoolClient, 'query'>

/** Begins the transaction itself: instances before messages, as everywhere, so that two never wait for each other. */
export async function moveMessages(client: Client, steps: Progress[]): Promise<boolean[]> {
  const ids = [...new Set(steps.map(({ instanceId }) => integer(instanceId)))]
  await client.query(`begin; select id from instances where id in (${ids.join(', ')}) order by id for update`)
  const news: NewEvent[][] = []
  for (const step of steps) news.push(await moveMessage(client, step))
  await appendEvents(client, news.flat())
  return news.map((events) => events.length > 0)
}

async function moveMessage(client: Client, step: Progress): Promise<NewEvent[]> {
  const { instanceId, messageId, before, status, timeColumn, atMs, now } = step
  const waited = await client.query<{ chat: string }>(
    `with waited as (
       update messages set status = 'sent', sent_at = $1 where instance_id = $2 and id = $3 and direction = 'outgoing'
         and status in ('queued', 'sending') returning chat
     ), counted as (
       update instances set queued_count = queued_count - 1 where id = $2 and exists (select 1 from waited)
     )
     select chat from waited`,
    [atMs, instanceId, messageId],
  )
  const moved = await client.query<{ chat: string }>(
    `update messages set status = $1, ${timeColumn} = $2, updated_at = $3 where instance_id = $4 and id = $5
       and direction = 'outgoing' and status = any($6::text[]) returning chat`,
    [status, atMs, now, instanceId, messageId, before],
  )
  return progressEvents(step, { waited: waited.rows[0]?.chat, moved: moved.rows[0]?.chat })
}
