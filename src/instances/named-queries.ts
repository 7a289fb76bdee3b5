// Names and tokens that clients of the Evolution dialect have given to instances.

import type { AccountRow, PlanRow } from '../accounts/account-queries.ts'
import type { Db, NewRow, Row } from '../store/tables.ts'
import type { InstanceRow } from './instance-queries.ts'

export const insertEvolutionInstance = (tx: Db, row: NewRow<'evolution_instances'>): Promise<unknown> =>
  tx.insertInto('evolution_instances').values(row).execute()

export interface EvolutionInstanceRow {
  row: InstanceRow
  /** The name of the dialect, or the API name of an instance that has none. */
  name: string
}

const named = (db: Db, accountId: number) =>
  db
    .selectFrom('instances')
    .leftJoin('evolution_instances', 'evolution_instances.instance_id', 'instances.id')
    .selectAll('instances')
    .select('evolution_instances.name as evolution_name')
    .where('instances.account_id', '=', accountId)
    .where('instances.deleted_at', 'is', null)

const toNamed = (row: InstanceRow & { evolution_name: string | null }): EvolutionInstanceRow => ({
  row,
  name: row.evolution_name ?? row.api_name,
})

/** By the name of the dialect, otherwise by the API name. */
export async function findNamedInstance(
  db: Db,
  accountId: number,
  name: string,
): Promise<EvolutionInstanceRow | undefined> {
  const found = await named(db, accountId)
    .where((eb) => eb.or([eb('evolution_instances.name', '=', name), eb('instances.api_name', '=', name)]))
    .execute()
  const row = found.find(({ evolution_name: own }) => own === name) ?? found[0]
  return row && toNamed(row)
}

/** The instance with this id, or if it is null the first one of the account. */
export async function findFirstInstance(
  db: Db,
  accountId: number,
  id: number | null,
): Promise<EvolutionInstanceRow | undefined> {
  const all = named(db, accountId).orderBy('instances.id').limit(1)
  const row = await (id === null ? all : all.where('instances.id', '=', id)).executeTakeFirst()
  return row && toNamed(row)
}

export const listNamedInstances = async (db: Db, accountId: number): Promise<EvolutionInstanceRow[]> =>
  (await named(db, accountId).orderBy('instances.id').execute()).map(toNamed)

export interface TokenHolderRows {
  token: Row<'evolution_instances'>
  account: AccountRow
  plan: PlanRow
}

export async function findTokenHolder(db: Db, tokenHash: string): Promise<TokenHolderRows | undefined> {
  const token = await db
    .selectFrom('evolution_instances')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!token) return undefined
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', token.account_id)
    .executeTakeFirst()
  if (!account) return undefined
  const plan = await db.selectFrom('plans').selectAll().where('id', '=', account.plan_id).executeTakeFirst()
  return plan && { token, account, plan }
}

export async function countRowsOf(
  db: Db,
  instanceId: number,
): Promise<{ Message: number; Contact: number; Chat: number }> {
  const count = async (table: 'messages' | 'contacts' | 'chats') => {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('instance_id', '=', instanceId)
      .executeTakeFirstOrThrow()
    return row.count
  }
  return { Message: await count('messages'), Contact: await count('contacts'), Chat: await count('chats') }
}
