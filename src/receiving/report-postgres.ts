// Recording reports of the network on PostgreSQL: the plan of the batch, one statement for each kind of row.

import { searchText } from '../contacts/rules-search-text.ts'
import { appendEvents } from '../events/append-postgres.ts'
import { CHAT_COLUMNS, chatUpdate } from '../events/append-store.ts'
import { contactUpdate, type NewEvent } from '../events/rules-payloads.ts'
import { applyTextChange, indexAgain } from '../messages/text-change-postgres.ts'
import { type PostgresOperation, prepared, type QueryClient } from '../store/engines/postgres/statement.ts'
import type { Row } from '../store/tables.ts'
import {
  type ChatChange,
  chatChanges,
  planReports,
  type ReportPlan,
  SECOND_MS,
  textChanges,
  type Written,
} from './plan-store.ts'
import {
  ADDRESS_CHANGES,
  MESSAGE_COLUMNS,
  type NetworkReport,
  REPLACED_COLUMNS,
  type ReceivedRow,
  type ReportedMessage,
  UNDECRYPTABLE,
} from './report-store.ts'

export const recordReports: PostgresOperation<'recordReports'> = async (client, calls) => {
  const reports = calls.flat()
  const live = await liveReports(client, reports)
  const recorded = [...live]
  const plan = planReports(recorded)
  await writePeople(client, plan)
  const renamed = await saveNames(client, plan.names)
  const written = await writeMessages(client, plan.messages)
  const upserts = plan.messages.flatMap(({ row, events }) => (written.has(row) ? events : []))
  const writtenAs = ({ row }: ReportedMessage) => written.get(row)
  const changed = await changeChats(client, chatChanges(recorded, writtenAs))
  // After the chats have their last messages, which a change of the same batch may concern.
  const edited: NewEvent[] = []
  for (const change of textChanges(recorded, writtenAs)) {
    const events = await applyTextChange(client, change)
    if (!change.isSilent) edited.push(...events)
  }
  await appendEvents(client, [...renamed, ...upserts, ...changed, ...edited])
  return calls.map((call) => call.map((report) => live.has(report)))
}

const LOCK_LIVE_INSTANCES = prepared(
  'lock_live_instances',
  `select id from instances where id = any($1::bigint[]) and deleted_at is null order by id for no key update`,
)
const WAITING_ARRIVALS = prepared(
  'waiting_arrivals',
  `select instance_id, name from inbox join unnest($1::bigint[], $2::text[]) as wanted (instance_id, name)
   using (instance_id, name) where processed_at is null`,
)
const MARK_PROCESSED = prepared(
  'mark_processed',
  `update inbox set processed_at = done.now from unnest($1::bigint[], $2::text[], $3::bigint[]) as done (instance_id, name, now)
   where inbox.instance_id = done.instance_id and inbox.name = done.name and processed_at is null`,
)

/** The arrivals are read after their instances are locked, so that no other transaction processes them at the same time. */
async function liveReports(client: QueryClient, reports: NetworkReport[]): Promise<Set<NetworkReport>> {
  const ids = [...new Set(reports.map(({ instanceId }) => instanceId))]
  const instances = await client.query<{ id: number }>(LOCK_LIVE_INSTANCES([ids]))
  const alive = new Set(instances.rows.map(({ id }) => id))
  const arrived = reports.flatMap(({ instanceId, arrival, now }) =>
    arrival ? [{ instanceId, now, ...arrival }] : [],
  )
  const { rows } = await client.query<{ instance_id: number; name: string }>(
    WAITING_ARRIVALS(columnsOf(arrived, ['instanceId', 'name'])),
  )
  const waiting = new Set(rows.map((row) => `${row.instance_id} ${row.name}`))
  const processed = arrived.filter(({ isProcessed }) => isProcessed)
  if (processed.length > 0)
    await client.query(MARK_PROCESSED(columnsOf(processed, ['instanceId', 'name', 'now'])))
  // A repeated report of the same arrival in one batch finds it processed.
  const isWaiting = ({ instanceId, arrival }: NetworkReport): boolean => {
    if (!arrival) return true
    const key = `${instanceId} ${arrival.name}`
    return arrival.isProcessed ? waiting.delete(key) : waiting.has(key)
  }
  return new Set(reports.filter((report) => alive.has(report.instanceId) && isWaiting(report)))
}

