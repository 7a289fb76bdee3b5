// Contacts that an account saves for the chats of its instances.
import type { z } from 'zod'
import { decrementUsage } from '../accounts/account-queries.ts'
import type { Caller } from '../accounts/caller.ts'
import { takeQuota } from '../accounts/take-quota.ts'
import { insideOf, rowWallsOf } from '../accounts/walls.ts'
import { chatIds, chatOf, type GivenAddress } from '../chats/rules.ts'
import type { Deps } from '../context.ts'
import { type Contact, CUSTOM_DATA_TOO_LONG, fitsCustomData } from '../contract/contacts.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { contactUpdate } from '../events/rules-payloads.ts'
import { requireInstance, toReference } from '../instances/instances.ts'
import type { PageQuery } from '../kernel/page.ts'
import { iso, isoOrNull } from '../kernel/time.ts'
import { isGroupJid, isLid, phoneOf } from '../network/jid.ts'
import { lockInstance } from '../store/locks.ts'
import { type Db, flag, type RowChange } from '../store/tables.ts'
import * as rows from './contact-queries.ts'
import { currentChat } from './merge-people.ts'
import { findNames } from './name-queries.ts'
import { schedulePictures } from './picture-queries.ts'
import { findLid } from './reported-queries.ts'
import { chatPictureUrl } from './rules.ts'
import { searchText } from './rules-search-text.ts'

type ContactDeps = Pick<Deps, 'store' | 'clock'>
type ReadDeps = Pick<Deps, 'store'>

export interface ContactQuery extends PageQuery {
  instanceName: string
  search?: string | undefined
  includeGroups: boolean
}

export async function listContacts(deps: ReadDeps, caller: Caller, query: ContactQuery) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const filter = {
    instanceId: instance.id,
    includeGroups: query.includeGroups,
    search: query.search === '' ? undefined : query.search?.toLowerCase(),
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
    walls: await rowWallsOf(deps.store.db, caller),
  }
  const { contacts, total } = await rows.findContacts(deps.store.db, deps.store.search, filter)
  return {
    instance: toReference(instance),
    contacts: await toContacts(deps.store.db, contacts, caller),
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

export interface NewContact extends ContactFields, GivenAddress {
  instanceName: string
  name: string
  /** Other names of `number` and `chat`. */
  phone?: string | undefined
  remoteJid?: string | undefined
}

export async function saveContact(deps: ContactDeps, caller: Caller, input: NewContact) {
  const instance = await requireInstance(deps, caller.account.id, input.instanceName)
  const { number = input.phone, chat = input.remoteJid, groupJid } = input
  const jid = await currentChat(deps.store.db, instance.id, chatOf({ number, chat, groupJid }))
  const saved = await deps.store.transaction(async (tx) => {
    const find = () => rows.findContactByJid(tx, instance.id, jid)
    if (!(await lockInstance(tx, instance.id))) throw new GatewayError('instance_not_found')
    const known = await find()
    if (known)
      await rows.updateContact(tx, known.id, changeOf(known, withStoredData(known, input), deps.clock()))
    else await insertContact(deps, tx, caller, { instanceId: instance.id, jid, input })
    return appendContactEvent(deps, tx, await find())
  })
  if (!saved) throw new GatewayError('contact_not_found')
  return toContact(deps.store.db, saved, caller)
}

/** In the transaction that changed the contact. */
async function appendContactEvent(deps: ContactDeps, tx: Db, row: rows.ContactRow | undefined) {
  if (row) await deps.store.appendEvents(tx, [contactUpdate(await changedContact(tx, row), deps.clock())])
  return row
}

type ChangedRow = Pick<rows.ContactRow, 'instance_id' | 'jid' | 'phone' | 'push_name'> & {
  /** Null: the chat is not saved as a contact. */
  id: number | null
  name: string | null
}

/** The contact as its event describes it. */
export const changedContact = async (tx: Db, row: ChangedRow) => ({
  instanceId: row.instance_id,
  contactId: row.id,
  name: row.name,
  person: { jid: row.jid, lid: await lidOf(tx, row), phone: row.phone, pushName: row.push_name },
})

const lidOf = async (tx: Db, { instance_id, jid, phone }: ChangedRow): Promise<string | null> => {
  if (isLid(jid)) return jid
  return phone === null ? null : findLid(tx, instance_id, phone)
}

/** In the transaction that makes the instance. False: the plan of the account allows no more contacts. */
export async function importContact(
  deps: Pick<Deps, 'clock'>,
  tx: Db,
  holder: Pick<Caller, 'account' | 'plan'>,
  { instanceId, jid, name }: { instanceId: number; jid: string; name: string },
): Promise<boolean> {
  if (await rows.findContactByJid(tx, instanceId, jid)) return true
  try {
    await insertContact(deps, tx, holder, { instanceId, jid, input: { name } })
    return true
  } catch (error) {
    if (error instanceof GatewayError && error.reason === 'limit_reached') return false
    throw error
  }
}

async function insertContact(
  deps: Pick<Deps, 'clock'>,
  tx: Db,
  caller: Pick<Caller, 'account' | 'plan'>,
  { instanceId, jid, input }: { instanceId: number; jid: string; input: ContactFields & { name: string } },
): Promise<void> {
  // First: a contact that the plan does not allow leaves nothing behind.
  await takeQuota(tx, caller.account.id, caller.plan, 'contacts')
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
    assigned_user_id: input.assignedUserId ?? null,
    assigned_department_id: input.assignedDepartmentId ?? null,
    funnel_stage_id: input.funnelStageId ?? null,
    notes: input.notes ?? null,
    custom_data: JSON.stringify(input.customData ?? {}),
    show_time_in_stage: flag(input.showTimeInStage ?? false),
    sort_name: input.name.toLowerCase(),
    search_text: searchText([input.name, phone, jid, chat.name, chat.push_name]),
    created_at: now,
    updated_at: now,
  })
  await schedulePictures(tx, instanceId, [jid], 0)
}

