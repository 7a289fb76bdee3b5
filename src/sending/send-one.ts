// Sends one claimed message: resolve the recipient, show typing, prepare the payload, wait for the network's acknowledgement.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { findChatRow } from '../chats/chat-queries.ts'
import { recordTimer } from '../chats/chat-reports.ts'
import { jidOfPerson } from '../chats/rules.ts'
import { listContactJids } from '../contacts/contact-queries.ts'
import { ACTION_KINDS, type OutgoingKind } from '../contract/sending.ts'
import { ownChangeEvent, textOf } from '../events/rules-payloads.ts'
import { findInstanceById } from '../instances/instance-queries.ts'
import { findMessagesOf, findSentPayload, hasIncoming } from '../messages/message-queries.ts'
import { isDeleted } from '../messages/quoted.ts'
import { type TextChangeFacts, textChangeOf } from '../messages/rules-text-change.ts'
import { isGroupJid, isStatusJid } from '../network/jid.ts'
import type {
  JsonObject,
  LinkPreview,
  MessageReference,
  NetworkAddress,
  OutgoingContent,
  OutgoingContext,
} from '../network/message.ts'
import { type MediaSource, NetworkError, type NetworkSession, type SendRefusal } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Db, Row } from '../store/tables.ts'
import { type PreviewOf, previewInContent } from './held-content.ts'
import type { LaneLock } from './lane-locks.ts'
import type { ClaimedSend } from './outbox.ts'
import type { AddressBook } from './recipient.ts'
import {
  afterRefusal,
  deferred,
  expiry,
  mediaFailure,
  noRecipients,
  REFUSAL_OF_ERROR,
  requeued,
  targetDeleted,
  targetNotSent,
  unknownNumber,
} from './rules.ts'
import type { SendOutcome } from './rules-settle-send.ts'

/** The source of an account's media files. */
export type MediaOf = (accountId: number) => MediaSource

export interface SendDeps {
  logger: Logger
  store: Store
  clock: () => number
  openSession(instanceId: number): NetworkSession
  addresses: Pick<AddressBook, 'addressOf' | 'forget'>
  media: MediaOf
  previewOf: PreviewOf
  /** A message, not a change of one, was sent to the chat. Never rejects. */
  onSent(instanceId: number, chat: string): Promise<void>
  /** The network refused to start a chat: the restriction of the account should be asked for. */
  onRestricted(instanceId: number): Promise<void>
  /** The network's code for a restricted account, for a message that expires while the restriction lasts. */
  restrictedCode: number
}

/**
 * Once the signal of the lock is aborted, nothing is handed to the network any more: the message is due at once for the next process or
 * run.
 */
export async function sendClaimed(
  deps: SendDeps,
  claim: ClaimedSend,
  { signal: stopping, confirm }: Pick<LaneLock, 'signal' | 'confirm'>,
): Promise<SendOutcome> {
  if (stopping.aborted) return requeued(deps.clock())
  const expired = expiry(claim, deps.clock(), deps.restrictedCode)
  if (expired) return expired
  try {
    const session = deps.openSession(claim.instanceId)
    const chat = await deps.addresses.addressOf(claim.instanceId, claim.chat)
    if (chat === null) return unknownNumber()
    if (claim.restricted && (await isNewChat(deps, claim.instanceId, chat))) return deferred(deps.clock())
    await showTyping(session, chat, claim, stopping)
    const content = JSON.parse(claim.content) as Record<string, unknown>
    const context = await contextOf(deps, claim, content)
    if (context === 'not_sent') return targetNotSent()
    if (context === 'deleted') return targetDeleted()
    if (context === 'no_recipients') return noRecipients()
    const disappearingSeconds = await timerOf(deps, claim, chat)
    const referring = { ...context, disappearingSeconds }
    const wire = await payloadOf(deps, session, claim, { chat, content, context: referring }, stopping)
    if (stopping.aborted || !(await confirm())) return requeued(deps.clock())
    const isRepeated = claim.tries > 1
    const result = await session.send({ messageId: claim.messageId, chat, isRepeated, ...wire })
    if (!result.accepted) return await refused(deps, claim, result.refusal, result.code)
    if (!ACTIONS.has(claim.kind)) await deps.onSent(claim.instanceId, chat)
    const change = await ownChange(deps, claim, chat, content)
    return { kind: 'sent', chat, text: textOf(content), isSilent: isStatusJid(chat), ...change }
  } catch (error) {
    if (error instanceof MediaError) return mediaFailure(error.reason, error.message)
    if (stopping.aborted) return requeued(deps.clock())
    if (!(error instanceof NetworkError)) throw error
    deps.logger.debug({ messageId: claim.messageId, err: error }, 'send worker: send failed')
    return await refused(deps, claim, REFUSAL_OF_ERROR[error.kind], error.code)
  }
}

