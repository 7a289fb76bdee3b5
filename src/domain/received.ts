// Stores what the network reports: messages, receipts, people, groups. Each report is one transaction.
import type { ReceivedType } from '../contract/messages.ts'
import { MESSAGE_STATUSES, type MessageStatus } from '../contract/sending.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { Interpretation, KnownPerson, NetworkEvent, NetworkGroup } from '../network/network.ts'
import { chatForms } from '../rules/chat-forms.ts'
import { contactUpdate, receivedUpsert, type StoredMessage } from '../rules/event-payloads.ts'
import { isGroupJid, personJid, phoneOf } from '../rules/jid.ts'
import { isForward } from '../rules/message-status.ts'
import * as evidence from '../rules/number-evidence.ts'
import { chatUpdate } from '../store/operations/events/store-events.ts'
import type { NewEvent } from '../store/operations/events/types.ts'
import { isInGroup } from '../store/queries/changes.ts'
import { ensureChat } from '../store/queries/contacts.ts'
import { clearUnknownNumbers } from '../store/queries/known-numbers.ts'
import { lockInstance } from '../store/queries/locks.ts'
import { wantPictures } from '../store/queries/pictures.ts'
import * as rows from '../store/queries/received.ts'
import { wantFile } from '../store/queries/received-files.ts'
import { findArrival, markArrivalProcessed } from '../store/queries/session-keys.ts'
import { type Db, flag, type Row } from '../store/tables.ts'
import { checkReceivedChange, type ReceivedChange } from './changes.ts'
import type { Deps } from './deps.ts'

/** Forged changes are counted by these kinds. */
export type ForgedKind = ReceivedType | 'receipt'

export interface ReceivedDeps extends Pick<Deps, 'store' | 'clock'> {
  /** A change was dropped because its sender may not make it. */
  onForged?: ((kind: ForgedKind) => void) | undefined
  /** These numbers are registered. Called before the evidence is stored, so that no cache keeps an older answer meanwhile. */
  onEvidence?: (instanceId: number, numbers: readonly string[]) => void
}

/** Stores the messages of an arrival, if it has any, and marks the arrival as processed in the same transaction. */
export async function recordArrival(
  { store, clock, onEvidence, onForged }: ReceivedDeps,
  instanceId: number,
  name: string,
  { messages, people, chats, isHistory }: Interpretation,
): Promise<void> {
  const numbers = [
    ...messages.flatMap(evidence.numbersInMessage),
    ...evidence.numbersOfPeople(people),
    ...evidence.numbersOfChats(chats),
  ]
  onEvidence?.(instanceId, numbers)
  const forged = await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return []
    const arrival = await findArrival(tx, instanceId, name)
    if (!arrival || arrival.processed_at !== null) return []
    const now = clock()
    await clearUnknownNumbers(tx, instanceId, evidence.allNumberForms(numbers))
    const events: NewEvent[] = []
    for (const person of people) events.push(...(await savePerson(tx, instanceId, person, now)))
    const dropped: ReceivedType[] = []
    for (const message of messages) {
      const stored = await storeReceived(tx, instanceId, message, { now, isHistory })
      if (stored === 'forged') dropped.push(message.type)
      else events.push(...stored)
    }
    for (const chat of chats)
      events.push(chatUpdate(await rows.noteChat(tx, { instanceId, ...chat, now }), now))
    await markArrivalProcessed(tx, instanceId, name, now)
    // History that a phone transfers at pairing is stored without events.
    if (!isHistory) await store.appendEvents(tx, events)
    return isHistory ? [] : dropped
  })
  for (const kind of forged) onForged?.(kind)
}

async function storeReceived(
  tx: Db,
  instanceId: number,
  message: ReceivedMessage,
  { now, isHistory }: { now: number; isHistory: boolean },
): Promise<NewEvent[] | 'forged'> {
  const instance = await tx
    .selectFrom('instances')
    .select(['id', 'account_id', 'api_name', 'number'])
    .where('id', '=', instanceId)
    .executeTakeFirst()
  if (!instance) return []
  const change = await checkReceivedChange(
    tx,
    instanceId,
    message,
    instance.number && personJid(instance.number),
  )
  if (change?.verdict === 'forged') return 'forged'
  if (change?.verdict === 'unknown') return []
  return storeGenuine(tx, instance, withTarget(message, change), { now, isHistory })
}

/** Replaces the sender's claims about the target by what is stored. */
function withTarget(message: ReceivedMessage, change: ReceivedChange | undefined): StoredMessage {
  if (change?.verdict !== 'genuine') return { ...message, target: null }
  const { target, by } = change
  const content = {
    ...message.content,
    ...(message.type === 'delete' && { targetAuthor: target.author, deletedBy: by }),
    target: { ...target },
  }
  return { ...message, target, content }
}

