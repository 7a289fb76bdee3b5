// Contacts, chats, groups and number checks (spec 2.3, 4.3, decisions 7).
import type { z } from 'zod'
import type { Chat, Contact, Group } from '../contract/contacts.ts'
import { GatewayError } from '../errors.ts'
import * as rows from '../store/queries/contacts.ts'
import { findLid, lockInstance } from '../store/queries/received.ts'
import { giveBackUsage } from '../store/queries/usage.ts'
import { type Db, flag, type Row, type RowChange } from '../store/tables.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { contactUpdate } from './event-payloads.ts'
import { requireInstance, toReference } from './instances.ts'
import { takeQuota } from './quota.ts'
import { iso, isoOrNull } from './time.ts'

const isGroupJid = (jid: string): boolean => jid.endsWith('@g.us')
const personJid = (phone: string): string => `${phone}@s.whatsapp.net`
/** A person known by a hidden identifier only has no number to show. */
const phoneOf = (jid: string): string | null =>
  jid.endsWith('@s.whatsapp.net') ? (jid.split('@')[0] ?? null) : null

export interface ContactQuery {
  instanceName: string
  search?: string | undefined
  page: number
  limit: number
  includeGroups: boolean
}

export async function listContacts(deps: Deps, caller: Caller, query: ContactQuery) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const filter = {
    instanceId: instance.id,
    includeGroups: query.includeGroups,
    search: query.search === '' ? undefined : query.search?.toLowerCase(),
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
  }
  const { contacts, total } = await rows.findContacts(deps.store.db, deps.store.search, filter)
  return {
    instance: toReference(instance),
    contacts: contacts.map(toContact),
    total,
    hasMore: filter.offset + contacts.length < total,
  }
}

export interface ContactFields {
  name?: string | undefined
  notes?: string | null | undefined
  customData?: Record<string, unknown> | undefined
  assignedUserId?: number | null | undefined
  assignedDepartmentId?: number | null | undefined
  funnelStageId?: number | null | undefined
  showTimeInStage?: boolean | undefined
}

export interface NewContact extends ContactFields {
  instanceName: string
  name: string
  phone?: string | undefined
  remoteJid?: string | undefined
}

export async function saveContact(deps: Deps, caller: Caller, input: NewContact) {
  const instance = await requireInstance(deps, caller.account.id, input.instanceName)
  const jid = input.remoteJid ?? personJid(input.phone ?? '')
  const saved = await deps.store.transaction(async (tx) => {
    const find = () => rows.findContactByJid(tx, instance.id, jid)
    await lockInstance(tx, instance.id)
    const known = await find()
    if (known) await rows.updateContact(tx, known.id, changeOf(known, input, deps.clock()))
    else await insertContact(deps, tx, caller, { instanceId: instance.id, jid, input })
    return tell(deps, tx, await find())
  })
  if (!saved) throw new GatewayError('contact_not_found')
  return toContact(saved)
}

/** Whoever changes a contact says so in the same transaction. */
async function tell(deps: Deps, tx: Db, row: rows.ContactRow | undefined) {
  if (row) await deps.store.appendEvents(tx, [contactUpdate(await changedContact(tx, row), deps.clock())])
  return row
}

const changedContact = async (tx: Db, row: rows.ContactRow) => ({
  instanceId: row.instance_id,
  contactId: row.id,
  name: row.name,
  person: { jid: row.jid, lid: await lidOf(tx, row), phone: row.phone, pushName: row.push_name },
})

const lidOf = async (tx: Db, { instance_id, jid, phone }: rows.ContactRow): Promise<string | null> => {
  if (jid.endsWith('@lid')) return jid
  return phone === null ? null : findLid(tx, instance_id, phone)
}

async function insertContact(
  deps: Deps,
  tx: Db,
  caller: Caller,
  { instanceId, jid, input }: { instanceId: number; jid: string; input: NewContact },
): Promise<void> {
  const now = deps.clock()
  const isGroup = isGroupJid(jid)
  const chat = await rows.ensureChat(tx, { instanceId, jid, isGroup, now })
  const phone = phoneOf(jid)
  await rows.insertContact(tx, {
    account_id: caller.account.id,
    instance_id: instanceId,
    chat_id: chat.id,
    name: input.name,
    phone,
    jid,
    is_group: flag(isGroup),
    profile_picture_url: null,
    assigned_user_id: input.assignedUserId ?? null,
    assigned_department_id: input.assignedDepartmentId ?? null,
    funnel_stage_id: input.funnelStageId ?? null,
    notes: input.notes ?? null,
    custom_data: JSON.stringify(input.customData ?? {}),
    show_time_in_stage: flag(input.showTimeInStage ?? false),
    sort_name: input.name.toLowerCase(),
    search_text: rows.searchText([input.name, phone, jid, chat.name, chat.push_name]),
    created_at: now,
    updated_at: now,
  })
  // The instance comes before the usage, as in every other transaction that holds both.
  await takeQuota(tx, caller.account.id, caller.plan, 'contacts')
}

export async function getContact(deps: Deps, caller: Caller, id: number) {
  return toContact(await requireContact(deps.store.db, caller, id))
}

