// Read messages of a chat, on the owner's phone or through the API, and the count of unread ones.

import { receivedUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { isListedAfter, LISTED_AT, positionOf } from '../messages/message-queries.ts'
import type { Db, Row } from '../store/tables.ts'

export interface ReadMessageRow {
  messageId: string
  chat: string
  /** As JSON; null where it is not known. */
  addressedAs: string | null
}

/** The statuses that each one follows. */
const BEFORE = { read: ['delivered'], played: ['delivered', 'read'] }

/** Marks received messages as read or played. Returns those that changed, in their order, each with its event. */
export async function markMessagesRead(
  tx: Db,
  read: { instanceId: number; messageIds: string[]; atMs: number; now: number; as?: keyof typeof BEFORE },
): Promise<{ events: NewEvent[]; changed: ReadMessageRow[] }> {
  const { instanceId, messageIds, atMs, now, as = 'read' } = read
  if (messageIds.length === 0) return { events: [], changed: [] }
  const rows = await tx
    .updateTable('messages')
    .set((eb) => ({
      status: as,
      read_at: eb.fn.coalesce('read_at', eb.val(atMs)),
      updated_at: now,
    }))
    .where('instance_id', '=', instanceId)
    .where('id', 'in', messageIds)
    .where('direction', '=', 'incoming')
    .where('status', 'in', BEFORE[as])
    .returning(['id', 'chat', 'row_id', 'addressed_as'])
    .execute()
  const changed = rows
    .sort((a, b) => a.row_id - b.row_id)
    .map((row) => ({ messageId: row.id, chat: row.chat, addressedAs: row.addressed_as }))
  const events = changed.map(({ messageId, chat }) =>
    receivedUpdate({ instanceId, messageId, chat, status: as, failure: null, at: now }),
  )
  return { events, changed }
}

/** Reading a message implies reading the ones before it: unread are those after the newest read one. */
export async function recountUnread(
  tx: Db,
  { instanceId, jid, silent, now }: { instanceId: number; jid: string; silent: string[]; now: number },
): Promise<Row<'chats'> | undefined> {
  const incoming = tx
    .selectFrom('messages')
    .where('instance_id', '=', instanceId)
    .where('chat', '=', jid)
    .where('direction', '=', 'incoming')
  const newest = await incoming
    .select(['row_id', 'listed_at', 'created_at'])
    .where('status', 'in', ['read', 'played'])
    .orderBy(LISTED_AT, 'desc')
    .orderBy('row_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { unread } = await incoming
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .$if(newest !== undefined, (query) =>
      query.where(isListedAfter(positionOf(newest as NonNullable<typeof newest>))),
    )
    .where('kind', 'not in', silent)
    .executeTakeFirstOrThrow()
  return tx
    .updateTable('chats')
    .set({ unread_count: unread, updated_at: now })
    .where('instance_id', '=', instanceId)
    .where('jid', '=', jid)
    .returningAll()
    .executeTakeFirst()
}

/** Limits the events of one commit and the receipts of one request to the network. */
export const READ_AT_ONCE = 500

/** The newest unread messages of a chat. */
export async function listUnread(tx: Db, chat: Row<'chats'>, silent: string[]): Promise<string[]> {
  const newest = await tx
    .selectFrom('messages')
    .select('id')
    .where('instance_id', '=', chat.instance_id)
    .where('chat', '=', chat.jid)
    .where('direction', '=', 'incoming')
    .where('kind', 'not in', silent)
    .orderBy(LISTED_AT, 'desc')
    .orderBy('row_id', 'desc')
    .limit(Math.min(chat.unread_count, READ_AT_ONCE))
    .execute()
  return newest.map(({ id }) => id)
}

export async function clearUnread(tx: Db, chatId: number, now: number): Promise<void> {
  await tx
    .updateTable('chats')
    .set({ unread_count: 0, marked_unread: 0, updated_at: now })
    .where('id', '=', chatId)
    .execute()
}
