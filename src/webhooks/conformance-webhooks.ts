// Webhooks and events, for tests that need deliveries.

import type { RouteFilter } from '../events/rules.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { flag } from '../store/tables.ts'

export const change = (instanceId: number, text = 'hi'): NewEvent => ({
  instanceId,
  name: 'chats.update',
  data: JSON.stringify({ text }),
  createdAt: NOON,
})
export const append = (store: Store, events: NewEvent[]) =>
  store.transaction((tx) => store.appendEvents(tx, events))

interface HookChange {
  instanceId?: number | null
  events?: string[]
  enabled?: 0 | 1
  batch?: 0 | 1
  filter?: RouteFilter
}
const filterColumns = ({ chats, senders, direction, history }: RouteFilter) => ({
  filter_chats: chats,
  filter_senders: senders && JSON.stringify(senders),
  filter_direction: direction,
  history: flag(history),
})

export async function makeHook(
  store: Store,
  { accountId }: Pick<Tenant, 'accountId'>,
  change: HookChange = {},
): Promise<number> {
  const { id } = await store.db
    .insertInto('webhooks')
    .values({
      account_id: accountId,
      instance_id: change.instanceId ?? null,
      name: 'hook',
      url: `https://hooks.example.org/${Math.random()}`,
      events: JSON.stringify(change.events ?? ['*']),
      enabled: change.enabled ?? 1,
      batch: change.batch ?? 0,
      ...(change.filter && filterColumns(change.filter)),
      sealed_secret: new Uint8Array([1]),
      created_at: NOON,
      updated_at: NOON,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
export const deliveriesOf = (store: Store, webhookId: number) =>
  store.db.selectFrom('deliveries').selectAll().where('webhook_id', '=', webhookId).orderBy('id').execute()
