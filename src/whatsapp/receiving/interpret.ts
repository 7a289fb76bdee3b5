// Interprets an arrival: from stanza attributes and decrypted bytes to received messages.

import { setImmediate } from 'node:timers/promises'
import { type Clock, wallClock } from '../../kernel/async/clock.ts'
import { isStorableId } from '../../network/arrival-names.ts'
import type { PersonIds, ReceivedMessage } from '../../network/message.ts'
import type { ConnectOptions, Interpretation, NetworkSession } from '../../network/network.ts'
import { envelopeOf } from '../from-network/envelope.ts'
import { fromNetwork, fromPlaceholder, fromUnreadable, lookUpsOf } from '../from-network/index.ts'
import { knownOriginal } from '../from-network/originals.ts'
import { isSpoofedSelfMessage } from '../from-network/own-devices.ts'
import { idsOf, personOf, plainJid, type Resolve } from '../from-network/people.ts'
import type { KnownOriginal } from '../from-network/reading.ts'
import { bytesOrNull, countOf } from '../from-network/wire-values.ts'
import { readHistoryPart } from '../library/history.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import {
  type Chat,
  cleanMessage,
  decodeMessageNode,
  getHistoryMsg,
  isJidGroup,
  isJidStatusBroadcast,
  isLidUser,
  jidDecode,
  proto,
  type WAMessage,
} from '../library/protocol.ts'
import { decodeBounded, decodeMessage } from '../library/received-limits.ts'
import { toKnownPerson } from '../people/identifiers.ts'
import { type StanzaUsernames, usernamesIn } from '../people/usernames.ts'
import { decodePayload } from '../sending/payload.ts'
import type { WhatsAppSettings } from '../settings.ts'
import { decodeArrival } from './arrivals.ts'
import type { UnreadableReason } from './unreadable-rules.ts'

const NOTHING: Interpretation = { messages: [], people: [], chats: [], isHistory: false }

export interface InterpreterParts {
  settings: Pick<WhatsAppSettings, 'downloadDispatcher' | 'clock' | 'log'>
  socket: LibrarySocket
  options: Pick<ConnectOptions, 'findSent' | 'findOriginals' | 'syncHistory'>
  /** The phone has sent the content of a message that could not be decrypted. */
  onResent(messageId: string | null | undefined): void
}

export function createInterpreter(
  parts: InterpreterParts,
): Pick<NetworkSession, 'interpret' | 'interpretNow'> {
  /** `when`: what comes from the phone of the account is read later, because that may take a transfer. */
  async function read(payload: Uint8Array, when: 'now' | 'later'): Promise<Interpretation | undefined> {
    const { attrs, plain, isViewOnce, unreadable, truncated } = decodeArrival(payload)
    const { id = '', lid } = parts.socket.me ?? {}
    const { fullMessage } = decodeMessageNode({ tag: 'message', attrs }, id, lid ?? '')
    if (isViewOnce || unreadable)
      return { ...NOTHING, messages: [await readPlaceholder(parts, fullMessage, unreadable)] }
    // Bounded again: an older program may have stored the arrival as it came.
    const decoded = decodeMessage(plain)
    if (!decoded) return readInvalid(parts, fullMessage)
    const message = decoded.content.deviceSentMessage?.message ?? decoded.content
    const fromMe = fullMessage.key.fromMe === true
    if (isSpoofedSelfMessage(message, { fromMe })) return NOTHING
    // The library accepts a history regardless of its declared type: only the account's own phone may send one.
    const history = fromMe ? getHistoryMsg(message) : undefined
    const resent = fromMe ? resentIn(message) : []
    if (when === 'now' && (history || resent.length > 0)) return undefined
    if (history) return readHistory(parts, history)
    if (resent.length > 0) {
      for (const { key } of resent) parts.onResent(key?.id)
      return { ...NOTHING, messages: await readAll(parts, resent) }
    }
    const info = { ...fullMessage, message } as WAMessage
    if (!isCleaned(info, id, lid ?? '')) return readInvalid(parts, fullMessage)
    const received = await readMessage(parts, info)
    if (!received) return NOTHING
    const whole = truncated || decoded.truncated ? markTruncated(received) : received
    const marked = fromMe ? { ...whole, byPhone: isPhone(attrs['from']) } : whole
    return withUsernames(parts, marked, usernamesIn(attrs, fromMe))
  }
  return {
    interpret: async (payload) => (await read(payload, 'later')) ?? NOTHING,
    interpretNow: (payload) => read(payload, 'now'),
  }
}

/** Linked devices have a number in their identifier, the phone has none or 0. */
const isPhone = (jid: string | undefined): boolean => {
  const parts = jidDecode(jid)
  return parts !== undefined && !parts.device
}

