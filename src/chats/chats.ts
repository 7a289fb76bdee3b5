// Chats: the list, presence, settings, clearing, and older messages. A change is made on the network first. The session reports it before it
// answers, so that the stored chat is current when the use case reads it.
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import { chatsInside, rowWallsOf } from '../accounts/walls.ts'
import * as rows from '../contacts/contact-queries.ts'
import { currentChat } from '../contacts/merge-people.ts'
import { findNames, type NamesOf } from '../contacts/name-queries.ts'
import { chatPictureUrl } from '../contacts/rules.ts'
import type { Deps } from '../context.ts'
import type * as contract from '../contract/chats.ts'
import type { Chat } from '../contract/contacts.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { GatewayError, invalidField } from '../errors.ts'
import type { InstanceRow } from '../instances/instance-queries.ts'
import { requireInstance, requireOpenInstance, toReference } from '../instances/instances.ts'
import { type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { isoOrNull } from '../kernel/time.ts'
import { findEndMessage, listMessagesBefore } from '../messages/conversation-queries.ts'
import { findMessagesOf, type ListPosition, positionOf } from '../messages/message-queries.ts'
import { toMessages } from '../messages/messages.ts'
import { SILENT } from '../messages/silent-types.ts'
import type { MessageAddress } from '../network/chats.ts'
import { isGroupJid, phoneOf } from '../network/jid.ts'
import type { NetworkAddress } from '../network/message.ts'
import { NetworkError } from '../network/network.ts'
import type { Db, Row } from '../store/tables.ts'
import { findChatRow } from './chat-queries.ts'
import { formsOf } from './chat-reports.ts'
import { findLabelsOf, type ShownLabel } from './label-queries.ts'
import { chatIds, chatOf, chatSettings, type GivenAddress, hasAddress, lastMessageOf } from './rules.ts'

type ChatDeps = Pick<Deps, 'store' | 'clock' | 'sessions'>
type Body<E extends { body: z.ZodType }> = z.output<E['body']>
type Query<E extends { query: z.ZodType }> = z.output<E['query']>

export interface ChatQuery extends PageQuery, GivenAddress {
  instanceName: string
  archived?: boolean | undefined
  pinned?: boolean | undefined
  unread?: boolean | undefined
  label?: string | undefined
  assignedTo?: number | null | undefined
}

export async function listChats(deps: Pick<Deps, 'store'>, caller: Caller, query: ChatQuery) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const { db } = deps.store
  const found = await rows.listChats(db, {
    instanceId: instance.id,
    jids: hasAddress(query) ? await formsOf(db, instance.id, chatOf(query)) : undefined,
    archived: query.archived,
    pinned: query.pinned,
    unread: query.unread,
    label: query.label,
    assignedTo: query.assignedTo,
    walls: await rowWallsOf(db, caller),
    ...rowsToRead(query),
  })
  const chats = await toChats(db, found, instance, caller)
  return { instance: toReference(instance), ...page(chats, query) }
}

export async function showPresence(
  deps: Pick<Deps, 'store' | 'sessions'>,
  caller: Caller,
  { instanceName, presence, seconds, ...given }: Body<typeof contract.showPresence>,
) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const chat = await currentChat(deps.store.db, instance.id, chatOf(given))
  await deps.sessions.showPresence(instance.id, chat, presence, seconds)
  return { chat, presence, seconds }
}

/** Sends the message that carries the timer of a chat with a person, and returns its id. */
export type SendTimer = (
  caller: Caller,
  to: { instanceName: string; chat: string },
  seconds: number,
) => Promise<string>

export async function updateChat(
  deps: ChatDeps & { sendTimer: SendTimer },
  caller: Caller,
  body: Body<typeof contract.updateChat>,
) {
  const { instanceName, disappearingSeconds, archived, mutedUntil, pinned, unread, ...address } = body
  if (mutedUntil && mutedUntil <= deps.clock()) throw invalidField('mutedUntil', 'must be in the future')
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const { jid } = await requireChat(deps.store.db, caller, instance, chatOf(address))
  // The network changes the setting of a group at once: there is no message that could wait for approval.
  if (disappearingSeconds !== undefined && isGroupJid(jid) && caller.walls.approval)
    throw new GatewayError('outside_walls')
  const given = omitUndefined({ archived, mutedUntil, pinned, unread })
  if (Object.keys(given).length > 0)
    await deps.sessions.changeChat(
      instance.id,
      jid,
      given,
      await lastReference(deps.store.db, instance.id, jid),
    )
  const messageId =
    disappearingSeconds === undefined
      ? null
      : await setTimer(deps, caller, { instance, jid, seconds: disappearingSeconds })
  return { chat: await storedChat(deps, caller, instance, jid), messageId }
}

/** Returns the message that carries the timer to a person; null for a group, whose setting the network changes at once. */
async function setTimer(
  { sessions, sendTimer }: ChatDeps & { sendTimer: SendTimer },
  caller: Caller,
  { instance, jid, seconds }: { instance: InstanceRow; jid: string; seconds: number },
): Promise<string | null> {
  if (isGroupJid(jid)) {
    await sessions.changeGroup(instance.id, jid, { disappearingSeconds: seconds })
    return null
  }
  return sendTimer(caller, { instanceName: instance.api_name, chat: jid }, seconds)
}

export async function clearChat(
  deps: Pick<Deps, 'store' | 'sessions'>,
  caller: Caller,
  query: Query<typeof contract.clearChat>,
) {
  const instance = await requireOpenInstance(deps, caller, query.instanceName)
  const { jid } = await requireChat(deps.store.db, caller, instance, chatOf(query))
  await deps.sessions.clearChat(instance.id, jid, await lastReference(deps.store.db, instance.id, jid))
  return storedChat(deps, caller, instance, jid)
}

