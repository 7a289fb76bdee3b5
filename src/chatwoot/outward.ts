// From the network to Chatwoot: each event of the instance becomes calls, and none of them is made twice for one event
// (decision 0151).
import { createKeyedMutex } from '../async/keyed-mutex.ts'
import { createSemaphore } from '../async/semaphore.ts'
import type { EventData } from '../contract/events.ts'
import { currentChat } from '../domain/current-chat.ts'
import type { BridgeEvent, EventToFormat } from '../domain/delivery-format.ts'
import type { Deps, EventAttempt } from '../domain/deps.ts'
import { type ReceivedFile, readReceivedMedia } from '../domain/received-media.ts'
import { isGroupJid, isLid, phoneOf } from '../network/jid.ts'
import type { Outbound } from '../outbound/client.ts'
import { isPersonChat } from '../rules/chat-ids.ts'
import { findChatRow } from '../store/queries/chats.ts'
import * as rows from '../store/queries/chatwoot.ts'
import { ChatwootError, createChatwootApi, isMissing, isRefused, type NewMessage } from './api.ts'
import {
  type Attempt,
  busy,
  conversationOf,
  ignoreMissing,
  mergeChats,
  type NamedChat,
  waitWhileInDoubt,
} from './conversations.ts'
import type { FormFile } from './form.ts'
import type { Bridge, ChatwootOptions } from './options.ts'
import { describe, withAuthor } from './text.ts'

export interface OutwardParts extends Pick<Deps, 'store' | 'clock' | 'sessions' | 'files'> {
  post: Outbound['post']
}

/** All calls of one event. Less than the lock of a delivery, so that two attempts never run at the same time. */
const ATTEMPT_MS = 45_000
/** Files that are not stored are in memory as a whole while they are sent on. */
const FILES_AT_ONCE = 2
/** Latest messages that are searched for one whose creation is in doubt. */
const SEARCHED_PAGES = 5

export type Upsert = EventData<'messages.upsert'>

export interface Outward {
  deliver: BridgeEvent
  /** One message on request; resolves with what was done. Rejects with a `ChatwootError`. */
  push(bridge: Bridge, message: Upsert, apiName: string, signal: AbortSignal): Promise<string>
}

export function createOutward(parts: OutwardParts): Outward {
  const oneAtATime = createKeyedMutex<string>()
  const acquireFile = createSemaphore(FILES_AT_ONCE)
  const attemptOf = (bridge: Bridge, signal: AbortSignal): Attempt => ({
    db: parts.store.db,
    api: createChatwootApi(parts.post, { ...bridge.options, url: bridge.url, clock: parts.clock, signal }),
    bridge,
    clock: parts.clock,
    signal,
  })
  const fileOf: ReadFile = (bridge, message, apiName) =>
    readReceivedMedia(
      parts,
      { account: { id: bridge.accountId } },
      { messageId: message.messageId, instanceName: apiName },
      () => undefined,
    )

  async function push(
    bridge: Bridge,
    message: Upsert,
    apiName: string,
    signal: AbortSignal,
  ): Promise<string> {
    const chat = await currentChat(parts.store.db, bridge.instanceId, message.chat)
    const work = () => deliverMessage(attemptOf(bridge, signal), { ...message, chat }, apiName, fileOf)
    // Lane and retries of one webhook run beside each other; one chat has one conversation.
    const ordered = () => oneAtATime.runExclusive(`${bridge.webhookId} ${chat}`, work)
    if (!message.media?.downloadPath) return ordered()
    const release = await acquireFile()
    return ordered().finally(release)
  }

  async function carryOut(bridge: Bridge, event: EventToFormat, signal: AbortSignal): Promise<string> {
    const data = JSON.parse(event.data) as unknown
    const attempt = attemptOf(bridge, signal)
    switch (event.name) {
      case 'messages.upsert':
        return push(bridge, data as Upsert, event.api_name, signal)
      case 'messages.update':
        return deliverStatus(attempt, data as EventData<'messages.update'>)
      case 'contacts.merged': {
        const { chat, mergedChat } = data as EventData<'contacts.merged'>
        await oneAtATime.runExclusive(`${bridge.webhookId} ${chat}`, () => mergeChats(attempt, mergedChat, chat))
        return 'The contact has the number.'
      }
      default:
        return NOT_SENT
    }
  }

  return {
    push,
    async deliver(event, { id, url, options }, stopping) {
      const at = parts.clock()
      const bridge = {
        webhookId: id,
        accountId: event.account_id,
        instanceId: event.instance_id,
        url,
        options: options as ChatwootOptions,
      }
      const timeout = AbortSignal.timeout(ATTEMPT_MS)
      const facts = { at, headers: {} }
      try {
        const answer = await carryOut(bridge, event, AbortSignal.any([stopping, timeout]))
        return { ...facts, ...delivered(answer), durationMs: parts.clock() - at }
      } catch (error) {
        const failed = failedBy(error, stopping)
        return { ...facts, ...failed, durationMs: parts.clock() - at }
      }
    },
  }
}

