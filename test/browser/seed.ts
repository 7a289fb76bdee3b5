// A large account, written directly into the store. Its pages must not grow with it.
import { callRoute } from '../support/gateway.ts'
import type { SandboxWorld } from '../support/sandbox-world.ts'

export const SIZES = {
  instances: 1000,
  contacts: 10_000,
  events: 100_000,
  deliveries: 20_000,
  messages: 5000,
  scheduled: 1000,
} as const

/** Rows per statement, below the parameter limits of both engines. */
const AT_ONCE = 1000
const SECOND_MS = 1000

export interface LargeAccount {
  id: number
  key: string
  /** The API name of the instance with contacts, chats and messages. */
  instanceName: string
  webhookId: number
  /** The chat with the messages. */
  chat: string
}

export async function seedLargeAccount(world: SandboxWorld): Promise<LargeAccount> {
  const operator = (id: Parameters<typeof callRoute>[1], body: unknown) =>
    callRoute(world.app.url, id, { key: world.app.operatorKey, body })
  const { json: made } = await operator('adminCreatePlan', { name: 'Large' })
  const { json: account } = await operator('adminCreateAccount', { name: 'Large', planId: made.plan.id })
  const key: string = account.key
  const { webhook } = await world.api('saveWebhook', {
    key,
    body: { url: 'https://receiver.test/large', name: 'Large', enabled: false },
  })
  const at = Date.now() - SIZES.events * SECOND_MS
  const seed: Seed = { world, accountId: account.account.id, at }
  const instances = await seedInstances(seed)
  const [first] = instances
  if (!first) throw new Error('no instance was made')
  await seedContacts(seed, first.id)
  await seedScheduled(seed, first.id)
  await seedMessages(seed, { instanceId: first.id, number: phoneOf(1), count: SIZES.messages })
  await seedEvents(seed, instances)
  await seedDeliveries(seed, webhook.id, instances)
  return { id: seed.accountId, key, instanceName: first.api_name, webhookId: webhook.id, chat: jidOf(1) }
}

interface Seed {
  world: SandboxWorld
  accountId: number
  /** The time of the first record. */
  at: number
}
interface InstanceRow {
  id: number
  api_name: string
}

const phoneOf = (index: number): string => String(5_511_940_000_000 + index)
const jidOf = (index: number): string => `${phoneOf(index)}@s.whatsapp.net`

/** Numbers from 1 to `count`, in chunks that fit into one statement. */
function* bites(count: number): Generator<number[]> {
  for (let from = 1; from <= count; from += AT_ONCE) {
    yield Array.from({ length: Math.min(AT_ONCE, count - from + 1) }, (_, index) => from + index)
  }
}

async function seedInstances({ world, accountId, at }: Seed): Promise<InstanceRow[]> {
  const rows: InstanceRow[] = []
  for (const bite of bites(SIZES.instances)) {
    const values = bite.map((index) => ({
      account_id: accountId,
      display_name: `Branch ${index}`,
      api_name: `branch-${index}-large`,
      integration: null,
      state: 'close',
      state_reason: 'logged_out',
      number: null,
      lid: null,
      profile_name: null,
      contact_count: index === 1 ? SIZES.contacts : 0,
      created_at: at,
      updated_at: at,
      deleted_at: null,
    }))
    rows.push(
      ...(await world.app.store.db
        .insertInto('instances')
        .values(values)
        .returning(['id', 'api_name'])
        .execute()),
    )
  }
  await world.app.store.db
    .insertInto('usage')
    .values([
      { account_id: accountId, resource: 'instances', period: 0, used: SIZES.instances },
      { account_id: accountId, resource: 'contacts', period: 0, used: SIZES.contacts },
    ])
    .execute()
  return rows
}

async function seedContacts({ world, accountId, at }: Seed, instanceId: number): Promise<void> {
  const { db } = world.app.store
  for (const bite of bites(SIZES.contacts)) {
    const chats = await db
      .insertInto('chats')
      .values(
        bite.map((index) => ({
          instance_id: instanceId,
          jid: jidOf(index),
          is_group: 0 as const,
          name: `Person ${index}`,
          push_name: `Person ${index}`,
          last_message_text: `Message ${index}`,
          last_message_at: at - index,
          active_at: at - index,
          created_at: at,
          updated_at: at,
        })),
      )
      .returning(['id', 'jid'])
      .execute()
    const chatIds = new Map(chats.map(({ id, jid }) => [jid, id]))
    const contacts = bite.map((index) => ({
      account_id: accountId,
      instance_id: instanceId,
      chat_id: chatIds.get(jidOf(index)) as number,
      name: `Person ${index}`,
      phone: phoneOf(index),
      jid: jidOf(index),
      is_group: 0 as const,
      assigned_user_id: null,
      assigned_department_id: null,
      funnel_stage_id: null,
      notes: null,
      custom_data: '{}',
      sort_name: `person ${String(index).padStart(5, '0')}`,
      search_text: `person ${index}\n${phoneOf(index)}\n${jidOf(index)}`,
      created_at: at,
      updated_at: at,
    }))
    await db.insertInto('contacts').values(contacts).execute()
  }
}

interface SeededMessages {
  instanceId: number
  number: string
  count: number
}

