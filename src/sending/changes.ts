// Changes of a message as outgoing messages: finds the message, checks what can be done with it, and addresses its chat.
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import { referenceTo, type SendTimer } from '../chats/chats.ts'
import { markMessagesRead, recountUnread } from '../chats/reading-queries.ts'
import { recipientOf } from '../chats/rules.ts'
import type { Deps } from '../context.ts'
import type * as contract from '../contract/actions.ts'
import type { EventData } from '../contract/events.ts'
import { type ChangedMessage, forwardedKind, isDeletable, isEditable } from '../contract/message-changes.ts'
import type { Direction } from '../contract/messages.ts'
import type { ActionKind } from '../contract/sending.ts'
import { GatewayError } from '../errors.ts'
import { chatUpdate } from '../events/append-store.ts'
import { messageFiles } from '../files/rules.ts'
import { requireOpenInstance } from '../instances/instances.ts'
import { isGroupAdmin } from '../messages/change-queries.ts'
import type { MessageRow } from '../messages/message-queries.ts'
import { getMessage, type MessageName, requireMessages } from '../messages/messages.ts'
import { authorOf, refuseDeleted, UNSENT } from '../messages/quoted.ts'
import { SILENT, SILENT_TYPES } from '../messages/silent-types.ts'
import { isGroupJid, isStatusJid } from '../network/jid.ts'
import type { NetworkAddress } from '../network/message.ts'
import { lockInstance } from '../store/locks.ts'
import type { OutgoingMessage, Sending } from './accept.ts'

type ActionDeps = Pick<Deps, 'store' | 'clock'>
/** Who asks: a repeated request gets its first answer. */
export interface ActionRequest {
  caller: Caller
  idempotencyKey: string | undefined
}

/** The timer of a chat with a person is a message, which the network delivers in the order of the chat. */
export const createSendTimer =
  (sending: Pick<Sending, 'send'>): SendTimer =>
  async (caller, { instanceName, chat }, seconds) => {
    const message: OutgoingMessage = {
      instanceName,
      to: recipientOf({ chat }),
      kind: 'disappearing',
      content: { seconds },
      sendAt: null,
      expiresAt: null,
      delayMs: 0,
      requestedDelayMs: null,
    }
    return (await sending.send(caller, message, {})).answer.messageId
  }

type Target = NonNullable<EventData<'messages.upsert'>['target']>
type Body<E extends { body: z.ZodType }> = z.output<E['body']>

export async function reaction(
  deps: ActionDeps,
  request: ActionRequest,
  name: MessageName,
  { emoji }: Body<typeof contract.reactToMessage>,
): Promise<OutgoingMessage> {
  const row = await requireInChat(deps, request, name)
  return action(deps, row, 'reaction', { emoji, removed: emoji === null, text: emoji })
}

export async function edit(
  deps: ActionDeps,
  request: ActionRequest,
  name: MessageName,
  { message }: Body<typeof contract.editMessage>,
): Promise<OutgoingMessage> {
  const row = await requireInChat(deps, request, name)
  if (!isEditable(storedMessage(row), deps.clock())) throw new GatewayError('message_not_editable')
  return action(deps, row, 'edit', { message })
}

export async function deletion(
  deps: ActionDeps,
  request: ActionRequest,
  name: MessageName,
): Promise<OutgoingMessage> {
  const row = await requireUndeleted(deps, request, name)
  const stored = storedMessage(row)
  const isAdmin =
    isGroupJid(row.chat) && !stored.isOurs && (await isGroupAdmin(deps.store.db, row.instance_id, row.chat))
  if (!isDeletable(stored, deps.clock(), isAdmin)) throw new GatewayError('message_not_deletable')
  return action(deps, row, 'delete', { deletedBy: stored.isOurs ? 'author' : 'admin' })
}

export async function pin(
  deps: ActionDeps,
  request: ActionRequest,
  name: MessageName,
  { seconds }: Body<typeof contract.pinMessage>,
): Promise<OutgoingMessage> {
  return action(deps, await requireInChat(deps, request, name), 'pin', { seconds })
}

/** An ordinary message of the same kind to another chat. */
export async function forward(
  deps: ActionDeps,
  request: ActionRequest,
  name: MessageName,
  body: Body<typeof contract.forwardMessage>,
): Promise<OutgoingMessage> {
  const row = await requireUndeleted(deps, request, name)
  const kind = forwardedKind(storedMessage(row))
  if (!kind) throw new GatewayError('message_not_forwardable')
  return {
    instanceName: row.api_name,
    to: recipientOf(body),
    kind,
    content: { ...forwardedContent(row), forwardOf: { messageId: row.id, direction: row.direction } },
    sendAt: body.sendAt ?? null,
    expiresAt: body.expiresAt ?? null,
    reference: body.reference,
    delayMs: 0,
    requestedDelayMs: null,
  }
}

/** The message that is meant, on the only instance that has it. */
export async function requireTarget(
  { store }: ActionDeps,
  caller: Caller,
  name: MessageName,
): Promise<MessageRow> {
  const copies = await requireMessages(store.db, caller, name)
  if (new Set(copies.map((copy) => copy.instance_id)).size > 1)
    throw new GatewayError('message_on_several_instances')
  const [row] = copies
  if (SILENT_TYPES.has(row.kind)) throw new GatewayError('message_not_found')
  if (UNSENT.has(row.status)) throw new GatewayError('message_not_sent')
  return row
}

