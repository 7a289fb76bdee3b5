// What the owner of an account does with chats and messages: settings, stars, clearing.

import { LISTED_AT } from '../messages/message-queries.ts'
import type { Db, Row, RowChange } from '../store/tables.ts'

/** The chat under one of these identifiers. */
export const findChatRow = (db: Db, instanceId: number, jids: string[]): Promise<Row<'chats'> | undefined> =>
  db
    .selectFrom('chats')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('jid', 'in', jids)
    .orderBy('active_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** What people call the chat: the name of the contact or the group, or the one that the person chose. Null: none is known. */
export async function findChatName(db: Db, instanceId: number, jids: string[]): Promise<string | null> {
  const chat = await findChatRow(db, instanceId, jids)
  const contact = await db
    .selectFrom('contacts')
    .select('name')
    .where('instance_id', '=', instanceId)
    .where('jid', 'in', jids)
    .limit(1)
    .executeTakeFirst()
  const group = await db
    .selectFrom('groups')
    .select('subject')
    .where('instance_id', '=', instanceId)
    .where('jid', 'in', jids)
    .limit(1)
    .executeTakeFirst()
  return contact?.name ?? chat?.name ?? group?.subject ?? chat?.push_name ?? null
}

export const updateChat = (tx: Db, id: number, change: RowChange<'chats'>): Promise<Row<'chats'>> =>
  tx.updateTable('chats').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Received messages of a chat that are not read yet and were sent up to that time, latest first. */
export async function listUnreadUntil(
  tx: Db,
  chat: Row<'chats'>,
  { throughMs, silent, limit }: { throughMs: number; silent: string[]; limit: number },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('messages')
    .select('id')
    .where('instance_id', '=', chat.instance_id)
    .where('chat', '=', chat.jid)
    .where('direction', '=', 'incoming')
    .where('status', '=', 'delivered')
    .where('kind', 'not in', silent)
    .where('created_at', '<=', throughMs)
    .orderBy(LISTED_AT, 'desc')
    .orderBy('row_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Messages that still wait to be sent stay. */
const WAITING = ['awaiting_approval', 'scheduled', 'queued', 'sending']

/** Deletes the messages of a chat up to that time, with the rows of their files. */
export async function deleteMessagesUntil(
  tx: Db,
  range: { instanceId: number; chats: string[]; throughMs: number; keepStarred: boolean },
): Promise<void> {
  await tx
    .deleteFrom('messages')
    .where('instance_id', '=', range.instanceId)
    .where('chat', 'in', range.chats)
    .where((eb) => eb(eb.fn.coalesce('sent_at', 'created_at'), '<=', range.throughMs))
    .where('status', 'not in', WAITING)
    .$if(range.keepStarred, (query) => query.where('starred', '=', 0))
    .execute()
}

/** The messages of an instance with this id: the sent or the received one. */
export async function setStarred(
  tx: Db,
  message: { instanceId: number; messageId: string; direction: string; starred: 0 | 1 },
): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ starred: message.starred })
    .where('instance_id', '=', message.instanceId)
    .where('id', '=', message.messageId)
    .where('direction', '=', message.direction)
    .execute()
}
