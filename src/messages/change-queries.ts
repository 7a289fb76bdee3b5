// What it takes to judge a message that is about another one: the messages it may mean, and who is in its group.
import { sql } from 'kysely'
import { PERSON_JID } from '../network/jid.ts'
import type { Db, Row } from '../store/tables.ts'
import { LISTED_AT } from './message-queries.ts'

/** At most two: one sent and one received. */
export const findTargets = (
  db: Db,
  instanceId: number,
  messageId: string,
): Promise<Pick<Row<'messages'>, 'chat' | 'direction' | 'kind' | 'content' | 'secret'>[]> =>
  db
    .selectFrom('messages')
    .select(['chat', 'direction', 'kind', 'content', 'secret'])
    .where('instance_id', '=', instanceId)
    .where('id', '=', messageId)
    .execute()

/** Deletions in these chats that contain the id. The caller checks that they name it as their target. */
export const findDeletions = (
  db: Db,
  instanceId: number,
  chats: readonly string[],
  messageId: string,
): Promise<Pick<Row<'messages'>, 'status' | 'content'>[]> =>
  db
    .selectFrom('messages')
    .select(['status', 'content'])
    .where('instance_id', '=', instanceId)
    .where('chat', 'in', chats)
    // A literal, so that the partial index is used.
    .where('kind', '=', sql.lit('delete'))
    // The id is text of a stranger. A backslash in JSON text is doubled.
    .where(sql<boolean>`content like ${`%${escaped(JSON.stringify(messageId))}%`} escape '!'`)
    .execute()

/** The edit of the message that was stored last. One that is not sent, or failed, has changed nothing. */
export async function findLastEdit(
  db: Db,
  message: Row<'messages'>,
): Promise<Pick<Row<'messages'>, 'content'> | undefined> {
  const edits = await db
    .selectFrom('messages')
    .select('content')
    .where('instance_id', '=', message.instance_id)
    .where('chat', '=', message.chat)
    .where('kind', '=', 'edit')
    .where('status', 'not in', ['queued', 'sending', 'failed'])
    .where(LISTED_AT, '>=', message.listed_at ?? message.created_at)
    .orderBy('row_id', 'desc')
    .execute()
  return edits.find(({ content }) => {
    const { target } = JSON.parse(content) as { target?: { messageId: string; direction: string | null } }
    return target?.messageId === message.id && target.direction === message.direction
  })
}

const escaped = (text: string): string => text.replaceAll(/[%_!]/g, '!$&')

const oneGroup = (db: Db, instanceId: number, jid: string) =>
  db.selectFrom('groups').where('instance_id', '=', instanceId).where('jid', '=', jid)

export const findGroupMembers = (
  db: Db,
  instanceId: number,
  jid: string,
): Promise<Pick<Row<'groups'>, 'participants' | 'updated_at'> | undefined> =>
  oneGroup(db, instanceId, jid).select(['participants', 'updated_at']).executeTakeFirst()

/** Whether the instance is an admin of the stored group. */
export async function isGroupAdmin(db: Db, instanceId: number, jid: string): Promise<boolean> {
  const row = await oneGroup(db, instanceId, jid).select('is_admin').executeTakeFirst()
  return row?.is_admin === 1
}

/**
 * Whether the stored group has a member with one of these names; undefined: the group is not stored. The database searches the
 * text, because a large group sends thousands of receipts, and parsing its list of members for each would be too slow.
 */
export async function isInGroup(
  db: Db,
  instanceId: number,
  jid: string,
  names: readonly string[],
): Promise<boolean | undefined> {
  const people = names.filter((name) => PERSON_JID.test(name))
  const group = oneGroup(db, instanceId, jid).select('jid')
  const found =
    people.length > 0 &&
    (await group
      .where((eb) => eb.or(people.map((name) => eb('participants', 'like', `%"${name}"%`))))
      .executeTakeFirst())
  if (found) return true
  return (await group.executeTakeFirst()) ? false : undefined
}