/** The author's with the message; that of a chat in which this account has written elsewhere as a person. */
async function withUsernames(
  { socket }: Pick<InterpreterParts, 'socket'>,
  message: ReceivedMessage,
  { author, chat }: StanzaUsernames,
): Promise<Interpretation> {
  if (author !== null)
    return { ...NOTHING, messages: [{ ...message, from: { ...message.from, username: author } }] }
  if (chat === null || isJidGroup(message.chat)) return { ...NOTHING, messages: [message] }
  const person = { ...(await bothNames(socket, message.chat)), pushName: null, username: chat }
  return { ...NOTHING, messages: [message], people: [person] }
}

/** False for a reaction or a vote without the message that it refers to, for which the library throws. */
function isCleaned(info: WAMessage, id: string, lid: string): boolean {
  try {
    cleanMessage(info, id, lid)
    return true
  } catch {
    return false
  }
}

/** `together`: messages of the same arrival, which are not stored yet. */
async function readMessage(
  parts: InterpreterParts,
  info: WAMessage,
  together: readonly WAMessage[] = [],
): Promise<ReceivedMessage | null> {
  const { message } = info
  if (!message) return null
  const me = ownIds(parts)
  const envelope = envelopeOf(info)
  // In a history. The ids of other messages were checked when they arrived.
  if (![envelope.id, envelope.chat, envelope.participant ?? ''].every(isStorableId)) return null
  const { jids, originalId } = lookUpsOf(envelope, message, me)
  const original = originalId === null ? null : await originalOf(parts, originalId, together)
  const received = fromNetwork(envelope, message, {
    me,
    nowMs: clockOf(parts)(),
    resolve: await resolverOf(parts, jids),
    findOriginal: () => original,
  })
  // A history has the secret beside the message.
  const secret = bytesOrNull(info.messageSecret)
  return received && secret ? { secret: secret.toString('base64'), ...received } : received
}

/** What is known of the message that another one refers to: as it was sent, as it is stored, or from the same arrival. */
async function originalOf(
  { options }: Pick<InterpreterParts, 'options'>,
  messageId: string,
  together: readonly WAMessage[],
): Promise<KnownOriginal | null> {
  if (!isStorableId(messageId)) return null
  // One after the other: a message of a stranger takes one connection of the pool.
  const sent = await options.findSent(messageId)
  const stored = await options.findOriginals(messageId)
  const beside = together.find(({ key }) => key?.id === messageId)?.message
  const known = [
    ...[sent && decodePayload(sent).message, beside].flatMap((message) =>
      message ? knownOriginal(message) : [],
    ),
    ...stored.map(({ secret, options: names }) => ({ secrets: secret ? [secret] : [], options: names })),
  ]
  if (known.length === 0) return null
  return {
    secrets: known.flatMap(({ secrets }) => secrets),
    options: known.find((each) => each.options !== null)?.options ?? null,
  }
}

/** Decrypted bytes that are not a message of a chat: nothing can be asked again. Those of devices of the account are not messages. */
async function readInvalid(parts: InterpreterParts, info: WAMessage): Promise<Interpretation> {
  if (info.category === 'peer') return NOTHING
  return { ...NOTHING, messages: [await readPlaceholder(parts, info, 'invalid_content')] }
}

/** A message without content: it can be opened only once, and only on the phone, or it could not be read. */
async function readPlaceholder(
  parts: InterpreterParts,
  info: WAMessage,
  unreadable: UnreadableReason | undefined,
): Promise<ReceivedMessage> {
  const { id, lid } = parts.socket.me ?? { id: '', lid: undefined }
  cleanMessage(info, id, lid ?? '')
  const me = ownIds(parts)
  const envelope = envelopeOf(info)
  const { jids } = lookUpsOf(envelope, {}, me)
  const facts = { me, nowMs: clockOf(parts)(), resolve: await resolverOf(parts, jids) }
  return unreadable ? fromUnreadable(envelope, unreadable, facts) : fromPlaceholder(envelope, facts)
}

const clockOf = ({ settings }: Pick<InterpreterParts, 'settings'>): Clock => settings.clock ?? wallClock

function ownIds({ socket }: Pick<InterpreterParts, 'socket'>): PersonIds {
  const { id = '', lid } = socket.me ?? {}
  return personOf(id, lid ?? null, idsOf)
}

async function resolverOf({ socket }: Pick<InterpreterParts, 'socket'>, jids: string[]): Promise<Resolve> {
  const others = await socket.knownNamesOf(jids)
  const people = new Map(jids.map((jid) => [jid, withOther(jid, others.get(jid))]))
  return (jid) => people.get(jid) ?? idsOf(jid)
}