export async function getContact(deps: ReadDeps, caller: Caller, id: number) {
  const { db } = deps.store
  return toContact(db, await requireContact(db, caller, id), caller)
}

export async function updateContact(deps: ContactDeps, caller: Caller, id: number, fields: ContactFields) {
  const saved = await deps.store.transaction(async (tx) => {
    const known = await lockContact(tx, caller, id)
    await rows.updateContact(tx, id, changeOf(known, fields, deps.clock()))
    return appendContactEvent(deps, tx, await requireContact(tx, caller, id))
  })
  if (!saved) throw new GatewayError('contact_not_found')
  return toContact(deps.store.db, saved, caller)
}

export async function deleteContact(deps: ContactDeps, caller: Caller, id: number): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const known = await lockContact(tx, caller, id)
    await decrementUsage(tx, { accountId: caller.account.id, resource: 'contacts', period: 0 })
    await rows.deleteContact(tx, known)
    // In events, a contact without an id is no longer saved.
    const removed = { ...(await changedContact(tx, known)), contactId: null }
    await deps.store.appendEvents(tx, [contactUpdate(removed, deps.clock())])
  })
}

/** Locks the instance, as every transaction that changes a contact does (decision 0078), and reads the row again under that lock. */
async function lockContact(tx: Db, caller: Caller, id: number): Promise<rows.ContactRow> {
  const { instance_id: instanceId } = await requireContact(tx, caller, id)
  if (!(await lockInstance(tx, instanceId))) throw new GatewayError('contact_not_found')
  return requireContact(tx, caller, id)
}

async function requireContact(db: Db, caller: Caller, id: number): Promise<rows.ContactRow> {
  const row = await rows.findContact(db, caller.account.id, id)
  const located = row && { instanceId: row.instance_id, apiName: row.api_name, chat: row.jid }
  if (!located || (await insideOf(db, caller, [located])).length === 0)
    throw new GatewayError('contact_not_found')
  return row
}

/** Keys of `customData` are added to those of the contact. */
function withStoredData(
  known: rows.ContactRow,
  { customData: added, ...fields }: ContactFields,
): ContactFields {
  if (added === undefined) return fields
  const customData = { ...(JSON.parse(known.custom_data) as Record<string, unknown>), ...added }
  if (!fitsCustomData(customData))
    throw invalidField('customData', `together with the stored keys, it ${CUSTOM_DATA_TOO_LONG}`)
  return { ...fields, customData }
}

/** Omitted fields stay unchanged. */
function changeOf(known: rows.ContactRow, fields: ContactFields, now: number): RowChange<'contacts'> {
  const name = fields.name ?? known.name
  const change: RowChange<'contacts'> = {
    name,
    sort_name: name.toLowerCase(),
    search_text: searchText([name, known.phone, known.jid, known.chat_name, known.push_name]),
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

type Shown = z.output<typeof Contact>

async function toContacts(db: Db, found: readonly rows.ContactRow[], { origin }: Caller): Promise<Shown[]> {
  const namesOf = await findNames(
    db,
    found.map((row) => ({ instanceId: row.instance_id, chat: row.jid })),
  )
  return found.map((row) => {
    const { chat, ...ids } = chatIds(row.jid, namesOf({ instanceId: row.instance_id, chat: row.jid }))
    return { ...ids, ...describeContact(row, chat, origin) }
  })
}

const toContact = async (db: Db, row: rows.ContactRow, caller: Caller): Promise<Shown> =>
  (await toContacts(db, [row], caller))[0] as Shown

/** `chat` has been an object from the beginning, so that the identifier is a field of it. */
const describeContact = (row: rows.ContactRow, chat: string, origin: string) => ({
  id: row.id,
  name: row.name,
  phone: row.phone,
  remoteJid: row.jid,
  isGroup: row.is_group === 1,
  profilePicUrl: chatPictureUrl(origin, row.api_name, row.jid, row.picture_version),
  profilePictureUrl: chatPictureUrl(origin, row.api_name, row.jid, row.picture_version),
  chat: {
    id: row.chat_id,
    chat,
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