/** The same, unless it was deleted. */
async function requireUndeleted(
  deps: ActionDeps,
  { caller, idempotencyKey }: ActionRequest,
  name: MessageName,
): Promise<MessageRow> {
  const row = await requireTarget(deps, caller, name)
  await refuseDeleted(deps.store.db, row, idempotencyKey)
  return row
}

/** The same, but no status: phones ignore other changes of one. */
async function requireInChat(
  deps: ActionDeps,
  request: ActionRequest,
  name: MessageName,
): Promise<MessageRow> {
  const row = await requireUndeleted(deps, request, name)
  if (isStatusJid(row.chat)) throw new GatewayError('message_is_status')
  return row
}

async function action(
  { store }: ActionDeps,
  row: MessageRow,
  kind: ActionKind,
  content: Record<string, unknown>,
): Promise<OutgoingMessage> {
  const target: Target = {
    messageId: row.id,
    direction: row.direction as Direction,
    author: await authorOf(store.db, row),
  }
  return {
    instanceName: row.api_name,
    to: chatOf(row),
    kind,
    content: { ...content, targetMessageId: row.id, target },
    target,
    sendAt: null,
    expiresAt: null,
    delayMs: 0,
    requestedDelayMs: null,
  }
}

/** Addressed like the message itself, so that the change is in the same lane and is sent after it. */
function chatOf({ number, group_jid: groupJid, chat }: MessageRow): OutgoingMessage['to'] {
  if (groupJid !== null) return { groupJid }
  return number === null ? { chat } : { number }
}

function storedMessage(row: MessageRow): ChangedMessage {
  const { viewOnce } = JSON.parse(row.content) as { viewOnce?: boolean }
  return {
    isOurs: row.direction === 'outgoing',
    isFromApi: row.direction === 'outgoing' && row.lane !== null,
    type: row.kind,
    at: row.send_at ?? row.created_at,
    isViewOnce: viewOnce === true,
    isStatus: isStatusJid(row.chat),
  }
}

/** Fields of a stored message that belong to its own chat. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'from',
  'text',
  'quoted',
  'interactiveReplyId',
  'mentions',
  'target',
  'forwardOf',
  'album',
  'to',
])

function forwardedContent(row: MessageRow): Record<string, unknown> {
  const content = JSON.parse(row.content) as Record<string, unknown>
  const kept = Object.entries(content).filter(([name, value]) => !OWN_FIELDS.has(name) && value !== null)
  const text = typeof content.text === 'string' ? { message: content.text } : {}
  const forwarded = { ...Object.fromEntries(kept), ...text }
  // A file that was fetched for the approval of the source belongs to the source alone.
  for (const { named } of messageFiles({ kind: row.kind, content: forwarded }))
    if (named.mediaUrl !== undefined) delete named.mediaId
  return forwarded
}

// Stars: only the devices of the owner see them, so they are changed on the network at once and not sent to the chat.

/** Not on the phone yet. */
const WAITING: ReadonlySet<string> = new Set(['queued', 'sending'])

export async function starMessage(
  deps: Pick<Deps, 'store' | 'clock' | 'sessions'>,
  caller: Caller,
  name: MessageName,
  starred: boolean,
) {
  const row = await requireTarget(deps, caller, name)
  if (WAITING.has(row.status)) throw new GatewayError('message_not_sent')
  const instance = await requireOpenInstance(deps, caller, row.api_name)
  await deps.sessions.starMessage(instance.id, row.chat, referenceTo(row), starred)
  return getMessage(deps, caller, { ...name, instanceName: row.api_name })
}

// Marks a received voice message or video as played.

type PlayedDeps = Pick<Deps, 'store' | 'clock' | 'sessions'>

const PLAYABLE: ReadonlySet<string> = new Set(['audio', 'video'])

/** The receipt is sent first: a message that shows as played here has told its sender. */
export async function markPlayed(deps: PlayedDeps, caller: Caller, name: MessageName) {
  const row = await requireTarget(deps, caller, name)
  // Without the address the network would not know which message is meant.
  if (row.direction !== 'incoming' || !PLAYABLE.has(row.kind) || row.addressed_as === null)
    throw new GatewayError('message_not_playable')
  const instance = await requireOpenInstance(deps, caller, row.api_name)
  if (row.status !== 'played') {
    const address = JSON.parse(row.addressed_as) as NetworkAddress
    await deps.sessions.markRead(instance.id, [{ messageId: row.id, ...address }], 'played')
    await record(deps, row)
  }
  return getMessage(deps, caller, { ...name, instanceName: row.api_name })
}

async function record({ store, clock }: PlayedDeps, row: MessageRow): Promise<void> {
  const { instance_id: instanceId, id, chat: jid } = row
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const now = clock()
    const played = { instanceId, messageIds: [id], atMs: now, now, as: 'played' as const }
    const { events } = await markMessagesRead(tx, played)
    const chat = await recountUnread(tx, { instanceId, jid, silent: SILENT, now })
    await store.appendEvents(tx, [...events, ...(chat ? [chatUpdate(chat, now)] : [])])
  })
}
