// Stores what the network reports: messages, receipts and people. A report is one transaction; a long history is several reports.

import { formsOf, recordHistoryChats, recordTimer } from '../chats/chat-reports.ts'
import { chatForms, withPersonIds } from '../chats/rules.ts'
import { type MergeDeps, withOneName } from '../contacts/merge-people.ts'
import * as evidence from '../contacts/rules-number-evidence.ts'
import type { Deps } from '../context.ts'
import type { ReceivedType } from '../contract/messages.ts'
import { MESSAGE_STATUSES, type MessageStatus } from '../contract/sending.ts'
import { changeEvent, type NewEvent, receivedUpsert, type StoredMessage } from '../events/rules-payloads.ts'
import { isInGroup } from '../messages/change-queries.ts'
import { checkReceivedChange, type ReceivedChange } from '../messages/changes.ts'
import { firstListedAt } from '../messages/conversation-queries.ts'
import { listedBefore } from '../messages/rules.ts'
import { isForward } from '../messages/rules-status.ts'
import { textChangeOf } from '../messages/rules-text-change.ts'
import { SILENT_TYPES } from '../messages/silent-types.ts'
import type { KnownPerson } from '../network/groups.ts'
import { isGroupJid, isLid, isStatusJid, personJid, phoneOf } from '../network/jid.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { Interpretation, NetworkEvent } from '../network/network.ts'
import { takePhoneAnswer } from '../sending/approvals.ts'
import { isNoteOfPhone } from '../sending/rules-phone-answer.ts'
import { type Db, flag, type Row } from '../store/tables.ts'
import type { Started } from '../tracer.ts'
import { takesHistory } from '../webhooks/webhook-queries.ts'
import type { NetworkReport, ReceivedRow, ReportedMessage } from './report-store.ts'
import { type StoreReportsDeps, storeReports } from './set-aside.ts'

/** Forged changes are counted by these kinds. */
export type ForgedKind = ReceivedType | 'receipt'

export interface ReceivedDeps extends MergeDeps, StoreReportsDeps, Pick<Deps, 'wakeSending'> {
  /** A change was dropped because its sender may not make it. */
  onForged?: ((kind: ForgedKind) => void) | undefined
  /** These numbers are registered. Called before the evidence is stored, so that no cache keeps an older answer meanwhile. */
  onEvidence?: (instanceId: number, numbers: readonly string[]) => void
}

/** Messages that are stored in one commit. A phone may transfer thousands at pairing. */
const MAX_MESSAGES = 200

/** The instance that messages arrive for. */
export type Receiver = Pick<Row<'instances'>, 'id' | 'account_id' | 'api_name' | 'number'>

/** An arrival with its content. */
export interface ReadArrival {
  name: string
  read: Interpretation
  /** Absent while tracing is off. */
  started?: Started | undefined
}

/**
 * Whether an arrival can be stored together with others: it has few messages, and none that refers to a stored one or its chat, or that
 * may be an answer of the owner.
 */
export const isIndependent = ({ messages, isHistory }: Interpretation): boolean =>
  !isHistory &&
  messages.length <= 1 &&
  messages.every((message) => !message.target && message.type !== 'disappearing' && !isNoteOfPhone(message))

/** Stores independent arrivals in their order, all or nothing. */
export async function recordArrivals(
  deps: ReceivedDeps,
  receiver: Receiver,
  arrivals: readonly ReadArrival[],
): Promise<void> {
  const reports = await reportsOf(deps, receiver, arrivals)
  for (const [index, report] of reports.entries())
    report.arrival = { name: (arrivals[index] as ReadArrival).name, isProcessed: true }
  await storeReports(deps, reports, arrivals)
}

/** What independent arrivals say. */
export async function reportsOf(
  deps: ReceivedDeps,
  receiver: Receiver,
  arrivals: readonly ReadArrival[],
): Promise<NetworkReport[]> {
  const instanceId = receiver.id
  const about = { now: deps.clock(), isSilent: false }
  const named: Interpretation[] = []
  for (const { read } of arrivals) named.push(await withOneName(deps, receiver.id, read))
  return named.map(({ messages, people, chats }) => {
    const numbers = numbersIn({ messages, people, chats })
    deps.onEvidence?.(receiver.id, numbers)
    const stored = messages.map((message) => toReported(receiver, withTarget(message, undefined), about))
    const allForms = evidence.allNumberForms(numbers)
    const { now, isSilent } = about
    return { instanceId, now, isSilent, numbers: allForms, people, messages: stored, chats }
  })
}

