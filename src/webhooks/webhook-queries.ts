// Webhooks and destinations with the names of their instance. Secrets are stored sealed.

import { lockWebhook } from '../store/locks.ts'
import type { Db, NewRow, Row, RowChange } from '../store/tables.ts'

/** A destination is a row with a target on its broker. */
export type ReceiverKind = 'webhook' | 'destination'

export type WebhookRow = Row<'webhooks'> & { api_name: string | null; display_name: string | null }

const withInstance = (db: Db, kind: ReceiverKind) =>
  db
    .selectFrom('webhooks')
    .leftJoin('instances', 'instances.id', 'webhooks.instance_id')
    .selectAll('webhooks')
    .select(['instances.api_name', 'instances.display_name'])
    .where('webhooks.target', kind === 'webhook' ? 'is' : 'is not', null)

export const listWebhooks = (
  db: Db,
  accountId: number,
  instanceId: number | undefined,
  kind: ReceiverKind,
): Promise<WebhookRow[]> =>
  withInstance(db, kind)
    .where('webhooks.account_id', '=', accountId)
    .$if(instanceId !== undefined, (q) => q.where('webhooks.instance_id', '=', instanceId as number))
    .orderBy('webhooks.id')
    .execute()

export const findWebhook = (
  db: Db,
  accountId: number,
  id: number,
  kind: ReceiverKind,
): Promise<WebhookRow | undefined> =>
  withInstance(db, kind)
    .where('webhooks.id', '=', id)
    .where('webhooks.account_id', '=', accountId)
    .executeTakeFirst()

/** Whether a webhook of the instance or of its account takes messages from the history. */
export async function takesHistory(db: Db, instanceId: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhooks')
    .innerJoin('instances', 'instances.account_id', 'webhooks.account_id')
    .select('webhooks.id')
    .where('instances.id', '=', instanceId)
    .where('webhooks.history', '=', 1)
    .where('webhooks.enabled', '=', 1)
    .where((eb) =>
      eb.or([eb('webhooks.instance_id', 'is', null), eb('webhooks.instance_id', '=', instanceId)]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Webhooks and destinations. */
export async function countWebhooks(tx: Db, accountId: number): Promise<number> {
  const row = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.count
}

export const insertWebhook = (tx: Db, row: NewRow<'webhooks'>): Promise<{ id: number }> =>
  tx.insertInto('webhooks').values(row).returning('id').executeTakeFirstOrThrow()

/** Whether each webhook is enabled. An id without a row is missing in the answer. */
export async function findEnabled(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, boolean>> {
  const found = await db.selectFrom('webhooks').select(['id', 'enabled']).where('id', 'in', ids).execute()
  return new Map(found.map(({ id, enabled }) => [id, enabled === 1]))
}

export async function updateWebhook(tx: Db, id: number, change: RowChange<'webhooks'>): Promise<void> {
  await tx.updateTable('webhooks').set(change).where('id', '=', id).execute()
}

export const deleteWebhook = (tx: Db, accountId: number, id: number): Promise<{ id: number } | undefined> =>
  tx
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst()

/** On PostgreSQL no foreign key leads from the attempts to their delivery. */
const deleteAttemptsOf = (tx: Db, webhookId: number) =>
  tx
    .deleteFrom('delivery_attempts')
    .where('delivery_id', 'in', (eb) =>
      eb.selectFrom('deliveries').select('deliveries.id').where('webhook_id', '=', webhookId),
    )
    .execute()

/** With their deliveries. One after the other, because webhooks are locked in the order of their ids. */
export async function deleteWebhooksOf(
  tx: Db,
  owner: 'account_id' | 'instance_id',
  ownerId: number,
): Promise<void> {
  const hooks = await tx
    .selectFrom('webhooks')
    .select('id')
    .where(owner, '=', ownerId)
    .orderBy('id')
    .execute()
  for (const { id } of hooks) {
    await lockWebhook(tx, id)
    await deleteAttemptsOf(tx, id)
    await tx.deleteFrom('webhooks').where('id', '=', id).execute()
  }
}
