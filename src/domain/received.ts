// Stores what the network reports: messages, receipts, people, groups. A report is one transaction; a long history is several reports.
import type { ReceivedType } from '../contract/messages.ts'
import { MESSAGE_STATUSES, type MessageStatus } from '../contract/sending.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { Interpretation, KnownPerson, NetworkEvent, NetworkGroup } from '../network/network.ts'
import { chatForms } from '../rules/chat-forms.ts'
import { receivedUpsert, type StoredMessage } from '../rules/event-payloads.ts'
import { isGroupJid, personJid, phoneOf } from '../rules/jid.ts'
import { isForward } from '../rules/message-status.ts'
import * as evidence from '../rules/number-evidence.ts'
import type { ReceivedRow, ReportedMessage } from '../store/operations/report/types.ts'
import { isInGroup } from '../store/queries/changes.ts'
import { clearUnknownNumbers } from '../store/queries/known-numbers.ts'
import { lockInstance } from '../store/queries/locks.ts'
import { schedulePictures } from '../store/queries/pictures.ts'
import * as rows from '../store/queries/received.ts'
import { flag, type Row } from '../store/tables.ts'
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

/** Messages that are stored in one commit. A phone may transfer thousands at pairing. */
const MAX_MESSAGES = 200

/** The instance that messages arrive for. */
export type Receiver = Pick<Row<'instances'>, 'id' | 'account_id' | 'api_name' | 'number'>

/** An arrival with its content. */
export interface ReadArrival {
  name: string
  read: Interpretation
}

/** Whether an arrival can be stored together with others: it has few messages, and none that refers to a stored one. */
export const isIndependent = ({ messages, isHistory }: Interpretation): boolean =>
  !isHistory && messages.length <= 1 && messages.every(({ target }) => !target)

/** Stores independent arrivals in their order, all or nothing. */
export async function recordArrivals(
  { store, clock, onEvidence }: ReceivedDeps,
  receiver: Receiver,
  arrivals: readonly ReadArrival[],
): Promise<void> {
  const about = { instanceId: receiver.id, now: clock(), isSilent: false }
  const reports = arrivals.map(({ name, read: { messages, people, chats } }) => {
    const numbers = numbersIn({ messages, people, chats })
    onEvidence?.(receiver.id, numbers)
    const arrival = { name, isProcessed: true }
    const stored = messages.map((message) => toReported(receiver, withTarget(message, undefined), about))
    return { ...about, arrival, numbers: evidence.allNumberForms(numbers), people, messages: stored, chats }
  })
  await store.recordReports(reports)
}

/** Stores the messages of an arrival, if it has any, and marks the arrival as processed with the last of them. */
export async function recordArrival(
  { store, clock, onEvidence, onForged }: ReceivedDeps,
  receiver: Receiver,
  { name, read }: ReadArrival,
): Promise<void> {
  const { messages, people, chats, isHistory } = read
  const instanceId = receiver.id
  const numbers = numbersIn(read)
  onEvidence?.(instanceId, numbers)
  const about = { instanceId, now: clock(), isSilent: isHistory }
  let checked: ReportedMessage[] = []
  const forged: ReceivedType[] = []
  for (const message of messages) {
    // A change may refer to a message of the same arrival, which must be stored to be found.
    if (checked.length >= MAX_MESSAGES || (message.target && checked.length > 0)) {
      const arrival = { name, isProcessed: false }
      await store.recordReports([{ ...about, ...NOTHING, arrival, messages: checked }])
      checked = []
    }
    const change = await checkReceivedChange(store.db, instanceId, message, ownJid(receiver))
    if (change?.verdict === 'forged') forged.push(message.type)
    else if (change?.verdict !== 'unknown')
      checked.push(toReported(receiver, withTarget(message, change), about))
  }
  const arrival = { name, isProcessed: true }
  const allForms = evidence.allNumberForms(numbers)
  const report = { ...about, arrival, numbers: allForms, people, messages: checked, chats }
  const [isRecorded] = await store.recordReports([report])
  if (isRecorded && !isHistory) for (const kind of forged) onForged?.(kind)
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

function toReported(
  instance: Receiver,
  message: StoredMessage,
  { now, isSilent }: { now: number; isSilent: boolean },
): ReportedMessage {
  return {
    row: toRow(instance, message, now),
    from: message.from,
    upsert: receivedUpsert(instance, message, now),
    // Files of the history are fetched only on request.
    wantsFile: Boolean(message.media?.reference) && !isSilent,
    activity: SILENT_TYPES.has(message.type)
      ? null
      : { text: message.text, unread: message.fromMe || isSilent ? 0 : 1 },
  }
}

function toRow(instance: Receiver, message: StoredMessage, now: number): ReceivedRow {
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
    media_reference: message.media?.reference ? JSON.stringify(message.media.reference) : null,
    delay_ms: 0,
    status: message.fromMe ? 'sent' : 'delivered',
    created_at: message.sentAtMs,
    updated_at: now,
    sent_at: message.sentAtMs,
    delivered_at: message.fromMe ? null : now,
  }
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
  const about = { ...NOTHING, instanceId, now: clock(), isSilent: false }
  await store.recordReports([{ ...about, numbers: evidence.allNumberForms(numbers), people }])
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
      await rows.deleteOtherGroups(
        tx,
        instanceId,
        groups.map((group) => group.jid),
      )
    }
    await schedulePictures(
      tx,
      instanceId,
      groups.map((group) => group.jid),
      clock(),
    )
    for (const group of groups) {
      await rows.upsertGroup(tx, {
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
  await rows.deleteGroup(store.db, instanceId, jid)
}