/** Stores the messages of an arrival, if it has any, and marks the arrival as processed with the last of them. */
export async function recordArrival(
  deps: ReceivedDeps,
  receiver: Receiver,
  { name, read: arrived, started }: ReadArrival,
): Promise<void> {
  const { store, clock, onEvidence, onForged } = deps
  const instanceId = receiver.id
  const read = await withOneName(deps, instanceId, arrived)
  const { messages, people, chats, isHistory } = read
  const numbers = numbersIn(read)
  onEvidence?.(instanceId, numbers)
  const about = { instanceId, now: clock(), isSilent: isHistory }
  const hasEvents = !isHistory || (await takesHistory(store.db, instanceId))
  const listed = read.isOlder ? await olderPositions(store.db, instanceId, messages) : undefined
  let checked: ReportedMessage[] = []
  const forged: ReceivedType[] = []
  for (const message of messages) {
    // Before the arrival counts as processed: a crash repeats it.
    if (!isHistory) await takePhoneAnswer(deps, instanceId, message)
    // A change may refer to a message of the same arrival, which must be stored to be found.
    if (checked.length >= MAX_MESSAGES || (message.target && checked.length > 0)) {
      const arrival = { name, isProcessed: false }
      await storeReports(deps, [{ ...about, ...NOTHING, arrival, messages: checked }], [{ started }])
      checked = []
    }
    const change = await checkReceivedChange(store.db, instanceId, message, ownJid(receiver))
    if (change?.verdict === 'forged') forged.push(message.type)
    else if (change?.verdict !== 'unknown')
      checked.push(
        toReported(receiver, withTarget(message, change), {
          ...about,
          hasEvents,
          listedAt: listed?.get(message),
        }),
      )
  }
  await recordChats({ store, clock }, instanceId, read)
  const arrival = { name, isProcessed: true }
  const allForms = evidence.allNumberForms(numbers)
  const report = { ...about, arrival, numbers: allForms, people, messages: checked, chats }
  const [isRecorded] = await storeReports(deps, [report], [{ started }])
  if (isRecorded && !isHistory) for (const kind of forged) onForged?.(kind)
}

/** When messages are listed that are older than all stored ones of their chat. */
async function olderPositions(
  db: Db,
  instanceId: number,
  messages: readonly ReceivedMessage[],
): Promise<Map<ReceivedMessage, number>> {
  const positions = new Map<ReceivedMessage, number>()
  for (const [chat, own] of Map.groupBy(messages, (message) => message.chat)) {
    const bound = await firstListedAt(db, { instanceId, chats: await formsOf(db, instanceId, chat) })
    const times = own.map(({ sentAtMs }) => sentAtMs)
    const listed = bound === undefined ? times : listedBefore(times, bound)
    for (const [index, message] of own.entries()) positions.set(message, listed[index] as number)
  }
  return positions
}

/** What an arrival says about chats. Before its last report, which marks the arrival as processed. */
async function recordChats(
  deps: Pick<ReceivedDeps, 'store' | 'clock'>,
  instanceId: number,
  read: Interpretation,
): Promise<void> {
  if (read.isHistory) return recordHistoryChats(deps, instanceId, read)
  // The timer of a group is read from the group itself.
  for (const { type, chat, content } of read.messages)
    if (type === 'disappearing' && !isGroupJid(chat))
      await recordTimer(deps, instanceId, { chat, seconds: Number(content.seconds) })
}

const NOTHING = { numbers: [], people: [], messages: [], chats: [] }

/** Numbers that are registered, because they appear in what the network reports. */
const numbersIn = ({ messages, people, chats }: Omit<Interpretation, 'isHistory'>): string[] => [
  ...messages.flatMap(evidence.numbersInMessage),
  ...evidence.numbersOfPeople(people),
  ...evidence.numbersOfChats(chats),
]

const ownJid = ({ number }: Receiver): string | null => number && personJid(number)

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

interface ReportFacts {
  now: number
  isSilent: boolean
  /** Messages of a history have events only if a webhook takes them: a phone can transfer many thousands. */
  hasEvents?: boolean
  listedAt?: number | undefined
}

function toReported(
  instance: Receiver,
  message: StoredMessage,
  { now, isSilent, hasEvents = true, listedAt }: ReportFacts,
): ReportedMessage {
  return {
    row: toRow(instance, message, { now, isHistorical: isSilent, listedAt }),
    from: message.from,
    events: hasEvents ? eventsOf(instance, message, { now, isHistorical: isSilent }) : [],
    // Files from the history are fetched only on request.
    wantsFile: Boolean(message.media?.reference) && !isSilent,
    activity:
      SILENT_TYPES.has(message.type) || isStatusJid(message.chat)
        ? null
        : { text: message.text, unread: message.fromMe || isSilent ? 0 : 1 },
    textChange: textChangeOf({ kind: message.type, target: message.target, text: message.text }),
  }
}

