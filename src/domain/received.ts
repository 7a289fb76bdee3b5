// What the network reports becomes rows: messages, receipts, people, groups. Each report is one transaction.
import { MESSAGE_STATUSES, type MessageStatus } from '../contract/sending.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { Interpretation, KnownPerson, NetworkEvent, NetworkGroup } from '../network/network.ts'
import { chatUpdate, type NewEvent } from '../store/event-log.ts'
import { ensureChat } from '../store/queries/contacts.ts'
import * as rows from '../store/queries/received.ts'
import { wantFile } from '../store/queries/received-files.ts'
import { findArrival, markArrivalProcessed } from '../store/queries/session-keys.ts'
import { type Db, flag } from '../store/tables.ts'
import type { Deps } from './deps.ts'
import { contactUpdate, receivedUpsert } from './event-payloads.ts'
import { isForward } from './message-status.ts'

type ReceivedDeps = Pick<Deps, 'store' | 'clock'>

/** An arrival has become a message, or is none; either way it is done with, in the same transaction. */
export async function recordArrival(
  { store, clock }: ReceivedDeps,
  instanceId: number,
  name: string,
  { messages, people, chats, isHistory }: Interpretation,
): Promise<void> {
  await store.transaction(async (tx) => {
    const arrival = await findArrival(tx, instanceId, name)
    if (!arrival || arrival.processed_at !== null) return
    const now = clock()
    // Instance before everything else, as everywhere: two transactions never wait for each other.
    await rows.lockInstance(tx, instanceId)
    const events: NewEvent[] = []
    for (const person of people) events.push(...(await rememberPerson(tx, instanceId, person, now)))
    for (const message of messages)
      events.push(...(await storeReceived(tx, instanceId, message, { now, isHistory })))
    for (const chat of chats)
      events.push(chatUpdate(await rows.noteChat(tx, { instanceId, ...chat, now }), now))
    await markArrivalProcessed(tx, instanceId, name, now)
    // The past is no news: what a phone hands over at pairing is stored, and told by nobody.
    if (!isHistory) await store.appendEvents(tx, events)
  })
}

async function storeReceived(
  tx: Db,
  instanceId: number,
  message: ReceivedMessage,
  { now, isHistory }: { now: number; isHistory: boolean },
): Promise<NewEvent[]> {
  const instance = await tx
    .selectFrom('instances')
    .select('account_id')
    .where('id', '=', instanceId)
    .executeTakeFirst()
  if (!instance) return []
  const isGroup = message.chat.endsWith('@g.us')
  const chat = await ensureChat(tx, { instanceId, jid: message.chat, isGroup, now: message.sentAtMs })
  const renamed = await rememberPerson(tx, instanceId, message.from, now)
  const rowId = await rows.insertReceived(tx, {
    id: message.id,
    account_id: instance.account_id,
    instance_id: instanceId,
    direction: message.fromMe ? 'outgoing' : 'incoming',
    chat: message.chat,
    number: isGroup ? null : phoneOf(message.chat),
    group_jid: isGroup ? message.chat : null,
    kind: message.type,
    content: JSON.stringify(contentOf(message)),
    addressed_as: message.fromMe ? null : JSON.stringify(message.addressedAs),
    media_reference: message.media?.reference ? JSON.stringify(message.media.reference) : null,
    delay_ms: 0,
    status: message.fromMe ? 'sent' : 'delivered',
    failure_reason: null,
    failure_error: null,
    failure_code: null,
    lane: null,
    lane_seq: null,
    created_at: message.sentAtMs,
    updated_at: now,
    sent_at: message.sentAtMs,
    delivered_at: message.fromMe ? null : now,
    read_at: null,
  })
  if (rowId === undefined) return renamed
  // What a phone hands over of the past is fetched when somebody asks for it.
  if (message.media?.reference && !isHistory) await wantFile(tx, { rowId, instanceId, now })
  const news = [...renamed, receivedUpsert(instanceId, message, now)]
  if (SILENT_TYPES.has(message.type)) return news
  const active = await rows.noteChatActivity(tx, {
    chatId: chat.id,
    text: message.text,
    at: message.sentAtMs,
    unread: message.fromMe || isHistory ? 0 : 1,
  })
  return [...news, chatUpdate(active, now)]
}