/** Stored messages, latest first. Older ones are requested from the phone if there are not enough. */
export async function chatHistory(
  deps: Pick<Deps, 'store' | 'sessions'>,
  caller: Caller,
  { instanceName, before, limit, ...address }: Query<typeof contract.chatHistory>,
) {
  const { db } = deps.store
  const instance = await requireInstance(deps, caller.account.id, instanceName)
  const chat = await requireChat(db, caller, instance, chatOf(address))
  const chats = await chatsInside(db, caller, instance, await formsOf(db, instance.id, chat.jid))
  const position = before === undefined ? null : await positionBefore(db, instance.id, chats, before)
  const found = await listMessagesBefore(db, { instanceId: instance.id, chats, before: position, limit })
  const isEnough = found.length >= limit || chat.history_ended === 1
  return {
    messages: await toMessages(db, found),
    moreComing: !isEnough && (await requestOlder(deps, instance, { jid: chat.jid, chats, count: limit })),
  }
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T/

/** Of a message of the chat, or of a time. */
async function positionBefore(
  db: Db,
  instanceId: number,
  chats: string[],
  before: string,
): Promise<ListPosition> {
  if (ISO_TIME.test(before)) {
    const at = Date.parse(before)
    if (Number.isNaN(at)) throw invalidField('before', 'expected a message id or a time (ISO 8601)')
    return { at, rowId: null }
  }
  const found = await findMessagesOf(db, instanceId, before)
  const row = found.find(({ chat }) => chats.includes(chat))
  if (!row) throw new GatewayError('message_not_found')
  return positionOf(row)
}

/** False: the phone cannot be reached now. */
async function requestOlder(
  { store, sessions }: Pick<Deps, 'store' | 'sessions'>,
  { id: instanceId, state }: InstanceRow,
  { jid, chats, count }: { jid: string; chats: string[]; count: number },
): Promise<boolean> {
  if (state !== 'open') return false
  const oldest = await findEndMessage(store.db, { instanceId, chats, silent: SILENT, end: 'first' })
  if (!oldest) return false
  try {
    await sessions.requestHistory(instanceId, jid, referenceTo(oldest), count)
    return true
  } catch (error) {
    // The stored messages are answered in any case.
    if (error instanceof NetworkError) return false
    throw error
  }
}

/** Under the identifier of the request, or under another one of the same person that is inside the walls of the key. */
export async function requireChat(
  db: Db,
  caller: Caller,
  instance: InstanceRow,
  jid: string,
): Promise<Row<'chats'>> {
  const others = async () => chatsInside(db, caller, instance, await formsOf(db, instance.id, jid))
  const chat =
    (await findChatRow(db, instance.id, [jid])) ?? (await findChatRow(db, instance.id, await others()))
  if (!chat) throw new GatewayError('chat_not_found')
  return chat
}

async function lastReference(db: Db, instanceId: number, jid: string): Promise<MessageAddress | null> {
  const chats = await formsOf(db, instanceId, jid)
  const last = await findEndMessage(db, { instanceId, chats, silent: SILENT, end: 'last' })
  return last ? referenceTo(last) : null
}

/** A stored message, as the network names it. */
export function referenceTo(row: Row<'messages'>): MessageAddress {
  const address: NetworkAddress =
    row.addressed_as === null
      ? { chat: row.chat, participant: null }
      : (JSON.parse(row.addressed_as) as NetworkAddress)
  return {
    ...address,
    messageId: row.id,
    isOurs: row.direction === 'outgoing',
    sentAtMs: row.sent_at ?? row.created_at,
  }
}

export async function storedChat(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  instance: InstanceRow,
  jid: string,
): Promise<z.output<typeof Chat>> {
  const row = await rows.findChat(store.db, instance.id, jid)
  if (!row) throw new GatewayError('chat_not_found')
  return toChat(store.db, row, instance, caller)
}

type Shown = [instance: Pick<InstanceRow, 'api_name'>, caller: Pick<Caller, 'origin'>]

/** As the API shows them, in their order. */
async function toChats(db: Db, found: readonly rows.ChatRow[], ...shown: Shown) {
  const namesOf = await findNames(
    db,
    found.map((row) => ({ instanceId: row.instance_id, chat: row.jid })),
  )
  const labels = await findLabelsOf(
    db,
    found.map(({ id }) => id),
  )
  return found.map((row) => describeChat(row, { namesOf, labels: labels.get(row.id) ?? [] }, ...shown))
}

export async function toChat(db: Db, row: rows.ChatRow, ...shown: Shown): Promise<z.output<typeof Chat>> {
  const [chat] = await toChats(db, [row], ...shown)
  if (!chat) throw new GatewayError('chat_not_found')
  return chat
}

const describeChat = (
  row: rows.ChatRow,
  { namesOf, labels }: { namesOf: NamesOf; labels: ShownLabel[] },
  ...[{ api_name: instanceName }, { origin }]: Shown
): z.output<typeof Chat> => ({
  ...chatIds(row.jid, namesOf({ instanceId: row.instance_id, chat: row.jid })),
  id: row.id,
  name: row.name,
  pushName: row.push_name,
  lastMessageText: row.last_message_text,
  lastMessageTimestamp: isoOrNull(row.last_message_at),
  unreadCount: row.unread_count,
  remoteJid: row.jid,
  phone: phoneOf(row.jid),
  isGroup: row.is_group === 1,
  ...chatSettings(row),
  labels,
  contactId: row.contact_id,
  contactName: row.contact_name,
  lastMessage: lastMessageOf(row),
  profilePictureUrl: chatPictureUrl(origin, instanceName, row.jid, row.picture_version),
})