async function storeGenuine(
  tx: Db,
  instance: Pick<Row<'instances'>, 'id' | 'account_id' | 'api_name'>,
  message: StoredMessage,
  { now, isHistory }: { now: number; isHistory: boolean },
): Promise<NewEvent[]> {
  const { id: instanceId, account_id: accountId } = instance
  const isGroup = isGroupJid(message.chat)
  const chat = await ensureChat(tx, { instanceId, jid: message.chat, isGroup, now: message.sentAtMs })
  const renamed = await savePerson(tx, instanceId, message.from, now)
  const rowId = await rows.insertReceived(tx, {
    id: message.id,
    account_id: accountId,
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
  // Files of the history are fetched only on request.
  if (message.media?.reference && !isHistory) await wantFile(tx, { rowId, instanceId, now })
  const news = [...renamed, receivedUpsert(instance, message, now)]
  if (SILENT_TYPES.has(message.type)) return news
  const active = await rows.noteChatActivity(tx, {
    chatId: chat.id,
    text: message.text,
    at: message.sentAtMs,
    unread: message.fromMe || isHistory ? 0 : 1,
  })
  return [...news, chatUpdate(active, now)]
}

/** These refer to another message: they change neither the last message nor the unread count of a chat. */
export const SILENT_TYPES: ReadonlySet<string> = new Set(['reaction', 'edit', 'delete', 'poll_vote'])

const contentOf = (message: StoredMessage): Record<string, unknown> => ({
  ...message.content,
  from: message.from,
  text: message.text,
  media: message.media && shownMedia(message.media),
  quoted: message.quoted,
  interactiveReplyId: message.interactiveReplyId,
})

/** Without the keys of the file. */
const shownMedia = ({ reference: _reference, ...shown }: NonNullable<ReceivedMessage['media']>) => shown

const STATUS_TIME = { delivered: 'delivered_at', read: 'read_at', played: 'read_at' } as const
const STATUSES: readonly MessageStatus[] = MESSAGE_STATUSES

/** A receipt advances the status of messages. A late receipt changes nothing, nor does one from a person outside the chat. */
export async function recordReceipt(
  { store, clock, onForged }: Pick<ReceivedDeps, 'store' | 'clock' | 'onForged'>,
  instanceId: number,
  { messageIds, status, atMs, chat, by }: Extract<NetworkEvent, { kind: 'receipt' }>,
): Promise<void> {
  const group = chat.find((name) => isGroupJid(name))
  if (group !== undefined && (await isInGroup(store.db, instanceId, group, by)) === false) {
    onForged?.('receipt')
    return
  }
  const before = STATUSES.filter((earlier) => isForward(earlier, status))
  const chats = chatForms(chat)
  const step = { instanceId, chats, before, status, timeColumn: STATUS_TIME[status], atMs, now: clock() }
  await Promise.all(messageIds.map((messageId) => store.recordProgress({ ...step, messageId })))
}

export async function recordPeople(
  { store, clock, onEvidence }: ReceivedDeps,
  instanceId: number,
  people: KnownPerson[],
): Promise<void> {
  const numbers = evidence.numbersOfPeople(people)
  onEvidence?.(instanceId, numbers)
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    await clearUnknownNumbers(tx, instanceId, evidence.allNumberForms(numbers))
    const events: NewEvent[] = []
    for (const person of people) events.push(...(await savePerson(tx, instanceId, person, clock())))
    await store.appendEvents(tx, events)
  })
}

/** Returns an event if the name of the person has changed. */
async function savePerson(tx: Db, instanceId: number, person: KnownPerson, now: number): Promise<NewEvent[]> {
  if (person.lid && person.phone) await rows.saveAddress(tx, instanceId, person.lid, person.phone, now)
  if (!person.pushName) return []
  const renamed = await rows.notePushName(tx, instanceId, person.jid, person.pushName)
  return renamed ? [contactUpdate({ instanceId, ...renamed, person }, now)] : []
}

export async function recordGroups(
  { store, clock, onEvidence }: ReceivedDeps,
  instanceId: number,
  groups: NetworkGroup[],
  extent: 'all' | 'some',
): Promise<void> {
  const numbers = evidence.numbersInGroups(groups)
  onEvidence?.(instanceId, numbers)
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    await clearUnknownNumbers(tx, instanceId, evidence.allNumberForms(numbers))
    if (extent === 'all') {
      await rows.removeOtherGroups(
        tx,
        instanceId,
        groups.map((group) => group.jid),
      )
    }
    await wantPictures(
      tx,
      instanceId,
      groups.map((group) => group.jid),
      clock(),
    )
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
        participants: JSON.stringify(group.participants),
        updated_at: clock(),
      })
    }
  })
}

export async function recordLeftGroup(
  { store }: Pick<ReceivedDeps, 'store'>,
  instanceId: number,
  jid: string,
): Promise<void> {
  await rows.removeGroup(store.db, instanceId, jid)
}