export async function updateContact(deps: Deps, caller: Caller, id: number, fields: ContactFields) {
  const saved = await deps.store.transaction(async (tx) => {
    await lockInstance(tx, (await requireContact(tx, caller, id)).instance_id)
    const known = await requireContact(tx, caller, id)
    await rows.updateContact(tx, id, changeOf(known, fields, deps.clock()))
    return tell(deps, tx, await requireContact(tx, caller, id))
  })
  if (!saved) throw new GatewayError('contact_not_found')
  return toContact(saved)
}

export async function deleteContact(deps: Deps, caller: Caller, id: number): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const known = await requireContact(tx, caller, id)
    const gone = await rows.deleteContact(tx, known)
    if (!gone) throw new GatewayError('contact_not_found')
    await giveBackUsage(tx, { accountId: caller.account.id, resource: 'contacts', period: 0 })
    // A contact without an id is one that is saved no more.
    const removed = { ...(await changedContact(tx, known)), contactId: null }
    await deps.store.appendEvents(tx, [contactUpdate(removed, deps.clock())])
  })
}

async function requireContact(db: Db, caller: Caller, id: number): Promise<rows.ContactRow> {
  const row = await rows.findContact(db, caller.account.id, id)
  if (!row) throw new GatewayError('contact_not_found')
  return row
}

/** What is omitted stays as it was. */
function changeOf(known: rows.ContactRow, fields: ContactFields, now: number): RowChange<'contacts'> {
  const name = fields.name ?? known.name
  const change: RowChange<'contacts'> = {
    name,
    sort_name: name.toLowerCase(),
    search_text: rows.searchText([name, known.phone, known.jid, known.chat_name, known.push_name]),
    updated_at: now,
  }
  if (fields.notes !== undefined) change.notes = fields.notes
  if (fields.customData !== undefined) change.custom_data = JSON.stringify(fields.customData)
  if (fields.assignedUserId !== undefined) change.assigned_user_id = fields.assignedUserId
  if (fields.assignedDepartmentId !== undefined) change.assigned_department_id = fields.assignedDepartmentId
  if (fields.funnelStageId !== undefined) change.funnel_stage_id = fields.funnelStageId
  if (fields.showTimeInStage !== undefined) change.show_time_in_stage = flag(fields.showTimeInStage)
  return change
}

export async function listChats(
  deps: Deps,
  caller: Caller,
  query: { instanceName: string; page: number; limit: number },
) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const found = await rows.listChats(deps.store.db, {
    instanceId: instance.id,
    limit: query.limit + 1,
    offset: (query.page - 1) * query.limit,
  })
  return {
    instance: toReference(instance),
    chats: found.slice(0, query.limit).map(toChat),
    hasMore: found.length > query.limit,
  }
}

export async function listGroups(
  deps: Deps,
  caller: Caller,
  query: { instanceName: string; participants: boolean },
) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const found = await rows.listGroups(deps.store.db, instance.id)
  const groups = found.map((row) => toGroup(row, query.participants))
  return {
    instance: toReference(instance),
    groups: groups.sort((a, b) => compare(a.subject, b.subject) || compare(a.groupJid, b.groupJid)),
  }
}

export async function checkNumber(
  deps: Deps,
  caller: Caller,
  query: { instanceName: string; number: string },
) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  if (instance.state !== 'open') throw new GatewayError('instance_not_connected')
  const answer = await deps.sessions.checkNumber(instance.id, query.number)
  return { ...answer, number: query.number, instance: instance.api_name }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const toContact = (row: rows.ContactRow): z.output<typeof Contact> => ({
  id: row.id,
  name: row.name,
  phone: row.phone,
  remoteJid: row.jid,
  isGroup: row.is_group === 1,
  profilePicUrl: row.profile_picture_url,
  profilePictureUrl: row.profile_picture_url,
  chat: {
    id: row.chat_id,
    name: row.chat_name,
    pushName: row.push_name,
    lastMessageText: row.last_message_text,
    lastMessageTimestamp: isoOrNull(row.last_message_at),
    unreadCount: row.unread_count,
  },
  assignedUserId: row.assigned_user_id,
  assignedDepartmentId: row.assigned_department_id,
  funnelStageId: row.funnel_stage_id,
  notes: row.notes,
  customData: JSON.parse(row.custom_data) as z.output<typeof Contact>['customData'],
  showTimeInStage: row.show_time_in_stage === 1,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})

export const toChat = (row: rows.ChatRow): z.output<typeof Chat> => ({
  id: row.id,
  name: row.name,
  pushName: row.push_name,
  lastMessageText: row.last_message_text,
  lastMessageTimestamp: isoOrNull(row.last_message_at),
  unreadCount: row.unread_count,
  remoteJid: row.jid,
  phone: phoneOf(row.jid),
  isGroup: row.is_group === 1,
  contactId: row.contact_id,
})

const toGroup = (row: Row<'groups'>, withParticipants: boolean): z.output<typeof Group> => ({
  id: row.jid,
  groupJid: row.jid,
  subject: row.subject,
  description: row.description,
  ownerJid: row.owner_jid,
  createdAt: isoOrNull(row.group_created_at),
  size: row.size,
  isAdmin: row.is_admin === 1,
  isAnnouncement: row.is_announcement === 1,
  isLocked: row.is_locked === 1,
  profilePictureUrl: row.profile_picture_url,
  ...(withParticipants
    ? { participants: JSON.parse(row.participants) as NonNullable<z.output<typeof Group>['participants']> }
    : {}),
})