const NOT_SENT = 'Nothing to do in Chatwoot for this event.'

type Verdict = Omit<EventAttempt, 'at' | 'durationMs' | 'headers'>

const delivered = (answer: string): Verdict => ({
  status: answer === NOT_SENT ? null : 200,
  answer,
  error: null,
  isStopped: false,
  isGone: false,
  retryAfterMs: undefined,
})

function failedBy(error: unknown, stopping: AbortSignal): Verdict {
  const known = error instanceof ChatwootError ? error : undefined
  return {
    status: known?.status ?? null,
    answer: null,
    error: known?.message ?? 'The event could not be handed to Chatwoot.',
    isStopped: stopping.aborted && (known === undefined || known.isStopped),
    isGone: false,
    retryAfterMs: known?.retryAfterMs,
  }
}

type ReadFile = (bridge: Bridge, message: Upsert, apiName: string) => Promise<ReceivedFile>

/** The id of a message in Chatwoot's `source_id`. What Chatwoot posts with such an id came from here. */
export const sourceOf = (instanceId: number, message: string): string =>
  `switchboard:${instanceId}:${message}`
export const isFromHere = (sourceId: string | null | undefined): boolean =>
  sourceId?.startsWith('switchboard:') ?? false
export const keyOf = ({ direction, messageId }: Pick<Upsert, 'direction' | 'messageId'>): string =>
  `${direction}:${messageId}`

/** Changes of chats, and votes, are not shown in Chatwoot. */
const NOT_SHOWN = new Set(['pin', 'poll_vote', 'disappearing'])

async function deliverMessage(
  attempt: Attempt,
  message: Upsert,
  apiName: string,
  readFile: ReadFile,
): Promise<string> {
  const { options } = attempt.bridge
  const isGroup = isGroupJid(message.chat)
  if (!(isGroup || isPersonChat(message.chat)) || NOT_SHOWN.has(message.type)) return NOT_SENT
  if (isGroup && options.ignoreGroups) return NOT_SENT
  if (message.type === 'delete') return deliverDeletion(attempt, message)
  if (message.type === 'reaction' && message.text === null) return NOT_SENT
  return deliverOnce(attempt, message, () => readFile(attempt.bridge, message, apiName))
}

/** Creates the message, unless it is there. */
async function deliverOnce(
  attempt: Attempt,
  message: Upsert,
  readFile: () => Promise<ReceivedFile>,
): Promise<string> {
  const { db, bridge, clock } = attempt
  const { webhookId } = bridge
  const key = keyOf(message)
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
  { api, bridge }: Attempt,
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
  attempt: Attempt,
  message: Upsert,
  conversationId: number,
  readFile: () => Promise<ReceivedFile>,
): Promise<number> {
  const { db, api, bridge } = attempt
  const file = message.media?.downloadPath ? await readFile().catch(() => undefined) : undefined
  const repliesTo = await repliedTo(attempt, message, conversationId)
  const created = toChatwoot(bridge.instanceId, message, file !== undefined, repliesTo)
  try {
    return await api.createMessage(conversationId, created, file && toFormFile(file, message))
  } catch (error) {
    // Nothing was created, so that the next attempt need not search.
    if (isRefused(error)) await rows.releaseMessage(db, bridge.webhookId, keyOf(message))
    // An agent has deleted the conversation: the next attempt makes another one.
    if (isMissing(error)) await rows.forgetConversation(db, bridge.webhookId, conversationId)
    throw error
  }
}

const toFormFile = (file: ReceivedFile, { media }: Upsert): FormFile => ({
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
  message: Upsert,
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
    source_id: sourceOf(instanceId, keyOf(message)),
    content_attributes: {
      external_created_at: message.sentAt,
      ...(repliesTo !== null && { in_reply_to: repliesTo }),
    },
  }
}

function authorOf({ pushName, phone }: Upsert['from']): string {
  const number = phone === null ? '' : `+${phone}`
  if (!pushName) return number
  return number === '' ? pushName : `${pushName} (${number})`
}

/** The message that this one answers or changes. Agents' messages have no source id, so that it is found by the id in Chatwoot. */
async function repliedTo(
  { db, bridge }: Attempt,
  { target, quoted }: Upsert,
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

async function namedChat({ db, bridge }: Attempt, message: Upsert): Promise<NamedChat> {
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
async function deliverDeletion({ db, api, bridge }: Attempt, { target }: Upsert): Promise<string> {
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

async function deliverStatus(
  { db, api, bridge }: Attempt,
  { messageId, status, failure }: EventData<'messages.update'>,
): Promise<string> {
  const there = STATUSES[status]
  const row = there && (await rows.findMessage(db, bridge.webhookId, keyOf({ direction: 'outgoing', messageId })))
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
