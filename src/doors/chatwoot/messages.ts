// Events about messages as calls of Chatwoot: new messages, changes, deletions and statuses. A message is created once (decision 0151).

import { findChatRow } from '../../chats/chat-queries.ts'
import { isPersonChat } from '../../chats/rules.ts'
import type { EventData } from '../../contract/events.ts'
import type { ReceivedFile } from '../../messages/received-media.ts'
import { isGroupJid, isLid, phoneOf } from '../../network/jid.ts'
import { isMissing, isRefused, type NewMessage } from './api.ts'
import {
  busy,
  conversationOf,
  type DeskAttempt,
  ignoreMissing,
  type NamedChat,
  waitWhileInDoubt,
} from './conversations.ts'
import type { AttachedFile } from './form.ts'
import * as rows from './queries.ts'
import { describe, withAuthor } from './text.ts'

/** Latest messages that are searched for one whose creation is in doubt. */
const SEARCHED_PAGES = 5

export type BridgedMessage = EventData<'messages.upsert'>

/** What an event without a counterpart is answered with. */
export const NOT_SENT = 'Nothing to do in Chatwoot for this event.'

export type ReadFile = (message: BridgedMessage) => Promise<ReceivedFile>

/** The id of a message in Chatwoot's `source_id`. What Chatwoot posts with such an id came from here. */
export const sourceOf = (instanceId: number, message: string): string =>
  `switchboard:${instanceId}:${message}`
export const isFromHere = (sourceId: string | null | undefined): boolean =>
  sourceId?.startsWith('switchboard:') ?? false
export const keyOf = ({ direction, messageId }: Pick<BridgedMessage, 'direction' | 'messageId'>): string =>
  `${direction}:${messageId}`
/** The content of an undecryptable message may come later, under its id: it is another message in Chatwoot. */
const keyOfContent = (message: BridgedMessage): string =>
  message.type === 'undecryptable' ? `${keyOf(message)}:undecryptable` : keyOf(message)

/** Changes of chats, votes, and answers to events are not shown in Chatwoot. */
const NOT_SHOWN = new Set(['pin', 'poll_vote', 'event_answer', 'disappearing', 'album'])

export async function deliverMessage(
  attempt: DeskAttempt,
  message: BridgedMessage,
  readFile: ReadFile,
): Promise<string> {
  const { options } = attempt.bridge
  const isGroup = isGroupJid(message.chat)
  if (!(isGroup || isPersonChat(message.chat)) || NOT_SHOWN.has(message.type)) return NOT_SENT
  if (isGroup && options.ignoreGroups) return NOT_SENT
  if (message.type === 'delete') return deliverDeletion(attempt, message)
  if (message.type === 'reaction' && message.text === null) return NOT_SENT
  return deliverOnce(attempt, message, readFile)
}

/** Creates the message, unless it is there. */
async function deliverOnce(
  attempt: DeskAttempt,
  message: BridgedMessage,
  readFile: ReadFile,
): Promise<string> {
  const { db, bridge, clock } = attempt
  const { webhookId } = bridge
  const key = keyOfContent(message)
  if ((await rows.findMessage(db, webhookId, key))?.chatwoot_id != null) return 'The message is in Chatwoot.'
  const conversationId = await conversationOf(attempt, await namedChat(attempt, message))
  const before = await rows.claimMessage(db, { webhookId, message: key, conversationId, now: clock() })
  if (before) {
    await waitWhileInDoubt(attempt, before.claimed_at)
    if (!(await rows.reclaimMessage(db, before, clock()))) throw busy()
  }
  const found = before && (await findCreated(attempt, before.conversation_id ?? conversationId, key))
  const chatwootId = found ?? (await create(attempt, message, conversationId, readFile))
  await rows.saveMessage(db, { webhookId, message: key, chatwootId, conversationId })
  return `Message ${chatwootId} of conversation ${conversationId}.`
}

/** An earlier call may have created it before its answer was lost. */
async function findCreated(
  { api, bridge }: DeskAttempt,
  conversationId: number,
  key: string,
): Promise<number | undefined> {
  const sourceId = sourceOf(bridge.instanceId, key)
  let before: number | undefined
  for (let page = 0; page < SEARCHED_PAGES; page += 1) {
    const messages = await api.listMessages(conversationId, before)
    const found = messages.find((one) => one.source_id === sourceId)
    if (found) return found.id
    before = messages[0]?.id
    if (before === undefined) return undefined
  }
  return undefined
}

