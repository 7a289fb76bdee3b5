// The walls of an API key as a condition on rows, and the facts about chats that the rule of walls needs.
import { type RawBuilder, sql } from 'kysely'
import { STATUS_CHAT } from '../contract/message-values.ts'
import { WROTE_FIRST } from '../contract/wall-values.ts'
import { GROUP_JID_PATTERN } from '../network/jid.ts'
import { chunksOf } from '../store/chunks.ts'
import type { Db } from '../store/tables.ts'

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
