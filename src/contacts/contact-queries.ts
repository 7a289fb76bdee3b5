// Contacts, chats and groups.
import { type RawBuilder, sql } from 'kysely'
import { insideWalls, type RowWalls } from '../accounts/key-queries.ts'
import type { LastMessageRow } from '../chats/rules.ts'
import { type Db, flag, type NewRow, type Row, type RowChange } from '../store/tables.ts'

/** A condition on `contacts.search_text` for a lower-case search text, in the engine's fastest form. */
export type SearchDialect = (needle: string) => RawBuilder<boolean>

export type ContactRow = Row<'contacts'> & {
  chat_name: string | null
  push_name: string | null
  last_message_text: string | null
  last_message_at: number | null
  unread_count: number
  picture_version: number | null
  /** Of the instance. */
  api_name: string
}

/** A picture that is unknown or was removed has no version to show. */
const PRESENT = sql.lit('present')

const withChat = (db: Db) =>
  db
    .selectFrom('contacts')
    .innerJoin('chats', 'chats.id', 'contacts.chat_id')
    .innerJoin('instances', 'instances.id', 'contacts.instance_id')
    .leftJoin('pictures', (join) =>
      join
        .onRef('pictures.instance_id', '=', 'contacts.instance_id')
        .onRef('pictures.jid', '=', 'contacts.jid')
        .on('pictures.status', '=', PRESENT),
    )
    .selectAll('contacts')
    .select(['instances.api_name', 'pictures.version as picture_version'])
    .select([
      'chats.name as chat_name',
      'chats.push_name',
      'chats.last_message_text',
      'chats.last_message_at',
      'chats.unread_count',
    ])

export interface ContactFilter {
  instanceId: number
  includeGroups: boolean
  search: string | undefined
  /** Of the key; undefined: it sees everything. */
  walls?: RowWalls | undefined
  limit: number
  offset: number
}

export interface ContactPage {
  contacts: ContactRow[]
  /** Over all pages. */
  total: number
}

export async function findContacts(
  db: Db,
  search: SearchDialect,
  filter: ContactFilter,
): Promise<ContactPage> {
  if (filter.search === undefined) {
    const [contacts, total] = await Promise.all([
      listContacts(db, search, filter),
      filter.walls ? countMatching(db, search, filter) : countAllContacts(db, filter),
    ])
    return { contacts, total }
  }
  const contacts = await searchContacts(db, search, filter)
  // A page after the last has no row that could carry the total.
  const total = contacts[0]?.total ?? (filter.offset === 0 ? 0 : await countMatching(db, search, filter))
  return { contacts: contacts.map(({ total: _total, ...contact }) => contact), total }
}

/** A page of contacts by name. Its ids are read from an index alone, so that late pages stay cheap. */
async function listContacts(db: Db, search: SearchDialect, filter: ContactFilter): Promise<ContactRow[]> {
  const ids = matching(db, search, filter)
    .select('contacts.id')
    .orderBy('contacts.sort_name')
    .orderBy('contacts.id')
    .limit(filter.limit)
    .offset(filter.offset)
  return withChat(db)
    .where('contacts.id', 'in', ids)
    .orderBy('contacts.sort_name')
    .orderBy('contacts.id')
    .execute()
}

/** Page and total in one pass, because finding all matches is the expensive part of a search. */
async function searchContacts(
  db: Db,
  search: SearchDialect,
  filter: ContactFilter,
): Promise<(ContactRow & { total: number })[]> {
  const page = matching(db, search, filter)
    .select(['contacts.id', sql<number>`count(*) over ()`.as('total')])
    .orderBy('contacts.sort_name')
    .orderBy('contacts.id')
    .limit(filter.limit)
    .offset(filter.offset)
    .as('page')
  return withChat(db)
    .innerJoin(page, 'page.id', 'contacts.id')
    .select('page.total')
    .orderBy('contacts.sort_name')
    .orderBy('contacts.id')
    .execute()
}