async function create(
  attempt: DeskAttempt,
  message: BridgedMessage,
  conversationId: number,
  readFile: ReadFile,
): Promise<number> {
  const { db, api, bridge } = attempt
  const file = message.media?.downloadPath ? await readFile(message).catch(() => undefined) : undefined
  const repliesTo = await repliedTo(attempt, message, conversationId)
  const created = toChatwoot(bridge.instanceId, message, file !== undefined, repliesTo)
  try {
    return await api.createMessage(conversationId, created, file && toFormFile(file, message))
  } catch (error) {
    // Nothing was created, so that the next attempt need not search.
    if (isRefused(error)) await rows.releaseMessage(db, bridge.webhookId, keyOfContent(message))
    // An agent has deleted the conversation: the next attempt makes another one.
    if (isMissing(error)) await rows.forgetConversation(db, bridge.webhookId, conversationId)
    throw error
  }
}

const toFormFile = (file: ReceivedFile, { media }: BridgedMessage): AttachedFile => ({
  fileName: media?.fileName ?? `${media?.kind ?? 'file'}${extensionOf(file.contentType)}`,
  contentType: file.contentType,
  sizeBytes: file.sizeBytes,
  chunks: file.chunks,
})

const extensionOf = (contentType: string): string => {
  const subtype = /^[^/]+\/([\w-]+)/.exec(contentType)?.[1]
  return subtype === undefined ? '' : `.${subtype === 'jpeg' ? 'jpg' : subtype}`
}

/** The message as Chatwoot takes it. A change of another message is shown as a reply to it. */
export function toChatwoot(
  instanceId: number,
  message: BridgedMessage,
  hasFile: boolean,
  repliesTo: number | null,
): NewMessage {
  const { direction, type, text, content, from, chat } = message
  const described = describe({ type, text, content, hasFile })
  const marked = type === 'edit' ? `_Edited:_ ${described}` : described
  const hasAuthor = isGroupJid(chat) && direction === 'incoming'
  return {
    content: hasAuthor ? withAuthor(authorOf(from), marked) : marked,
    message_type: direction,
    source_id: sourceOf(instanceId, keyOfContent(message)),
    content_attributes: {
      external_created_at: message.sentAt,
      ...(repliesTo !== null && { in_reply_to: repliesTo }),
    },
  }
}

function authorOf({ pushName, phone }: BridgedMessage['from']): string {
  const number = phone === null ? '' : `+${phone}`
  if (!pushName) return number
  return number === '' ? pushName : `${pushName} (${number})`
}

/** The message that this one answers or changes. Agents' messages have no source id, so that it is found by the id in Chatwoot. */
async function repliedTo(
  { db, bridge }: DeskAttempt,
  { target, quoted }: BridgedMessage,
  conversationId: number,
): Promise<number | null> {
  const messageId = target?.messageId ?? quoted?.messageId
  if (messageId === undefined) return null
  const directions = target?.direction ? [target.direction] : (['incoming', 'outgoing'] as const)
  for (const direction of directions) {
    const row = await rows.findMessage(db, bridge.webhookId, keyOf({ direction, messageId }))
    if (row?.conversation_id === conversationId && row.chatwoot_id !== null) return row.chatwoot_id
  }
  return null
}

async function namedChat({ db, bridge }: DeskAttempt, message: BridgedMessage): Promise<NamedChat> {
  const { chat, direction, from } = message
  const known = await findChatRow(db, bridge.instanceId, [chat])
  const sender = direction === 'incoming' && !isGroupJid(chat) ? from.pushName : null
  const number = phoneOf(chat)
  return {
    chat,
    lid: isLid(chat) ? null : (message.lid ?? null),
    name: known?.name ?? sender ?? (number === null ? (message.username ?? chat) : `+${number}`),
  }
}

/** The message that was deleted on the network. */
async function deliverDeletion(
  { db, api, bridge }: DeskAttempt,
  { target }: BridgedMessage,
): Promise<string> {
  if (!target?.direction) return NOT_SENT
  const key = keyOf({ direction: target.direction, messageId: target.messageId })
  const row = await rows.findMessage(db, bridge.webhookId, key)
  if (row?.chatwoot_id == null || row.conversation_id === null) return NOT_SENT
  await ignoreMissing(api.deleteMessage(row.conversation_id, row.chatwoot_id))
  return `Message ${row.chatwoot_id} is deleted.`
}

/** Others are not shown in Chatwoot, or are the state that a message has there from the start. */
const STATUSES: Partial<Record<EventData<'messages.update'>['status'], string>> = {
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

export async function deliverStatus(
  { db, api, bridge }: DeskAttempt,
  { messageId, status, failure }: EventData<'messages.update'>,
): Promise<string> {
  const there = STATUSES[status]
  const row =
    there && (await rows.findMessage(db, bridge.webhookId, keyOf({ direction: 'outgoing', messageId })))
  if (!row || row.chatwoot_id === null || row.conversation_id === null) return NOT_SENT
  const change = { status: there, ...(failure && { external_error: failure.error }) }
  try {
    await api.updateMessage(row.conversation_id, row.chatwoot_id, change)
  } catch (error) {
    // An old Chatwoot does not have this call, and a deleted message no status.
    if (!isRefused(error)) throw error
  }
  return `Message ${row.chatwoot_id} is ${there}.`
}
