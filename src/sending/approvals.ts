// Sends that wait for a person: all that the decision needs, and the decision. Approving puts them on their way, rejecting fails them. Each is
// decided once, in one transaction with its event.

import type { z } from 'zod'
import { apiKeyId, type Caller } from '../accounts/caller.ts'
import { findChatName } from '../chats/chat-queries.ts'
import { formsOf } from '../chats/chat-reports.ts'
import type { Deps } from '../context.ts'
import { actionLines } from '../contract/action-lines.ts'
import { type Approval, RECENT_MESSAGES } from '../contract/approvals.ts'
import { MEDIA_LIMIT_BYTES } from '../contract/media-limits.ts'
import type { MessageStatus } from '../contract/sending.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { messageUpdate } from '../events/append-store.ts'
import { type NewEvent, textOf } from '../events/rules-payloads.ts'
import { messageFiles } from '../files/rules.ts'
import { findUpload } from '../files/upload-queries.ts'
import { findInstanceById } from '../instances/instance-queries.ts'
import { iso } from '../kernel/time.ts'
import { listMessagesBefore } from '../messages/conversation-queries.ts'
import { findMessages, findMessagesOf, type MessageRow } from '../messages/message-queries.ts'
import { getMessage, type MessageName, requireMessages, toMessages } from '../messages/messages.ts'
import { UNSENT } from '../messages/quoted.ts'
import type { ReceivedFile } from '../messages/received-media.ts'
import { indexChanged } from '../messages/search-queries.ts'
import { isStatusJid } from '../network/jid.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { Store } from '../store/store.ts'
import type { Db } from '../store/tables.ts'
import * as rows from './approval-queries.ts'
import { sendAutomatically } from './automatic.ts'
import { enqueueDue } from './queue-queries.ts'
import { APPROVAL_EXPIRED, editableText, editContent } from './rules.ts'
import { answeredSend, questionText, readPhoneAnswer } from './rules-phone-answer.ts'

export type ApprovalDeps = Pick<Deps, 'store' | 'clock' | 'wakeSending'>

/** `version` is what the person saw; absent: nothing is compared. `text` replaces the text of the send. */
type SendVerdict =
  | { approve: true; version?: number | undefined; text?: string | undefined }
  | { approve: false; reason?: string | undefined }

/** By a key. Keys with walls do not reach this: they could approve what they have sent. */
export async function decideSend(
  deps: ApprovalDeps,
  caller: Caller,
  name: MessageName,
  verdict: SendVerdict,
) {
  const copies = await requireMessages(deps.store.db, caller, name)
  const row = copies.find(isWaiting) ?? copies[0]
  const target = { instanceId: row.instance_id, messageId: row.id }
  const isDecided = await decide(deps, target, verdict, `key:${apiKeyId(caller)}`)
  if (!isDecided) {
    const { status } = await getMessage(deps, caller, { ...name, instanceName: row.api_name })
    throw new GatewayError('message_not_awaiting_approval', { status })
  }
  return getMessage(deps, caller, { ...name, instanceName: row.api_name })
}

/** By a key. Keys with walls do not reach this: the answer contains what others have sent. */
export async function getApproval(
  { store: { db } }: Pick<Deps, 'store'>,
  caller: Caller,
  name: MessageName,
): Promise<z.output<typeof Approval>> {
  const row = await requireWaiting(db, caller, name)
  const approval = await rows.findApproval(db, { instanceId: row.instance_id, messageId: row.id })
  if (!approval) throw new GatewayError('message_not_awaiting_approval', { status: row.status })
  const content = JSON.parse(row.content) as Record<string, unknown>
  const chats = await formsOf(db, row.instance_id, row.chat)
  const [target, recent] = [await targetOf(db, row, content), await recentMessages(db, row, chats)]
  const [message, ...others] = await toMessages(db, [row, ...(target ? [target] : []), ...recent])
  if (!message) throw new GatewayError('message_not_found')
  return {
    message,
    version: approval.version,
    requestedAt: iso(approval.requested_at),
    approveBy: iso(approval.expires_at),
    key: { id: approval.key_id, name: approval.key_name },
    chatName: await findChatName(db, row.instance_id, chats),
    text: editableText({ ...row, content }),
    files: await filesOf(db, row, content),
    target: target ? (others[0] ?? null) : null,
    recentMessages: others.slice(target ? 1 : 0),
  }
}

async function requireWaiting(db: Db, caller: Caller, name: MessageName): Promise<MessageRow> {
  const copies = await requireMessages(db, caller, name)
  const row = copies.find(isWaiting)
  if (!row) throw new GatewayError('message_not_awaiting_approval', { status: copies[0].status })
  return row
}

const isWaiting = ({ status }: MessageRow): boolean => status === 'awaiting_approval'

/** The message that this one changes. */
async function targetOf(
  db: Db,
  row: MessageRow,
  { target }: { target?: { messageId: string; direction: string | null } },
): Promise<MessageRow | undefined> {
  if (!target) return undefined
  const copies = await findMessages(db, row.account_id, target.messageId, row.api_name)
  return copies.find(({ direction }) => direction === target.direction) ?? copies[0]
}