/** Read from counters, which are updated when contacts are inserted and deleted. */
async function countAllContacts(db: Db, filter: ContactFilter): Promise<number> {
  const row = await db
    .selectFrom('instances')
    .select(['contact_count', 'saved_group_count'])
    .where('id', '=', filter.instanceId)
    .executeTakeFirst()
  return (row?.contact_count ?? 0) + (filter.includeGroups ? (row?.saved_group_count ?? 0) : 0)
}

async function countMatching(db: Db, search: SearchDialect, filter: ContactFilter): Promise<number> {
  const row = await matching(db, search, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

function matching(db: Db, search: SearchDialect, filter: ContactFilter) {
  let query = db.selectFrom('contacts').where('contacts.instance_id', '=', filter.instanceId)
  // A literal, so that the partial index over people is used.
  if (!filter.includeGroups) query = query.where(sql<boolean>`contacts.is_group = 0`)
  if (filter.search !== undefined) query = query.where(search(filter.search))
  if (filter.walls) query = query.where(insideWalls(filter.walls, 'contacts.jid'))
  return query
}

export const findContact = (db: Db, accountId: number, id: number): Promise<ContactRow | undefined> =>
  withChat(db).where('contacts.id', '=', id).where('contacts.account_id', '=', accountId).executeTakeFirst()

export const findContactByJid = (db: Db, instanceId: number, jid: string): Promise<ContactRow | undefined> =>
  withChat(db)
    .where('contacts.instance_id', '=', instanceId)
    .where('contacts.jid', '=', jid)
    .executeTakeFirst()

/** The people among the saved contacts of an instance. */
export async function listContactJids(db: Db, instanceId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('contacts')
    .select('jid')
    .where('instance_id', '=', instanceId)
    .where(sql<boolean>`is_group = 0`)
    .orderBy('id')
    .execute()
  return rows.map(({ jid }) => jid)
}

/** False when another request saved the same contact first. */
export async function insertContact(tx: Db, row: NewRow<'contacts'>): Promise<boolean> {
  const inserted = await tx
    .insertInto('contacts')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'jid']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) await countOnInstance(tx, row.instance_id, row.is_group === 1, 1)
  return inserted !== undefined
}

export async function updateContact(tx: Db, id: number, change: RowChange<'contacts'>): Promise<void> {
  await tx.updateTable('contacts').set(change).where('id', '=', id).execute()
}

/** The caller's transaction has locked the instance, and read the contact afterwards. */
export async function deleteContact(tx: Db, contact: ContactRow): Promise<void> {
  await tx.deleteFrom('contacts').where('id', '=', contact.id).execute()
  await countOnInstance(tx, contact.instance_id, contact.is_group === 1, -1)
}

async function countOnInstance(tx: Db, instanceId: number, isGroup: boolean, by: 1 | -1): Promise<void> {
  const column = isGroup ? 'saved_group_count' : 'contact_count'
  await tx
    .updateTable('instances')
    .set((eb) => ({ [column]: eb(column, '+', by) }))
    .where('id', '=', instanceId)
    .execute()
}

/** The chat with this identifier, inserted if it is new. */
export async function ensureChat(
  tx: Db,
  chat: { instanceId: number; jid: string; isGroup: boolean; now: number },
): Promise<Row<'chats'>> {
  await tx
    .insertInto('chats')
    .values({
      instance_id: chat.instanceId,
      jid: chat.jid,
      is_group: chat.isGroup ? 1 : 0,
      active_at: chat.now,
      created_at: chat.now,
      updated_at: chat.now,
      name: null,
      push_name: null,
      last_message_text: null,
      last_message_at: null,
      disappearing_seconds: sql<number>`coalesce((select disappearing_seconds from groups
        where instance_id = ${chat.instanceId} and jid = ${chat.jid}), 0)`,
    })
    .onConflict((oc) => oc.columns(['instance_id', 'jid']).doNothing())
    .execute()
  return tx
    .selectFrom('chats')
    .selectAll()
    .where('instance_id', '=', chat.instanceId)
    .where('jid', '=', chat.jid)
    .executeTakeFirstOrThrow()
}

export type ChatRow = Row<'chats'> &
  LastMessageRow & { contact_id: number | null; contact_name: string | null; picture_version: number | null }