const ACTIONS: ReadonlySet<string> = new Set(ACTION_KINDS)

/** Of an action: that it is one, and its event. */
async function ownChange(
  { store, clock }: SendDeps,
  { instanceId, messageId, kind }: ClaimedSend,
  chat: string,
  content: Record<string, unknown>,
): Promise<Partial<Extract<SendOutcome, { kind: 'sent' }>>> {
  if (!ACTIONS.has(kind)) return {}
  if (kind === 'disappearing')
    await recordTimer({ store, clock }, instanceId, { chat, seconds: Number(content.seconds) })
  const row = await findInstanceById(store.db, instanceId)
  const account = row ?? { number: null, lid: null, profile_name: null }
  const change = ownChangeEvent({ instanceId, messageId, chat, kind, content, account }, clock())
  const { target } = content as Pick<TextChangeFacts, 'target'>
  return { isSilent: true, change, textChange: textChangeOf({ kind, target, text: textOf(content) }) }
}

/** How long the message stays. Claimed with it, unless the network has the person under another number. */
async function timerOf(
  { store }: SendDeps,
  { instanceId, kind, chat: requested, disappearingSeconds }: ClaimedSend,
  chat: string,
): Promise<number> {
  if (ACTIONS.has(kind)) return 0
  if (chat === requested) return disappearingSeconds
  return (await findChatRow(store.db, instanceId, [chat]))?.disappearing_seconds ?? 0
}

/** Thrown by the media source when the message can never be sent. */
export class MediaError extends Error {
  readonly reason: 'media_unavailable' | 'media_too_large'
  constructor(reason: 'media_unavailable' | 'media_too_large', message: string) {
    super(message)
    this.reason = reason
  }
}

/** No message was received in this chat yet. A group is never new: the instance is a member already. A status is not a chat. */
const isNewChat = async ({ store }: SendDeps, instanceId: number, chat: string): Promise<boolean> =>
  !isGroupJid(chat) && !isStatusJid(chat) && !(await hasIncoming(store.db, instanceId, chat))

/** Updates what the gateway knows about the account or the recipient, so that the next try starts from current data. */
const BEFORE_RETRY: Partial<Record<SendRefusal, (deps: SendDeps, claim: ClaimedSend) => Promise<void>>> = {
  stale: ({ addresses }, { instanceId, chat }) => addresses.forget(instanceId, chat),
  restricted: ({ onRestricted, logger }, { instanceId }) =>
    onRestricted(instanceId).catch((err: unknown) =>
      logger.debug({ err, instanceId }, 'send worker: could not refresh the restriction; the send is held'),
    ),
}

async function refused(
  deps: SendDeps,
  claim: ClaimedSend,
  refusal: SendRefusal,
  code: number | null,
): Promise<SendOutcome> {
  await BEFORE_RETRY[refusal]?.(deps, claim)
  return afterRefusal(refusal, { tries: claim.tries, now: deps.clock(), code })
}

async function showTyping(
  session: NetworkSession,
  chat: string,
  { delayMs, kind }: ClaimedSend,
  stopping: AbortSignal,
): Promise<void> {
  if (delayMs === 0) return
  await session.showTyping(chat, kind === 'audio' ? 'recording' : 'typing')
  await pause(delayMs, undefined, { signal: stopping }).catch(() => undefined)
  await session.showTyping(chat, 'nothing')
}

/** Prepared once and stored before anything is sent, so that every try sends the same message. */
async function payloadOf(
  deps: SendDeps,
  session: NetworkSession,
  { accountId, instanceId, messageId, kind, tries, dueAt }: ClaimedSend,
  { chat, content, context }: { chat: string; content: Record<string, unknown>; context: OutgoingContext },
  stopping: AbortSignal,
): Promise<{ payload: Uint8Array; stored: Promise<unknown> }> {
  const earlier = tries > 1 ? await findSentPayload(deps.store.db, instanceId, messageId) : undefined
  if (earlier) return { payload: earlier, stored: Promise.resolve() }
  const preview = await linkPreviewOf(deps, accountId, content, stopping)
  const wanted = {
    kind: kind as OutgoingKind,
    content: { ...content, preview },
  } as unknown as OutgoingContent
  const sources = { media: deps.media(accountId), ...context }
  const payload = await session.prepare(chat, wanted, sources, stopping)
  const storing = deps.store.savePayload({ instanceId, messageId, payload, acceptedAt: dueAt })
  // The session awaits this before it sends. If the send ends earlier, the failure must not become an unhandled rejection.
  storing.catch(() => undefined)
  return { payload, stored: storing }
}