/** What the chat has seen or is about to see. The status posts of all people are not a conversation. */
async function recentMessages(
  db: Db,
  { instance_id: instanceId, chat }: MessageRow,
  chats: string[],
): Promise<MessageRow[]> {
  if (isStatusJid(chat)) return []
  const leftOut = [...UNSENT] as MessageStatus[]
  return listMessagesBefore(db, { instanceId, chats, before: null, limit: RECENT_MESSAGES, leftOut })
}

type ShownFile = z.output<typeof Approval>['files'][number]

/** A file that is not stored, as of a send that an earlier version has accepted, is not listed. */
async function filesOf(db: Db, row: MessageRow, content: Record<string, unknown>): Promise<ShownFile[]> {
  const files: ShownFile[] = []
  for (const { path: field, named } of messageFiles({ kind: row.kind, content })) {
    if (typeof named.mediaId !== 'string') continue
    const upload = await findUpload(db, row.account_id, named.mediaId)
    if (!upload) continue
    const { media_id: mediaId, mimetype, size_bytes: sizeBytes, file_name: fileName } = upload
    const path = pathOf(row.id, `approval/files/${mediaId}`, row.api_name)
    files.push({ field: `${field}mediaId`, mediaId, mimetype, sizeBytes, fileName, path })
  }
  return files.length > 0 ? files : forwardedFile(row, content)
}

/** A forwarded message is sent with the file of its source. */
function forwardedFile(row: MessageRow, content: Record<string, unknown>): ShownFile[] {
  const { forwardOf, media, fileName } = content as {
    forwardOf?: { messageId: string }
    media?: { mimetype?: string; fileName?: string | null; sizeBytes?: number | null } | null
    fileName?: string
  }
  if (forwardOf === undefined || !FILE_KINDS.has(row.kind)) return []
  return [
    {
      field: 'forwardOf',
      mediaId: null,
      mimetype: media?.mimetype ?? null,
      sizeBytes: media?.sizeBytes ?? null,
      fileName: media?.fileName ?? fileName ?? null,
      path: pathOf(forwardOf.messageId, 'media', row.api_name),
    },
  ]
}

const FILE_KINDS: ReadonlySet<string> = new Set(Object.keys(MEDIA_LIMIT_BYTES))

const pathOf = (messageId: string, file: string, apiName: string): string =>
  `/messages/${encodeURIComponent(messageId)}/${file}?instanceName=${encodeURIComponent(apiName)}`

/** Only a file of this send, and only while it waits. */
export async function readApprovalFile(
  { store: { db }, uploads }: Pick<Deps, 'store' | 'uploads'>,
  caller: Caller,
  { mediaId, ...name }: MessageName & { mediaId: string },
): Promise<ReceivedFile> {
  const row = await requireWaiting(db, caller, name)
  const content = JSON.parse(row.content) as Record<string, unknown>
  const isNamed = messageFiles({ kind: row.kind, content }).some(({ named }) => named.mediaId === mediaId)
  const upload = isNamed ? await findUpload(db, row.account_id, mediaId) : undefined
  if (!upload) throw new GatewayError('media_not_found')
  return {
    contentType: upload.mimetype,
    fileName: upload.file_name ?? mediaId,
    sizeBytes: upload.size_bytes,
    chunks: uploads.read({ accountId: row.account_id, uploadId: upload.id }, upload.size_bytes),
  }
}

interface WaitingSend {
  instanceId: number
  messageId: string
}

const REJECTED = 'A person has rejected the send.'

/** False: the send does not wait any more. */
export async function decide(
  { store, clock, wakeSending }: ApprovalDeps,
  target: WaitingSend,
  verdict: SendVerdict,
  by: string,
): Promise<boolean> {
  const { instanceId, messageId } = target
  const isDecided = await store.instanceTransaction(instanceId, async (tx) => {
    const waiting = await rows.findWaiting(tx, target)
    if (!waiting) return false
    const now = clock()
    if (waiting.expires_at <= now) {
      await store.appendEvents(tx, await rows.failExpiredApprovals(tx, instanceId, now, APPROVAL_EXPIRED))
      return false
    }
    const edits = verdict.approve ? await edit(store, tx, { ...target, ...waiting }, verdict, by, now) : []
    const decision = verdict.approve ? 'approved' : 'rejected'
    await rows.recordDecision(tx, target, { decision, by, at: now })
    const failure = { reason: 'rejected', error: (!verdict.approve && verdict.reason) || REJECTED } as const
    const events = verdict.approve
      ? await release(tx, target, waiting, now)
      : await rows.failAwaiting(tx, instanceId, [{ ...waiting, id: messageId }], failure, now)
    await store.appendEvents(tx, [...edits, ...events])
    return true
  })
  if (isDecided && verdict.approve) {
    const instance = await findInstanceById(store.db, instanceId)
    // The send may be due now or later.
    wakeSending(instance?.node_id ?? undefined, 'timed')
  }
  return isDecided
}