const MESSAGES_PER_TURN = 50

async function readAll(parts: InterpreterParts, infos: WAMessage[]): Promise<ReceivedMessage[]> {
  const messages: ReceivedMessage[] = []
  for (const [index, info] of infos.entries()) {
    // A history has thousands, and other sessions work in between.
    if (index % MESSAGES_PER_TURN === MESSAGES_PER_TURN - 1) await setImmediate()
    const message = await readMessage(parts, info, infos)
    if (message) messages.push(info.starred ? { ...message, starred: true } : message)
  }
  return messages
}

/** For a message that cannot be decrypted, the library asks the account's own phone. Its answer is the only copy. */
function resentIn(message: proto.IMessage): WAMessage[] {
  const { peerDataOperationResult } = message.protocolMessage?.peerDataOperationRequestResponseMessage ?? {}
  return (peerDataOperationResult ?? []).flatMap(({ placeholderMessageResendResponse }) => {
    const bytes = placeholderMessageResendResponse?.webMessageInfoBytes
    return bytes ? [decodeBounded(proto.WebMessageInfo, bytes).content as WAMessage] : []
  })
}

/** A history that the phone sends: to a new device, or because it was asked for older messages of a chat. */
async function readHistory(
  parts: InterpreterParts,
  notification: proto.Message.IHistorySyncNotification,
): Promise<Interpretation> {
  const dispatcher = parts.settings.downloadDispatcher
  const history = await readHistoryPart(notification, (dispatcher ? { dispatcher } : {}) as RequestInit)
  if (history.truncated)
    parts.settings.log.warn('driver: a part of a history has more than phones send, and is cut')
  const pairs = history.lidPnMappings.map(({ lid, pn }) => ({ id: pn, lid }))
  const people = [...history.contacts, ...pairs].flatMap((contact) => toKnownPerson(contact) ?? [])
  await parts.socket.storeNames(history.lidPnMappings)
  // The history is newest first and times are in seconds: in that order an older message could become the last of its chat.
  const isAnswer = history.syncType === HistorySyncType.ON_DEMAND
  // The identifiers in it are needed in any case: without them the library cannot encrypt for some people.
  if (!isAnswer && parts.options.syncHistory === 'none') return { ...NOTHING, people, isHistory: true }
  const messages = await readAll(parts, history.messages.toReversed())
  const byLid = new Map(people.flatMap((person) => (person.lid ? [[person.lid, person.jid] as const] : [])))
  const listed = history.chats.filter(({ id }) => !isJidStatusBroadcast(id ?? ''))
  const others = await parts.socket.knownNamesOf(
    listed.flatMap(({ id }) => (isLidUser(id ?? '') ? [id ?? ''] : [])),
  )
  const chats = listed.map((chat) => {
    const id = chat.id ?? ''
    // By number, if the session knows it.
    return toHistoryChat(chat, byLid.get(id) ?? (isLidUser(id) ? withOther(id, others.get(id)).jid : id))
  })
  const ended = chats.filter(({ isEnded }) => isEnded).map(({ jid }) => jid)
  // An answer counts only the unread messages that it contains, and the timer may have changed since.
  if (isAnswer) return { messages, people, chats: [], isHistory: true, isOlder: true, endedChats: ended }
  const timers = chats.flatMap(({ jid, seconds }) => (isJidGroup(jid) ? [] : [{ jid, seconds }]))
  return { messages, people, chats: chats.map(namedChat), isHistory: true, timers }
}

const { HistorySyncType } = proto.HistorySync
const { COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY: NO_MORE } =
  proto.Conversation.EndOfHistoryTransferType

const toHistoryChat = (chat: Chat, jid: string) => ({
  jid,
  name: chat.name ?? null,
  unreadCount: chat.unreadCount ?? 0,
  seconds: countOf(chat.ephemeralExpiration) ?? 0,
  isEnded: chat.endOfHistoryTransferType === NO_MORE,
})

const namedChat = ({ jid, name, unreadCount }: ReturnType<typeof toHistoryChat>) => ({
  jid,
  name,
  unreadCount,
})

/** Both identifiers of a person, if the session knows them. */
async function bothNames(socket: LibrarySocket, jid: string): Promise<PersonIds> {
  return withOther(jid, (await socket.knownNamesOf([jid])).get(jid))
}

const withOther = (jid: string, other: string | undefined): PersonIds =>
  personOf(jid, other === undefined ? null : plainJid(other), idsOf)

/** Something in it was over a bound, and is missing. */
const markTruncated = (message: ReceivedMessage): ReceivedMessage => ({
  ...message,
  content: { ...message.content, truncated: true },
})