/** These say something about another message and are none of the chat's own. */
export const SILENT_TYPES: ReadonlySet<string> = new Set(['reaction', 'edit', 'delete', 'poll_vote'])

const phoneOf = (jid: string): string | null =>
  jid.endsWith('@s.whatsapp.net') ? (jid.split('@')[0] ?? null) : null

const contentOf = (message: ReceivedMessage): Record<string, unknown> => ({
  ...message.content,
  from: message.from,
  text: message.text,
  media: message.media && shownMedia(message.media),
  quoted: message.quoted,
  interactiveReplyId: message.interactiveReplyId,
})

/** The keys of a file stay inside. */
const shownMedia = ({ reference: _reference, ...shown }: NonNullable<ReceivedMessage['media']>) => shown

const STATUS_TIME = { delivered: 'delivered_at', read: 'read_at', played: 'read_at' } as const
const STATUSES: readonly MessageStatus[] = MESSAGE_STATUSES

/** A receipt moves messages on; a late one changes nothing. */
export async function recordReceipt(
  { store, clock }: ReceivedDeps,
  instanceId: number,
  { messageIds, status, atMs }: Extract<NetworkEvent, { kind: 'receipt' }>,
): Promise<void> {
  const before = STATUSES.filter((earlier) => isForward(earlier, status))
  const step = { instanceId, before, status, timeColumn: STATUS_TIME[status], atMs, now: clock() }
  await Promise.all(messageIds.map((messageId) => store.moveMessage({ ...step, messageId })))
}

export async function recordPeople(
  { store, clock }: ReceivedDeps,
  instanceId: number,
  people: KnownPerson[],
): Promise<void> {
  await store.transaction(async (tx) => {
    await rows.lockInstance(tx, instanceId)
    const events: NewEvent[] = []
    for (const person of people) events.push(...(await rememberPerson(tx, instanceId, person, clock())))
    await store.appendEvents(tx, events)
  })
}

/** The event tells of a name that is new to us. */
async function rememberPerson(
  tx: Db,
  instanceId: number,
  person: KnownPerson,
  now: number,
): Promise<NewEvent[]> {
  if (person.lid && person.phone) await rows.saveAddress(tx, instanceId, person.lid, person.phone, now)
  if (!person.pushName) return []
  const renamed = await rows.notePushName(tx, instanceId, person.jid, person.pushName)
  return renamed ? [contactUpdate({ instanceId, ...renamed, person }, now)] : []
}

export async function recordGroups(
  { store, clock }: ReceivedDeps,
  instanceId: number,
  groups: NetworkGroup[],
  extent: 'all' | 'some',
): Promise<void> {
  await store.transaction(async (tx) => {
    if (extent === 'all') {
      await rows.removeOtherGroups(
        tx,
        instanceId,
        groups.map((group) => group.jid),
      )
    }
    for (const group of groups) {
      await rows.saveGroup(tx, {
        instance_id: instanceId,
        jid: group.jid,
        subject: group.subject,
        description: group.description,
        owner_jid: group.ownerJid,
        group_created_at: group.createdAtMs,
        size: group.participants.length,
        is_admin: flag(group.isAdmin),
        is_announcement: flag(group.isAnnouncement),
        is_locked: flag(group.isLocked),
        profile_picture_url: null,
        participants: JSON.stringify(group.participants),
        updated_at: clock(),
      })
    }
  })
}

export async function recordLeftGroup(
  { store }: ReceivedDeps,
  instanceId: number,
  jid: string,
): Promise<void> {
  await rows.removeGroup(store.db, instanceId, jid)
}
