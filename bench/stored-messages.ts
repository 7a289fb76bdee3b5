// Messages as of months of use, with their chats, events and deliveries, so that tables and indexes have their size.
import { type Database, withDatabase } from '../test/support/database.ts'
import type { StoreLocation } from '../test/support/engines.ts'

const CHATS_EACH = 1000
const TEXT = 'An old message of an ordinary length, long since read.'

/** Spread over all instances and their chats. The gateway must not be running. */
export const storeMessages = (storeLocation: StoreLocation, count: number): Promise<void> =>
  withDatabase(storeLocation, async (database) => {
    const now = Date.now()
    await storeChats(database, now)
    await storeRows(database, count, now)
    await database.rows(`update instances set event_sequence = event_sequence + ${count}`)
    await database.rows(`update accounts set event_position = event_position + ${count}`)
    // Autovacuum analyzes tables that grow over time; these grew at once.
    if (storeLocation.databaseUrl !== undefined) await database.rows('vacuum analyze')
  })

const counted = (count: number): string =>
  `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${count})`
const CHAT = `'5511960' || (100000 + n % ${CHATS_EACH}) || '@s.whatsapp.net'`

async function storeChats({ rows }: Database, now: number): Promise<void> {
  await rows(`
    insert into chats (instance_id, jid, is_group, last_message_text, last_message_at, active_at, created_at, updated_at)
    ${counted(CHATS_EACH)}
    select instances.id, ${CHAT}, 0, '${TEXT}', ${now}, ${now}, ${now}, ${now} from counted cross join instances
    where true on conflict (instance_id, jid) do nothing`)
}

async function storeRows({ rows }: Database, count: number, now: number): Promise<void> {
  const spread = `${counted(count)}, instances_in_order as (select id, row_number() over (order by id) - 1 as ordinal from instances)`
  const joined =
    'from counted join instances_in_order on ordinal = n % (select count(*) from instances_in_order) join instances using (id)'
  const data = `{"messageId":"3A000000000000000000","direction":"incoming","type":"text","text":"${TEXT}"}`
  const [last] = await rows<{ id: number }>('select coalesce(max(row_id), 0) as id from messages')
  await rows(`
    insert into messages (id, account_id, instance_id, direction, chat, kind, content, delay_ms, status, created_at,
      updated_at, sent_at, delivered_at)
    ${spread}
    select '3A' || (100000000 + ${Number(last?.id)} + n), account_id, id, 'incoming', ${CHAT}, 'text',
      '{"message":"${TEXT}"}', 0, 'delivered', ${now}, ${now}, ${now}, ${now} ${joined}`)
  await rows(`
    insert into events (account_id, position, instance_id, sequence, name, data, created_at)
    ${spread}
    select account_id, (select event_position from accounts where accounts.id = account_id) + n, id,
      event_sequence + n, 'messages.upsert', '${data}', ${now} ${joined}`)
  await rows(`
    insert into deliveries (webhook_id, account_id, instance_id, position, status, tries, created_at, updated_at,
      delivered_at)
    ${spread}
    select webhooks.id, account_id, instances_in_order.id,
      (select event_position from accounts where accounts.id = webhooks.account_id) + n, 'delivered', 1, ${now}, ${now},
      ${now}
    from counted join instances_in_order on ordinal = n % (select count(*) from instances_in_order) cross join webhooks`)
}