const withContact = (db: Db, instanceId: number) =>
  db
    .selectFrom('chats')
    .leftJoin('contacts', 'contacts.chat_id', 'chats.id')
    .leftJoin('pictures', (join) =>
      join
        .onRef('pictures.instance_id', '=', 'chats.instance_id')
        .onRef('pictures.jid', '=', 'chats.jid')
        .on('pictures.status', '=', PRESENT),
    )
    .leftJoin('messages', 'messages.row_id', 'chats.last_message_row_id')
    .selectAll('chats')
    .select([
      'contacts.id as contact_id',
      'contacts.name as contact_name',
      'pictures.version as picture_version',
      'messages.id as last_id',
      'messages.direction as last_direction',
      'messages.kind as last_kind',
      'messages.status as last_status',
      'messages.content as last_content',
    ])
    .where('chats.instance_id', '=', instanceId)

export const findChat = (db: Db, instanceId: number, jid: string): Promise<ChatRow | undefined> =>
  withContact(db, instanceId).where('chats.jid', '=', jid).executeTakeFirst()

/** What is undefined does not restrict the list. */
interface ChatFilter {
  instanceId: number
  /** The identifiers of one chat. */
  jids: string[] | undefined
  archived: boolean | undefined
  pinned: boolean | undefined
  unread?: boolean | undefined
  /** Only chats with the label of this id. */
  label: string | undefined
  /** Only chats that are assigned to this user; null: to none. */
  assignedTo?: number | null | undefined
  /** Of the key. */
  walls?: RowWalls | undefined
}

export const listChats = (
  db: Db,
  filter: ChatFilter & { limit: number; offset: number },
): Promise<ChatRow[]> =>
  withContact(db, filter.instanceId)
    .$if(filter.jids !== undefined, (query) => query.where('chats.jid', 'in', filter.jids ?? []))
    .$if(filter.archived !== undefined, (query) =>
      query.where('chats.archived', '=', flag(filter.archived === true)),
    )
    .$if(filter.pinned !== undefined, (query) =>
      query.where('chats.pinned', '=', flag(filter.pinned === true)),
    )
    .$if(filter.unread === true, (query) =>
      query.where((eb) => eb.or([eb('chats.unread_count', '>', 0), eb('chats.marked_unread', '=', 1)])),
    )
    .$if(filter.unread === false, (query) =>
      query.where('chats.unread_count', '=', 0).where('chats.marked_unread', '=', 0),
    )
    .$if(filter.label !== undefined, (query) =>
      query.where('chats.id', 'in', (eb) =>
        eb
          .selectFrom('chat_labels')
          .select('chat_id')
          .where('instance_id', '=', filter.instanceId)
          .where('label_id', '=', filter.label ?? ''),
      ),
    )
    .$if(filter.assignedTo !== undefined, (query) =>
      query.where('chats.assigned_user_id', 'is not distinct from', filter.assignedTo ?? null),
    )
    .$if(filter.walls !== undefined, (query) =>
      query.where(insideWalls(filter.walls as RowWalls, 'chats.jid')),
    )
    .orderBy('chats.active_at', 'desc')
    .orderBy('chats.id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()

export type GroupRow = Row<'groups'> & { picture_version: number | null }

const withPicture = (db: Db, instanceId: number) =>
  db
    .selectFrom('groups')
    .leftJoin('pictures', (join) =>
      join
        .onRef('pictures.instance_id', '=', 'groups.instance_id')
        .onRef('pictures.jid', '=', 'groups.jid')
        .on('pictures.status', '=', PRESENT),
    )
    .selectAll('groups')
    .select('pictures.version as picture_version')
    .where('groups.instance_id', '=', instanceId)

export const findGroup = (db: Db, instanceId: number, jid: string): Promise<GroupRow | undefined> =>
  withPicture(db, instanceId).where('groups.jid', '=', jid).executeTakeFirst()

export const listGroups = (db: Db, instanceId: number, walls?: RowWalls): Promise<GroupRow[]> =>
  withPicture(db, instanceId)
    .$if(walls !== undefined, (query) => query.where(insideWalls(walls as RowWalls, 'groups.jid')))
    .execute()
