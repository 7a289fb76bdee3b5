// Webhooks with the names of their instance. Secrets are stored sealed.
import type { Db, NewRow, Row, RowChange } from '../tables.ts'

export type WebhookRow = Row<'webhooks'> & { api_name: string | null; display_name: string | null }

const withInstance = (db: Db) =>
  db
    .selectFrom('webhooks')
    .leftJoin('instances', 'instances.id', 'webhooks.instance_id')
    .selectAll('webhooks')
    .select(['instances.api_name', 'instances.display_name'])

export const listWebhooks = (
  db: Db,
  accountId: number,
  instanceId: number | undefined,
): Promise<WebhookRow[]> =>
  withInstance(db)
    .where('webhooks.account_id', '=', accountId)
    .$if(instanceId !== undefined, (q) => q.where('webhooks.instance_id', '=', instanceId as number))
    .orderBy('webhooks.id')
    .execute()

export const findWebhook = (db: Db, accountId: number, id: number): Promise<WebhookRow | undefined> =>
  withInstance(db)
    .where('webhooks.id', '=', id)
    .where('webhooks.account_id', '=', accountId)
    .executeTakeFirst()

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
  for (const { id } of hooks) await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}
