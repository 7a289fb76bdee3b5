// What the network tells: received messages, receipts, people and groups, written where the API reads them.
import { GROUP_JID_PATTERN, isGroupJid } from '../../rules/jid.ts'
import type { Db, NewRow, Row } from '../tables.ts'
import { ensureChat, searchText } from './contacts.ts'
import { removePicture } from './pictures.ts'

/** The new row's id; undefined: the message is stored already, because the network may deliver it twice. */
export async function insertReceived(tx: Db, row: NewRow<'messages'>): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('messages')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'id', 'direction']).doNothing())
    .returning('row_id')
    .executeTakeFirst()
  return inserted?.row_id
}

/** Saves a chat as the phone reports it: its name and its unread count. */
export async function noteChat(
  tx: Db,
  chat: { instanceId: number; jid: string; name: string | null; unreadCount: number; now: number },
): Promise<Row<'chats'>> {
  const { id } = await ensureChat(tx, { ...chat, isGroup: isGroupJid(chat.jid) })
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

/** The network reports times in whole seconds; messages sent from here have milliseconds. */
const SECOND_MS = 1000

/** The newest message becomes the chat's last one. Within one second, the one that arrived last. */
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

/** Saves a new push name in the chat and in the search text of the contact. Undefined: the name is unchanged. */
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

/** The hidden identifier that the network reported last for a number; null: none yet. */
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

/** The number of a hidden identifier; null: the network has not reported it yet. */
export async function findPhone(db: Db, instanceId: number, lid: string): Promise<string | null> {
  const row = await db
    .selectFrom('addresses')
    .select('phone')
    .where('instance_id', '=', instanceId)
    .where('lid', '=', lid)
    .executeTakeFirst()
  return row?.phone ?? null
}

export async function saveGroup(tx: Db, row: NewRow<'groups'>): Promise<void> {
  await tx
    .insertInto('groups')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'jid']).doUpdateSet(row))
    .execute()
}

/** Deletes its picture as well. */
export async function removeGroup(tx: Db, instanceId: number, jid: string): Promise<void> {
  await tx.deleteFrom('groups').where('instance_id', '=', instanceId).where('jid', '=', jid).execute()
  await removePicture(tx, { instanceId, jid })
}

export async function removeOtherGroups(tx: Db, instanceId: number, jids: string[]): Promise<void> {
  await tx
    .deleteFrom('groups')
    .where('instance_id', '=', instanceId)
    .$if(jids.length > 0, (query) => query.where('jid', 'not in', jids))
    .execute()
  await tx
    .deleteFrom('pictures')
    .where('instance_id', '=', instanceId)
    .where('jid', 'like', GROUP_JID_PATTERN)
    .$if(jids.length > 0, (query) => query.where('jid', 'not in', jids))
    .execute()
}