async function linkPreviewOf(
  { previewOf }: SendDeps,
  accountId: number,
  content: Record<string, unknown>,
  stopping: AbortSignal,
): Promise<LinkPreview | undefined> {
  const { message, linkPreview } = content
  const held = previewInContent(content)
  if (held !== undefined) return held ?? undefined
  if (linkPreview !== true || typeof message !== 'string') return undefined
  return previewOf(accountId, message, stopping)
}

// Loads what an outgoing message refers to: the message it quotes, changes or forwards, and the people it mentions or is shown to.

/** The stored fields that name other messages and people. */
interface Referring {
  quoted?: { messageId: string }
  target?: { messageId: string; direction: string | null }
  forwardOf?: { messageId: string; direction: string }
  mentions?: string[]
}

export interface ReferenceDeps {
  store: { db: Db }
  addresses: Pick<AddressBook, 'addressOf'>
}

/**
 * not_sent: the message that this one changes or forwards has failed.
 * deleted: it was deleted since. A reply to a deleted message is sent without its quote (decision 0116).
 * no_recipients: it is a status, and none of the people who should see it is registered.
 */
export async function contextOf(
  deps: ReferenceDeps,
  { instanceId, chat, kind }: { instanceId: number; chat: string; kind: string },
  content: Record<string, unknown>,
): Promise<OutgoingContext | 'not_sent' | 'deleted' | 'no_recipients'> {
  const { store, addresses } = deps
  const { quoted, target, forwardOf, mentions } = content as Referring
  const find = async (named: { messageId: string; direction?: string | null } | undefined) =>
    named && (await findReference(store.db, instanceId, named))
  const [quote, changed, source] = [await find(quoted), await find(target), await find(forwardOf)]
  if ((target && !changed) || (forwardOf && !source)) return 'not_sent'
  if (source?.isDeleted || (changed?.isDeleted && kind !== 'delete')) return 'deleted'
  const audience = isStatusJid(chat) && !target ? await audienceOf(deps, instanceId, content) : undefined
  if (audience?.length === 0) return 'no_recipients'
  return {
    audience,
    quoted: quote?.isDeleted ? undefined : quote,
    target: changed,
    forwarded: source?.isOurs && source.payload === null ? 'again' : source,
    mentions: mentions && (await mentioned(addresses, instanceId, mentions)),
  }
}

const NEVER_SENT: ReadonlySet<string> = new Set(['failed', 'scheduled', 'awaiting_approval'])

async function findReference(
  db: Db,
  instanceId: number,
  { messageId, direction }: { messageId: string; direction?: string | null },
): Promise<(MessageReference & { isDeleted: boolean }) | undefined> {
  const found = await findMessagesOf(db, instanceId, messageId)
  const row = found.find((message) => message.direction === direction) ?? found[0]
  if (!row || NEVER_SENT.has(row.status)) return undefined
  const isOurs = row.direction === 'outgoing'
  const content = JSON.parse(row.content) as JsonObject
  return {
    messageId,
    isDeleted: await isDeleted(db, row),
    isOurs,
    addressedAs: addressOf(row),
    type: row.kind,
    text: textOf(content),
    content,
    payload: (isOurs ? await findSentPayload(db, instanceId, messageId) : undefined) ?? null,
    media: row.media_reference === null ? null : (JSON.parse(row.media_reference) as JsonObject),
  }
}

const addressOf = (row: Row<'messages'>): NetworkAddress =>
  row.addressed_as === null
    ? { chat: row.chat, participant: null }
    : (JSON.parse(row.addressed_as) as NetworkAddress)

/** A person by number or lid. A number that the network does not know is mentioned as it is. */
async function mentioned(
  addresses: ReferenceDeps['addresses'],
  instanceId: number,
  mentions: string[],
): Promise<string[] | 'all'> {
  if (mentions.includes('all')) return 'all'
  return Promise.all(
    mentions.map(async (name) => {
      const jid = jidOfPerson(name)
      return (await addresses.addressOf(instanceId, jid)) ?? jid
    }),
  )
}

// The audience of a status: the listed people, or all saved contacts of the instance that the network knows.

/** Lookups at a time: an unknown number costs a request to the network. */
const LOOKUPS = 20

export async function audienceOf(
  { store, addresses }: { store: { db: Db }; addresses: Pick<AddressBook, 'addressOf'> },
  instanceId: number,
  { to }: { to?: string[] },
): Promise<string[]> {
  const chats = to ? to.map(jidOfPerson) : await listContactJids(store.db, instanceId)
  const found = new Set<string>()
  for (let start = 0; start < chats.length; start += LOOKUPS) {
    const some = chats.slice(start, start + LOOKUPS)
    const jids = await Promise.all(some.map((chat) => addresses.addressOf(instanceId, chat)))
    for (const jid of jids) if (jid !== null) found.add(jid)
  }
  return [...found]
}
