// API keys by their hash, with the account and plan that decide what a request may do.

import { type RawBuilder, sql } from 'kysely'
import { STATUS_CHAT } from '../contract/message-values.ts'
import { WROTE_FIRST } from '../contract/wall-values.ts'
import { GROUP_JID_PATTERN } from '../network/jid.ts'
import { chunksOf } from '../store/chunks.ts'
import type { Db, NewRow, Row } from '../store/tables.ts'
import type { AccountRow, PlanRow } from './account-queries.ts'

export type ApiKeyRow = Row<'api_keys'>

export interface KeyHolderRows {
  key: ApiKeyRow
  account: AccountRow
  plan: PlanRow
}

export async function findKeyHolder(db: Db, hash: string): Promise<KeyHolderRows | undefined> {
  const key = await db.selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst()
  if (!key) return undefined
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', key.account_id)
    .executeTakeFirst()
  if (!account) return undefined
  const plan = await db.selectFrom('plans').selectAll().where('id', '=', account.plan_id).executeTakeFirst()
  return plan && { key, account, plan }
}

export const listApiKeys = (db: Db, accountId: number): Promise<ApiKeyRow[]> =>
  db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

export const findApiKey = (db: Db, accountId: number, id: number): Promise<ApiKeyRow | undefined> =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export const insertApiKey = (tx: Db, row: NewRow<'api_keys'>): Promise<ApiKeyRow> =>
  tx.insertInto('api_keys').values(row).returningAll().executeTakeFirstOrThrow()

export const revokeApiKey = (tx: Db, id: number, revokedAt: number): Promise<ApiKeyRow> =>
  tx
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function replaceApiKey(
  tx: Db,
  id: number,
  change: { expires_at: number; life_until: number | null; successor_id: number },
): Promise<void> {
  await tx.updateTable('api_keys').set(change).where('id', '=', id).execute()
}

/** A key that was used is left unchanged. */
export async function revokeUnusedApiKey(tx: Db, id: number, revokedAt: number): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where('id', '=', id)
    .where('last_used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Whether a key from the environment other than this one is valid. */
export async function hasOtherEnvironmentKey(tx: Db, hash: string): Promise<boolean> {
  const other = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('source', '=', 'environment')
    .where('hash', '<>', hash)
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Revokes all keys from the environment except the current one. */
export async function revokeOtherEnvironmentKeys(tx: Db, hash: string, revokedAt: number): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where('source', '=', 'environment')
    .where('hash', '<>', hash)
    .where('revoked_at', 'is', null)
    .execute()
}

/** A key that was removed from the environment and set again is valid again. */
export async function restoreEnvironmentKey(tx: Db, hash: string): Promise<boolean> {
  const restored = await tx
    .updateTable('api_keys')
    .set({ revoked_at: null })
    .where('hash', '=', hash)
    .where('source', '=', 'environment')
    .returning('id')
    .executeTakeFirst()
  return restored !== undefined
}

export async function recordKeyUses(db: Db, uses: Map<number, number>): Promise<void> {
  for (const [id, usedAt] of uses) {
    await db
      .updateTable('api_keys')
      .set({ last_used_at: usedAt })
      .where('id', '=', id)
      // Another process may have saved a later use already.
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', usedAt)]))
      .execute()
  }
}

// The walls of an API key as a condition on rows, and the facts about chats that the rule of walls needs.

/** What a list may contain. */
export interface RowWalls {
  /** Undefined: all instances of the account. */
  instanceIds: readonly number[] | undefined
  /** Every identifier of the chats; undefined: all chats. */
  chats: readonly string[] | typeof WROTE_FIRST | undefined
}

type Columns = 'messages.chat' | 'chats.jid' | 'contacts.jid' | 'groups.jid'

/** A condition for `where`; the table of the column has a column `instance_id`. */
export function insideWalls({ instanceIds, chats }: RowWalls, column: Columns): RawBuilder<boolean> {
  const chat = sql.ref(column)
  const instance = sql.ref(`${column.split('.')[0]}.instance_id`)
  const conditions = [sql`1 = 1`]
  if (instanceIds) conditions.push(isOneOf(instance, instanceIds))
  if (chats === WROTE_FIRST)
    conditions.push(sql`${chat} not like ${GROUP_JID_PATTERN} and ${chat} <> ${STATUS_CHAT} and exists (
      select 1 from messages as received where received.instance_id = ${instance} and received.chat = ${chat}
        and received.direction = 'incoming')`)
  else if (chats) conditions.push(isOneOf(chat, chats))
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

const isOneOf = (column: RawBuilder<unknown>, values: readonly (string | number)[]) =>
  values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join([...values])})`

/** The pairs of number and lid in which one of these identifiers occurs, as the instances know them. */
export async function listAddressPairs(
  db: Db,
  instanceIds: readonly number[],
  { lids, phones }: { lids: readonly string[]; phones: readonly string[] },
): Promise<{ lid: string; phone: string }[]> {
  const found: { lid: string; phone: string }[] = []
  const read = async (column: 'lid' | 'phone', names: readonly string[]) => {
    for (const some of chunksOf(names))
      found.push(
        ...(await db
          .selectFrom('addresses')
          .select(['lid', 'phone'])
          .distinct()
          .where('instance_id', 'in', [...instanceIds])
          .where(column, 'in', some)
          .execute()),
      )
  }
  if (instanceIds.length === 0) return []
  await read('lid', lids)
  await read('phone', phones)
  return found
}

/** Those of the chats in which the instance has received a message. */
export async function listChatsWithIncoming(
  db: Db,
  instanceId: number,
  chats: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of chunksOf(chats)) {
    const rows = await db
      .selectFrom('messages')
      .select('chat')
      .distinct()
      .where('instance_id', '=', instanceId)
      .where('chat', 'in', some)
      .where('direction', '=', 'incoming')
      .execute()
    for (const { chat } of rows) found.add(chat)
  }
  return found
}