function eventsOf(
  instance: Receiver,
  message: StoredMessage,
  { now, isHistorical }: { now: number; isHistorical: boolean },
): NewEvent[] {
  const upsert = receivedUpsert(instance, { ...message, isHistorical }, now)
  const { target, fromMe, id, sentAtMs, content } = message
  const { deletedBy } = content as { deletedBy?: 'author' | 'admin' }
  const changed =
    target &&
    changeEvent(
      {
        ...message,
        target,
        instanceId: instance.id,
        messageId: id,
        isOurs: fromMe,
        deletedBy: deletedBy ?? null,
        at: sentAtMs,
      },
      now,
    )
  return changed ? [upsert, changed] : [upsert]
}

function toRow(
  instance: Receiver,
  message: StoredMessage,
  { now, isHistorical, listedAt }: { now: number; isHistorical: boolean; listedAt: number | undefined },
): ReceivedRow {
  const isGroup = isGroupJid(message.chat)
  return {
    id: message.id,
    account_id: instance.account_id,
    instance_id: instance.id,
    direction: message.fromMe ? 'outgoing' : 'incoming',
    chat: message.chat,
    number: isGroup ? null : phoneOf(message.chat),
    group_jid: isGroup ? message.chat : null,
    kind: message.type,
    content: JSON.stringify(contentOf(message)),
    addressed_as: message.fromMe ? null : JSON.stringify(message.addressedAs),
    secret: message.secret ?? null,
    media_reference: message.media?.reference ? JSON.stringify(message.media.reference) : null,
    delay_ms: 0,
    status: message.fromMe ? 'sent' : 'delivered',
    created_at: message.sentAtMs,
    updated_at: now,
    sent_at: message.sentAtMs,
    delivered_at: message.fromMe ? null : now,
    starred: flag(message.starred === true),
    historical: flag(isHistorical),
    listed_at: isHistorical ? (listedAt ?? null) : now,
  }
}

const contentOf = (message: StoredMessage): Record<string, unknown> => ({
  ...message.content,
  from: withPersonIds(message.from),
  text: message.text,
  media: message.media && shownMedia(message.media),
  quoted: message.quoted,
  interactiveReplyId: message.interactiveReplyId,
})

/** Without the keys of the file. */
const shownMedia = ({ reference: _reference, ...shown }: NonNullable<ReceivedMessage['media']>) => shown

const STATUS_TIME = { delivered: 'delivered_at', read: 'read_at', played: 'read_at' } as const
const STATUSES: readonly MessageStatus[] = MESSAGE_STATUSES

/**
 * A receipt advances the status of messages. A late receipt changes nothing, nor does one from a person outside the chat. Resolves with
 * the messages that have moved.
 */
export async function recordReceipt(
  { store, clock, onForged, trace }: Pick<ReceivedDeps, 'store' | 'clock' | 'onForged' | 'trace'>,
  instanceId: number,
  { messageIds, status, atMs, chat, by }: Extract<NetworkEvent, { kind: 'receipt' }>,
): Promise<string[]> {
  const started = trace?.start()
  const group = chat.find((name) => isGroupJid(name))
  if (group !== undefined && (await isInGroup(store.db, instanceId, group, by)) === false) {
    onForged?.('receipt')
    return []
  }
  const before = STATUSES.filter((earlier) => isForward(earlier, status))
  const chats = chatForms(chat)
  const networkChat = chat.find((name) => !isLid(name)) ?? null
  const step = {
    instanceId,
    chats,
    networkChat,
    before,
    status,
    timeColumn: STATUS_TIME[status],
    atMs,
    now: clock(),
  }
  const moved = await Promise.all(messageIds.map((messageId) => store.recordProgress({ ...step, messageId })))
  const movedIds = messageIds.filter((_id, index) => moved[index])
  if (started) for (const messageId of movedIds) trace?.receipt(started, { instanceId, messageId, status })
  return movedIds
}

export async function recordPeople(
  deps: ReceivedDeps,
  instanceId: number,
  people: KnownPerson[],
): Promise<void> {
  const { store, clock, onEvidence } = deps
  const named = await withOneName(deps, instanceId, { ...NOTHING, people, isHistory: false })
  const numbers = evidence.numbersOfPeople(named.people)
  onEvidence?.(instanceId, numbers)
  const about = { ...NOTHING, instanceId, now: clock(), isSilent: false }
  const allForms = evidence.allNumberForms(numbers)
  await store.recordReports([{ ...about, numbers: allForms, people: named.people }])
}
