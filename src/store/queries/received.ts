// What the network tells: received messages, receipts, people and groups, written where the API reads them.
import { messageUpdate, type NewEvent } from '../event-log.ts'
import type { Db, NewRow, Row } from '../tables.ts'
import { ensureChat, searchText } from './contacts.ts'

/** False when the message is known: the network may deliver twice, the store keeps it once. */
export async function insertReceived(tx: Db, row: NewRow<'messages'>): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('messages')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'id', 'direction']).doNothing())
    .returning('row_id')
    .executeTakeFirst()
  return inserted?.row_id
}

/** A chat as the phone knows it: its name, and what is unread there. */
export async function noteChat(
  tx: Db,
  chat: { instanceId: number; jid: string; name: string | null; unreadCount: number; now: number },
): Promise<Row<'chats'>> {
  const { id } = await ensureChat(tx, { ...chat, isGroup: chat.jid.endsWith('@g.us') })
  return tx
    .updateTable('chats')
    .set({ unread_count: chat.unreadCount, ...(chat.name === null ? {} : { name: chat.name }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface ChatActivity {
  chatId: number
  text: string | null
  at: number
  unread: 0 | 1
}

/** The network tells when a message was sent in whole seconds; ours know their milliseconds. */
const SECOND_MS = 1000

/** The newest message is the chat's last one, whatever the order of arrival; within a second, the one that came last. */
export async function noteChatActivity(
  tx: Db,
  { chatId, text, at, unread }: ChatActivity,
): Promise<Row<'chats'>> {
  await tx
    .updateTable('chats')
    .set({ last_message_text: text, last_message_at: at, active_at: at })
    .where('id', '=', chatId)
    .where((eb) => eb.or([eb('last_message_at', 'is', null), eb('last_message_at', '<', at + SECOND_MS)]))
    .execute()
  return tx
    .updateTable('chats')
    .set((eb) => ({ unread_count: eb('unread_count', '+', unread), updated_at: at }))
    .where('id', '=', chatId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface RenamedPerson {
  contactId: number | null
  name: string | null
}

/** A new push name reaches the chat, and what a search finds the contact by. Undefined: it is no news. */
export async function notePushName(
  tx: Db,
  instanceId: number,
  jid: string,
  pushName: string,
): Promise<RenamedPerson | undefined> {
  const chat = await tx
    .updateTable('chats')
    .set({ push_name: pushName })
    .where('instance_id', '=', instanceId)
    .where('jid', '=', jid)
    .where((eb) => eb.or([eb('push_name', 'is', null), eb('push_name', '<>', pushName)]))
    .returning(['id', 'name'])
    .executeTakeFirst()
  if (!chat) return undefined
  const contact = await tx
    .selectFrom('contacts')
    .select(['id', 'name', 'phone', 'jid'])
    .where('chat_id', '=', chat.id)
    .executeTakeFirst()
  if (!contact) return { contactId: null, name: chat.name }
  await tx
    .updateTable('contacts')
    .set({ search_text: searchText([contact.name, contact.phone, contact.jid, chat.name, pushName]) })
    .where('id', '=', contact.id)
    .execute()
  return { contactId: contact.id, name: contact.name }
}

export async function saveAddress(
  tx: Db,
  instanceId: number,
  lid: string,
  phone: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto('addresses')
    .values({ instance_id: instanceId, lid, phone, updated_at: now })
    .onConflict((oc) => oc.columns(['instance_id', 'lid']).doUpdateSet({ phone, updated_at: now }))
    .execute()
}

/** Instance before message, as everywhere: two transactions never wait for each other. */
export async function lockInstance(tx: Db, instanceId: number): Promise<void> {
  await tx
    .updateTable('instances')
    .set((eb) => ({ queued_count: eb.ref('queued_count') }))
    .where('id', '=', instanceId)
    .execute()
}

/** Received messages that the owner has read; a late word changes nothing. */
export async function markReadByOwner(
  tx: Db,
  read: { instanceId: number; messageIds: string[]; atMs: number; now: number },
): Promise<{ steps: NewEvent[]; chats: string[] }> {
  const { instanceId, messageIds, atMs, now } = read
  const moved = await tx
    .updateTable('messages')
    .set({ status: 'read', read_at: atMs, updated_at: now })
    .where('instance_id', '=', instanceId)
    .where('id', 'in', messageIds)
    .where('direction', '=', 'incoming')
    .where('status', '=', 'delivered')
    .returning(['id', 'chat', 'row_id'])
    .execute()
  const inOrder = moved.sort((a, b) => a.row_id - b.row_id)
  return {
    steps: inOrder.map(({ id, chat }) =>
      messageUpdate({ instanceId, messageId: id, chat, status: 'read', failure: null, at: now }),
    ),
    chats: [...new Set(inOrder.map(({ chat }) => chat))],
  }
}

/** Who reads a message has read those before it: unread is what came after the newest one that was read. */
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
    .select('row_id')
    .where('status', '=', 'read')
    .orderBy('row_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { unread } = await incoming
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('row_id', '>', newest?.row_id ?? 0)
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

export async function saveGroup(tx: Db, row: NewRow<'groups'>): Promise<void> {
  await tx
    .insertInto('groups')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'jid']).doUpdateSet(row))
    .execute()
}

export async function removeGroup(tx: Db, instanceId: number, jid: string): Promise<void> {
  await tx.deleteFrom('groups').where('instance_id', '=', instanceId).where('jid', '=', jid).execute()
}

export async function removeOtherGroups(tx: Db, instanceId: number, jids: string[]): Promise<void> {
  await tx
    .deleteFrom('groups')
    .where('instance_id', '=', instanceId)
    .$if(jids.length > 0, (query) => query.where('jid', 'not in', jids))
    .execute()
}
