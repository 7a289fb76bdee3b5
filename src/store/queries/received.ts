// What the network tells: received messages, receipts, people and groups, written where the API reads them.
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

/** The hidden identifier that the network last gave for a number; null where it gave none yet. */
export async function findLid(db: Db, instanceId: number, phone: string): Promise<string | null> {
  const row = await db
    .selectFrom('addresses')
    .select('lid')
    .where('instance_id', '=', instanceId)
    .where('phone', '=', phone)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.lid ?? null
}

/** Instance before message, as everywhere: two transactions never wait for each other. */
export async function lockInstance(tx: Db, instanceId: number): Promise<void> {
  await tx
    .updateTable('instances')
    .set((eb) => ({ queued_count: eb.ref('queued_count') }))
    .where('id', '=', instanceId)
    .execute()
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