/** Numbered texts with one person, every second of them sent. */
export async function seedConversation(
  world: SandboxWorld,
  instanceName: string,
  { number, count }: Pick<SeededMessages, 'number' | 'count'>,
): Promise<void> {
  const instances = world.app.store.db.selectFrom('instances').select(['id', 'account_id'])
  const { id, account_id } = await instances.where('api_name', '=', instanceName).executeTakeFirstOrThrow()
  const at = Date.now() - (count + 1) * SECOND_MS
  await seedMessages({ world, accountId: account_id, at }, { instanceId: id, number, count })
}

async function seedMessages(
  { world, accountId, at }: Seed,
  { instanceId, number, count }: SeededMessages,
): Promise<void> {
  for (const bite of bites(count)) {
    const values = bite.map((index) => ({
      id: `LARGE${index}`,
      account_id: accountId,
      instance_id: instanceId,
      direction: index % 2 === 0 ? ('outgoing' as const) : ('incoming' as const),
      chat: `${number}@s.whatsapp.net`,
      number,
      group_jid: null,
      kind: 'text',
      content: JSON.stringify(
        index % 2 === 0 ? { message: `Message ${index}` } : { text: `Message ${index}` },
      ),
      delay_ms: 0,
      status: 'read' as const,
      failure_reason: null,
      failure_error: null,
      failure_code: null,
      lane: null,
      lane_seq: null,
      created_at: at + index * SECOND_MS,
      updated_at: at + index * SECOND_MS,
      sent_at: null,
      delivered_at: null,
      read_at: null,
    }))
    await world.app.store.db.insertInto('messages').values(values).execute()
  }
}

/** To a different person than the messages, a year from now. */
async function seedScheduled({ world, accountId, at }: Seed, instanceId: number): Promise<void> {
  const sendAt = Date.now() + 365 * 86_400 * SECOND_MS
  for (const bite of bites(SIZES.scheduled)) {
    const values = bite.map((index) => ({
      id: `LATER${index}`,
      account_id: accountId,
      instance_id: instanceId,
      direction: 'outgoing' as const,
      chat: jidOf(3),
      number: phoneOf(3),
      group_jid: null,
      kind: 'text',
      content: JSON.stringify({ message: `Later ${index}` }),
      delay_ms: 0,
      status: 'scheduled' as const,
      failure_reason: null,
      failure_error: null,
      failure_code: null,
      lane: null,
      lane_seq: null,
      created_at: at,
      updated_at: at,
      sent_at: null,
      delivered_at: null,
      read_at: null,
      send_at: sendAt,
    }))
    await world.app.store.db.insertInto('messages').values(values).execute()
  }
}

const isRare = (position: number): boolean => position % 100 === 0

/** Distributed evenly over the instances. */
async function seedEvents({ world, accountId, at }: Seed, instances: InstanceRow[]): Promise<void> {
  const { db } = world.app.store
  for (const bite of bites(SIZES.events)) {
    const values = bite.map((position) => ({
      account_id: accountId,
      position,
      instance_id: instances[(position - 1) % instances.length]?.id as number,
      sequence: Math.ceil(position / instances.length),
      name: isRare(position) ? 'connection.update' : 'messages.update',
      data: JSON.stringify(
        isRare(position)
          ? { state: 'close', stateReason: 'logged_out', number: null }
          : {
              messageId: `LARGE${position}`,
              chat: jidOf(position % 1000),
              status: 'read',
              failure: null,
              at: new Date(at + position * SECOND_MS).toISOString(),
            },
      ),
      created_at: at + position * SECOND_MS,
    }))
    await db.insertInto('events').values(values).execute()
  }
  await db.updateTable('accounts').set({ event_position: SIZES.events }).where('id', '=', accountId).execute()
  await db
    .updateTable('instances')
    .set({ event_sequence: SIZES.events / instances.length })
    .where('account_id', '=', accountId)
    .execute()
}

/** Deliveries of the newest events; some of them failed. */
async function seedDeliveries(
  { world, accountId, at }: Seed,
  webhookId: number,
  instances: InstanceRow[],
): Promise<void> {
  const { db } = world.app.store
  const before = SIZES.events - SIZES.deliveries
  for (const bite of bites(SIZES.deliveries)) {
    const rows = await db
      .insertInto('deliveries')
      .values(
        bite.map((index) => ({
          webhook_id: webhookId,
          account_id: accountId,
          instance_id: instances[(before + index - 1) % instances.length]?.id as number,
          position: before + index,
          status: index % 50 === 0 ? 'dead' : 'delivered',
          tries: 1,
          created_at: at + (before + index) * SECOND_MS,
          updated_at: at + (before + index) * SECOND_MS,
          delivered_at: index % 50 === 0 ? null : at + (before + index) * SECOND_MS,
        })),
      )
      .returning(['id', 'created_at'])
      .execute()
    const attempts = rows.map(({ id, created_at }) => ({
      delivery_id: id,
      at: created_at,
      duration_ms: 12,
      status_code: 200,
      headers: '{}',
      answer: 'ok',
      error: null,
    }))
    await db.insertInto('delivery_attempts').values(attempts).execute()
  }
}