const CLEAR_NUMBERS = prepared(
  'clear_unknown_numbers',
  `delete from known_numbers using unnest($1::bigint[], $2::text[]) as known (instance_id, number)
   where known_numbers.instance_id = known.instance_id and known_numbers.number = known.number and jid is null`,
)
const SAVE_ADDRESSES = prepared(
  'save_addresses',
  `insert into addresses (instance_id, lid, phone, updated_at)
   select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
   on conflict (instance_id, lid) do update set phone = excluded.phone, updated_at = excluded.updated_at
   where ${ADDRESS_CHANGES}`,
)
/** A name that another person has given up. */
const FREE_USERNAMES = prepared(
  'free_usernames',
  `delete from usernames using unnest($1::bigint[], $2::text[], $3::text[]) as given (instance_id, lid, username)
   where usernames.instance_id = given.instance_id and usernames.username = given.username and usernames.lid <> given.lid`,
)
const SAVE_USERNAMES = prepared(
  'save_usernames',
  `insert into usernames (instance_id, lid, username, updated_at)
   select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
   on conflict (instance_id, lid) do update set username = excluded.username, updated_at = excluded.updated_at`,
)
const ENSURE_CHATS = prepared(
  'ensure_chats',
  `insert into chats (instance_id, jid, is_group, active_at, created_at, updated_at, disappearing_seconds)
   select instance_id, jid, case when is_group then 1 else 0 end, at, at, at,
     coalesce((select disappearing_seconds from groups
       where groups.instance_id = given.instance_id and groups.jid = given.jid), 0)
   from unnest($1::bigint[], $2::text[], $3::boolean[], $4::bigint[]) as given (instance_id, jid, is_group, at)
   on conflict (instance_id, jid) do nothing`,
)

async function writePeople(client: QueryClient, plan: ReportPlan): Promise<void> {
  const { numbers, addresses, usernames, chats } = plan
  if (numbers.length > 0) await client.query(CLEAR_NUMBERS(columnsOf(numbers, ['instanceId', 'number'])))
  if (addresses.length > 0)
    await client.query(SAVE_ADDRESSES(columnsOf(addresses, ['instanceId', 'lid', 'phone', 'now'])))
  if (usernames.length > 0) {
    await client.query(FREE_USERNAMES(columnsOf(usernames, ['instanceId', 'lid', 'username'])))
    await client.query(SAVE_USERNAMES(columnsOf(usernames, ['instanceId', 'lid', 'username', 'now'])))
  }
  if (chats.length > 0)
    await client.query(ENSURE_CHATS(columnsOf(chats, ['instanceId', 'jid', 'isGroup', 'at'])))
}

const SAVE_NAMES = prepared(
  'save_push_names',
  `with renamed as (
    update chats set push_name = given.push_name
    from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality as given (instance_id, jid, push_name, ordinal)
    where chats.instance_id = given.instance_id and chats.jid = given.jid and chats.push_name is distinct from given.push_name
    returning ordinal::integer as ordinal, chats.id, chats.name
  )
  select ordinal, renamed.name as "chatName", contacts.id as "contactId", contacts.name, contacts.phone, contacts.jid
  from renamed left join contacts on contacts.chat_id = renamed.id order by ordinal`,
)
const SAVE_SEARCH_TEXTS = prepared(
  'save_search_texts',
  `update contacts set search_text = given.search_text
   from unnest($1::bigint[], $2::text[]) as given (id, search_text) where contacts.id = given.id`,
)

interface RenamedRow {
  ordinal: number
  chatName: string | null
  contactId: number | null
  name: string | null
  phone: string | null
  jid: string | null
}

/** Saves new push names in the chats and in the search texts of the contacts. */
async function saveNames(client: QueryClient, names: ReportPlan['names']): Promise<NewEvent[]> {
  if (names.length === 0) return []
  const given = names.map(({ instanceId, person, pushName }) => ({ instanceId, jid: person.jid, pushName }))
  const { rows } = await client.query<RenamedRow>(
    SAVE_NAMES(columnsOf(given, ['instanceId', 'jid', 'pushName'])),
  )
  const renamed = rows.map((row) => Object.assign(row, names[row.ordinal - 1] as ReportPlan['names'][number]))
  const contacts = renamed.flatMap(({ contactId, name, phone, jid, chatName, pushName }) =>
    contactId === null ? [] : [{ contactId, text: searchText([name, phone, jid, chatName, pushName]) }],
  )
  if (contacts.length > 0) await client.query(SAVE_SEARCH_TEXTS(columnsOf(contacts, ['contactId', 'text'])))
  return renamed.flatMap(({ isSilent, instanceId, contactId, name, chatName, person, now }) =>
    isSilent
      ? []
      : [contactUpdate({ instanceId, contactId, name: contactId === null ? chatName : name, person }, now)],
  )
}

const COLUMN_NAMES = MESSAGE_COLUMNS.map(({ name }) => name)
const REPLACED_NAMES = ['instance_id', 'id', 'direction', ...REPLACED_COLUMNS] as const
const typeOf = (name: keyof ReceivedRow) =>
  MESSAGE_COLUMNS.find((column) => column.name === name)?.type ?? 'text'
const INSERT_MESSAGES = prepared(
  'insert_received',
  `insert into messages (${COLUMN_NAMES.join(', ')})
   select ${COLUMN_NAMES.join(', ')}
   from unnest(${MESSAGE_COLUMNS.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')}) with ordinality
     as given (${COLUMN_NAMES.join(', ')}, ordinal) order by ordinal
   on conflict (instance_id, id, direction) do nothing
   returning row_id, instance_id, id, direction`,
)
const WANT_FILES = prepared(
  'want_files',
  `insert into received_files (message_row_id, instance_id, status, due_at, created_at)
   select row_id, instance_id, 'wanted', now, now
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as given (row_id, instance_id, now)`,
)

