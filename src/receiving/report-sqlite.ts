// Recording reports of the network on SQLite: the plan of the batch, row by row.

import { searchText } from '../contacts/rules-search-text.ts'
import { CHAT_COLUMNS, chatUpdate } from '../events/append-store.ts'
import { contactUpdate, type NewEvent } from '../events/rules-payloads.ts'
import { applyTextChange, indexAgain } from '../messages/text-change-sqlite.ts'
import type { HotTransaction, SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
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

export const recordReports: SqliteOperation<'recordReports'> = (tx, calls) => {
  const reports = calls.flat()
  const live = new Set(reports.filter((report) => isLive(tx, report)))
  const recorded = [...live]
  const plan = planReports(recorded)
  writePeople(tx, plan)
  const renamed = plan.names.flatMap((name) => saveName(tx, name))
  const written = new Map<ReportedMessage['row'], Written>()
  for (const { row, wantsFile } of plan.messages) {
    const inserted = insertMessage(tx, row)
    const rowId = inserted ?? replacePlaceholder(tx, row)
    if (rowId === undefined) continue
    written.set(row, { rowId, isNew: inserted !== undefined })
    if (inserted === undefined) indexAgain(tx, { ...row, row_id: rowId })
    if (wantsFile) insertFileRow(tx, rowId, row)
  }
  const upserts = plan.messages.flatMap(({ row, events }) => (written.has(row) ? events : []))
  const writtenAs = ({ row }: ReportedMessage) => written.get(row)
  const changed = chatChanges(recorded, writtenAs).flatMap((change) => changeChat(tx, change))
  // After the chats have their last messages, which a change of the same batch may concern.
  const edited = textChanges(recorded, writtenAs).flatMap((change) => {
    const events = applyTextChange(tx, change)
    return change.isSilent ? [] : events
  })
  tx.append([...renamed, ...upserts, ...changed, ...edited])
  return calls.map((call) => call.map((report) => live.has(report)))
}

function isLive({ prepare }: HotTransaction, { instanceId, arrival, now }: NetworkReport): boolean {
  if (!prepare('select 1 from instances where id = ? and deleted_at is null').get(instanceId)) return false
  if (!arrival) return true
  const waits = prepare('select 1 from inbox where instance_id = ? and name = ? and processed_at is null')
  if (!waits.get(instanceId, arrival.name)) return false
  if (arrival.isProcessed) {
    const mark = prepare('update inbox set processed_at = ? where instance_id = ? and name = ?')
    mark.run(now, instanceId, arrival.name)
  }
  return true
}

function writePeople({ prepare }: HotTransaction, plan: ReportPlan): void {
  const { numbers, addresses, usernames, chats } = plan
  for (const { instanceId, number } of numbers)
    prepare('delete from known_numbers where instance_id = ? and number = ? and jid is null').run(
      instanceId,
      number,
    )
  for (const { instanceId, lid, phone, now } of addresses)
    prepare(
      `insert into addresses (instance_id, lid, phone, updated_at) values (?1, ?2, ?3, ?4)
       on conflict (instance_id, lid) do update set phone = ?3, updated_at = ?4 where ${ADDRESS_CHANGES}`,
    ).run(instanceId, lid, phone, now)
  for (const { instanceId, lid, username, now } of usernames) {
    // A name that another person has given up.
    prepare('delete from usernames where instance_id = ? and username = ? and lid <> ?').run(
      instanceId,
      username,
      lid,
    )
    prepare(
      `insert into usernames (instance_id, lid, username, updated_at) values (?1, ?2, ?3, ?4)
       on conflict (instance_id, lid) do update set username = ?3, updated_at = ?4`,
    ).run(instanceId, lid, username, now)
  }
  for (const { instanceId, jid, isGroup, at } of chats)
    prepare(
      `insert into chats (instance_id, jid, is_group, active_at, created_at, updated_at, disappearing_seconds)
       values (?1, ?2, ?3, ?4, ?4, ?4,
         coalesce((select disappearing_seconds from groups where instance_id = ?1 and jid = ?2), 0))
       on conflict (instance_id, jid) do nothing`,
    ).run(instanceId, jid, isGroup ? 1 : 0, at)
}

/** Saves a new push name in the chat and in the search text of the contact. */
function saveName(
  { prepare }: HotTransaction,
  { instanceId, person, pushName, now, isSilent }: ReportPlan['names'][number],
): NewEvent[] {
  const chat = prepare(
    `update chats set push_name = ?3 where instance_id = ?1 and jid = ?2 and push_name is not ?3 returning id, name`,
  ).get(instanceId, person.jid, pushName) as Pick<Row<'chats'>, 'id' | 'name'> | undefined
  if (!chat) return []
  const contact = prepare('select id, name, phone, jid from contacts where chat_id = ?').get(chat.id) as
    | Pick<Row<'contacts'>, 'id' | 'name' | 'phone' | 'jid'>
    | undefined
  if (contact)
    prepare('update contacts set search_text = ? where id = ?').run(
      searchText([contact.name, contact.phone, contact.jid, chat.name, pushName]),
      contact.id,
    )
  const name = contact ? contact.name : chat.name
  return isSilent ? [] : [contactUpdate({ instanceId, contactId: contact?.id ?? null, name, person }, now)]
}

const INSERT_MESSAGE = `insert into messages (${MESSAGE_COLUMNS.map(({ name }) => name).join(', ')})
  values (${MESSAGE_COLUMNS.map(() => '?').join(', ')})
  on conflict (instance_id, id, direction) do nothing returning row_id`

/** Undefined: the message is stored already, because the network may deliver it twice. */
function insertMessage({ prepare }: HotTransaction, row: ReceivedRow): number | undefined {
  const inserted = prepare(INSERT_MESSAGE).get(...MESSAGE_COLUMNS.map(({ name }) => row[name] ?? null))
  return inserted && Number(inserted.row_id)
}

const REPLACE_PLACEHOLDER = `update messages set ${REPLACED_COLUMNS.map((name) => `${name} = ?`).join(', ')}
  where instance_id = ? and id = ? and direction = ? and kind = ? returning row_id`

/** The content of a message that is stored as one that could not be decrypted. Undefined: there is none. */
function replacePlaceholder({ prepare }: HotTransaction, row: ReceivedRow): number | undefined {
  if (row.kind === UNDECRYPTABLE) return undefined
  const columns = REPLACED_COLUMNS.map((name) => row[name] ?? null)
  const replaced = prepare(REPLACE_PLACEHOLDER).get(
    ...columns,
    row.instance_id,
    row.id,
    row.direction,
    UNDECRYPTABLE,
  )
  return replaced && Number(replaced.row_id)
}

function insertFileRow({ prepare }: HotTransaction, rowId: number, row: ReceivedRow): void {
  prepare(
    `insert into received_files (message_row_id, instance_id, status, due_at, created_at)
     values (?1, ?2, 'wanted', ?3, ?3)`,
  ).run(rowId, row.instance_id, row.updated_at)
}

function changeChat({ prepare }: HotTransaction, change: ChatChange): NewEvent[] {
  const { instanceId, jid, name, unreadBase, unreadAdded, last, now, isSilent } = change
  const isNewest = `?6 is not null and (last_message_at is null or last_message_at < ?6 + ${SECOND_MS})`
  const row = prepare(
    `update chats set name = coalesce(?3, name), unread_count = coalesce(?4, unread_count) + ?5,
       last_message_text = case when ${isNewest} then ?7 else last_message_text end,
       last_message_at = case when ${isNewest} then ?6 else last_message_at end,
       last_message_row_id = case when ${isNewest} then ?8 else last_message_row_id end,
       last_message_deleted = case when ${isNewest} then 0 else last_message_deleted end,
       active_at = case when ${isNewest} then ?6 else active_at end, updated_at = coalesce(?6, updated_at)
     where instance_id = ?1 and jid = ?2
     returning ${CHAT_COLUMNS.join(', ')}`,
  ).get(
    instanceId,
    jid,
    name,
    unreadBase,
    unreadAdded,
    last?.at ?? null,
    last?.text ?? null,
    last?.rowId ?? null,
  )
  return isSilent ? [] : [chatUpdate(row as unknown as Row<'chats'>, now)]
}