type FoundSend = WaitingSend & NonNullable<Awaited<ReturnType<typeof rows.findWaiting>>>

/** Saves the text of the approver, and returns the event with the edited content. Refuses a decision about what the person did not see. */
async function edit(
  { messageSearch }: Pick<Store, 'messageSearch'>,
  tx: Db,
  { instanceId, messageId, ...waiting }: FoundSend,
  { version = waiting.version, text }: { version?: number | undefined; text?: string | undefined },
  by: string,
  now: number,
): Promise<NewEvent[]> {
  if (version !== waiting.version) throw new GatewayError('approval_changed', { version: waiting.version })
  if (text === undefined) return []
  const { row_id: rowId, account_id, chat, kind, content: before } = waiting
  const edited = editContent({ kind, chat, content: JSON.parse(before) as Record<string, unknown> }, text)
  if (!edited) return []
  if ('refused' in edited) throw invalidField('text', edited.refused)
  const after = JSON.stringify(edited.content)
  const saved = { before, after, version: waiting.version + 1, by, at: now }
  await rows.saveEdit(tx, { instanceId, messageId, rowId }, saved)
  await indexChanged(tx, messageSearch, {
    row_id: rowId,
    account_id,
    instance_id: instanceId,
    content: after,
  })
  const step = { instanceId, messageId, chat, status: 'awaiting_approval', failure: null, at: now } as const
  return [messageUpdate({ ...step, edited })]
}

/** A send that is due enters its lane in this transaction; one whose time is later waits for it as a scheduled message. */
async function release(
  tx: Db,
  { instanceId, messageId }: WaitingSend,
  { row_id: rowId, send_at: sendAt, chat }: { row_id: number; send_at: number | null; chat: string },
  now: number,
) {
  await rows.scheduleApproved(tx, rowId, sendAt ?? now, now)
  if (sendAt !== null && sendAt > now)
    return [messageUpdate({ instanceId, messageId, chat, status: 'scheduled', failure: null, at: now })]
  // It was not late: it waited for a person.
  return enqueueDue(tx, instanceId, now, () => false)
}

// Approval on the owner's phone. It asks about each waiting send once, in the chat of the instance with itself, and reads the answer
// that the owner writes there.

type AskDeps = Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace'>
type DueQuestion = Awaited<ReturnType<typeof rows.listDueQuestions>>[number]

export const MAX_QUESTIONS = 50
/** A question that is not accepted, because the instance is logged out or the plan is used up, is tried again after this time. */
const RETRY_MS = 60_000

/**
 * Hands due questions to the outbox, and returns how many. A crash before the question is marked as asked repeats this: the question
 * has its message id since the send was accepted, so that it is not asked twice.
 */
export async function askOnPhones(deps: AskDeps, nodeId?: number): Promise<number> {
  const { store, clock } = deps
  const due = await rows.listDueQuestions(store.db, clock(), nodeId, MAX_QUESTIONS)
  for (const question of due)
    await rows.setAskAt(store.db, question, (await ask(deps, question)) ? null : clock() + RETRY_MS)
  return due.length
}

async function ask(deps: AskDeps, question: DueQuestion): Promise<boolean> {
  const { instanceId, messageId, questionId, code, own } = question
  if (questionId === null || code === null) return true
  // The outbox remembers a key for a day; the message itself is remembered longer.
  if ((await findMessagesOf(deps.store.db, instanceId, questionId)).length > 0) return true
  if (own === null) return false
  const content = JSON.parse(question.content) as Record<string, unknown>
  const { number, chat, chatName, kind } = question
  const address = number === null ? chat : `+${number}`
  const text = questionText({
    code,
    keyName: question.keyName ?? '',
    to: chatName === null ? address : `${chatName.slice(0, 30)} (${address})`,
    kind,
    text: shownContent(content),
    actions: actionLines(content),
  })
  const key = `approval\n${instanceId}\n${messageId}`
  return sendAutomatically(deps, instanceId, { to: { number: own }, text, key, messageId: questionId })
}

/** What a person needs to decide about it, as text. */
function shownContent(content: Record<string, unknown>): string | null {
  const parts = [textOf(content), content['emoji'], content['mediaUrl']]
  const texts = parts.filter((part) => typeof part === 'string' && part !== '')
  return texts.length === 0 ? null : texts.join('\n')
}

/** Decides a waiting send if the message is the owner's answer. Can be repeated: a send is decided once. */
export async function takePhoneAnswer(
  deps: ApprovalDeps,
  instanceId: number,
  message: ReceivedMessage,
): Promise<void> {
  const answer = readPhoneAnswer(message)
  if (!answer) return
  const send = answeredSend(answer, await rows.listAsked(deps.store.db, instanceId, answer))
  if (!send) return
  const { approve, reason } = answer
  await decide(
    deps,
    { instanceId, messageId: send.messageId },
    approve ? { approve } : { approve, reason },
    'phone',
  )
}