const REPLACE_PLACEHOLDERS = prepared(
  'replace_undecryptable',
  `update messages set ${REPLACED_COLUMNS.map((name) => `${name} = given.${name}`).join(', ')}
   from unnest(${REPLACED_NAMES.map((name, index) => `$${index + 1}::${typeOf(name)}[]`).join(', ')})
     as given (${REPLACED_NAMES.join(', ')})
   where messages.instance_id = given.instance_id and messages.id = given.id
     and messages.direction = given.direction and messages.kind = '${UNDECRYPTABLE}'
   returning messages.row_id, messages.instance_id, messages.id, messages.direction`,
)

interface MessageKey {
  instance_id: number
  id: string
  direction: string
}
const keyOf = (row: MessageKey) => `${row.instance_id} ${row.direction} ${row.id}`

/** The rows of `rows` that a statement has written, with their ids. Of rows with the same key, the first. */
async function writeRows(
  client: QueryClient,
  rows: readonly ReceivedRow[],
  statement: ReturnType<ReturnType<typeof prepared>>,
): Promise<Map<ReceivedRow, number>> {
  const { rows: found } = await client.query<MessageKey & { row_id: number }>(statement)
  const ids = new Map(found.map((row) => [keyOf(row), row.row_id]))
  const written = new Map<ReceivedRow, number>()
  for (const row of rows) {
    const rowId = ids.get(keyOf(row))
    if (rowId !== undefined) written.set(row, rowId)
    ids.delete(keyOf(row))
  }
  return written
}

/** Of messages that the batch holds twice, and of those that are stored already, none is new again. */
async function writeMessages(
  client: QueryClient,
  messages: readonly ReportedMessage[],
): Promise<Map<ReceivedRow, Written>> {
  if (messages.length === 0) return new Map()
  const rows = messages.map(({ row }) => row)
  const columns = (names: readonly (keyof ReceivedRow)[], of: readonly ReceivedRow[]) =>
    names.map((name) => of.map((row) => row[name] ?? null))
  const inserted = await writeRows(client, rows, INSERT_MESSAGES(columns(COLUMN_NAMES, rows)))
  const repeated = rows.filter((row) => !inserted.has(row) && row.kind !== UNDECRYPTABLE)
  const replaced =
    repeated.length === 0
      ? new Map<ReceivedRow, number>()
      : await writeRows(client, repeated, REPLACE_PLACEHOLDERS(columns(REPLACED_NAMES, repeated)))
  for (const [row, rowId] of replaced) await indexAgain(client, { ...row, row_id: rowId })
  const rowIds = new Map([...inserted, ...replaced])
  const wanted = messages.flatMap(({ row, wantsFile }) => {
    const rowId = rowIds.get(row)
    return wantsFile && rowId !== undefined
      ? [{ rowId, instanceId: row.instance_id, now: row.updated_at }]
      : []
  })
  if (wanted.length > 0) await client.query(WANT_FILES(columnsOf(wanted, ['rowId', 'instanceId', 'now'])))
  return new Map([...rowIds].map(([row, rowId]) => [row, { rowId, isNew: inserted.has(row) }]))
}

const IS_NEWEST = `at is not null and (last_message_at is null or last_message_at < at + ${SECOND_MS})`
const CHANGE_CHATS = prepared(
  'change_chats',
  `update chats set name = coalesce(given.name, chats.name),
     unread_count = coalesce(unread_base, unread_count) + unread_added,
     last_message_text = case when ${IS_NEWEST} then text else last_message_text end,
     last_message_at = case when ${IS_NEWEST} then at else last_message_at end,
     last_message_row_id = case when ${IS_NEWEST} then given.row_id else last_message_row_id end,
     last_message_deleted = case when ${IS_NEWEST} then 0 else last_message_deleted end,
     active_at = case when ${IS_NEWEST} then at else active_at end, updated_at = coalesce(at, updated_at)
   from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
     $8::bigint[]) with ordinality as given (instance_id, jid, name, unread_base, unread_added, at, text, row_id, ordinal)
   where chats.instance_id = given.instance_id and chats.jid = given.jid
   returning ordinal::integer as ordinal, ${CHAT_COLUMNS.map((name) => `chats.${name}`).join(', ')}`,
)

async function changeChats(client: QueryClient, changes: ChatChange[]): Promise<NewEvent[]> {
  if (changes.length === 0) return []
  const given = changes.map(({ last, ...change }) => ({
    ...change,
    at: last?.at ?? null,
    text: last?.text ?? null,
    rowId: last?.rowId ?? null,
  }))
  const names = ['instanceId', 'jid', 'name', 'unreadBase', 'unreadAdded', 'at', 'text', 'rowId'] as const
  const { rows } = await client.query<Row<'chats'> & { ordinal: number }>(
    CHANGE_CHATS(columnsOf(given, names)),
  )
  return rows
    .toSorted((a, b) => a.ordinal - b.ordinal)
    .flatMap((row) => {
      const { isSilent, now } = changes[row.ordinal - 1] as ChatChange
      return isSilent ? [] : [chatUpdate(row, now)]
    })
}

/** One array for each column. */
const columnsOf = <T>(rows: readonly T[], names: readonly (keyof T)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]))
