// Interprets an arrival: from stanza attributes and decrypted bytes to received messages.
import {
  cleanMessage,
  decodeMessageNode,
  downloadAndProcessHistorySyncNotification,
  getHistoryMsg,
  proto,
  unpadRandomMax16,
  type WAMessage,
  type WASocket,
} from 'baileys'
import type { PersonIds, ReceivedMessage } from '../message.ts'
import type { ConnectOptions, Interpretation } from '../network.ts'
import { decodeArrival } from './arrivals.ts'
import type { AuthState } from './auth-state.ts'
import { envelopeOf } from './from-network/envelope.ts'
import { fromNetwork, lookUpsOf } from './from-network/index.ts'
import { isSpoofedSelfMessage } from './from-network/own-devices.ts'
import { idsOf, personOf, plainJid } from './from-network/people.ts'
import { knownPoll } from './from-network/poll.ts'
import { decodePayload } from './payload.ts'
import { otherNameOf, toKnownPerson } from './people.ts'
import type { WhatsAppSettings } from './settings.ts'

const NOTHING: Interpretation = { messages: [], people: [], chats: [], isHistory: false }

export interface InterpreterParts {
  settings: Pick<WhatsAppSettings, 'downloadDispatcher'>
  socket: WASocket
  auth: AuthState
  options: Pick<ConnectOptions, 'findSent'>
}

export function createInterpreter(parts: InterpreterParts): (payload: Uint8Array) => Promise<Interpretation> {
  return async (payload) => {
    const { attrs, plain } = decodeArrival(payload)
    const { id = '', lid } = parts.auth.creds.me ?? {}
    const { fullMessage } = decodeMessageNode({ tag: 'message', attrs }, id, lid ?? '')
    const decoded = contentOf(plain)
    if (!decoded) return NOTHING
    const message = decoded.deviceSentMessage?.message ?? decoded
    const fromMe = fullMessage.key.fromMe === true
    if (isSpoofedSelfMessage(message, { fromMe })) return NOTHING
    // The library accepts a history regardless of its declared type: only the account's own phone may send one.
    const history = fromMe ? getHistoryMsg(message) : undefined
    if (history) return readHistory(parts, history)
    const resent = fromMe ? resentIn(message) : []
    if (resent.length > 0) return { ...NOTHING, messages: await readAll(parts, resent) }
    const info = { ...fullMessage, message } as WAMessage
    cleanMessage(info, id, lid ?? '')
    const received = await readMessage(parts, info)
    return received ? { ...NOTHING, messages: [received] } : NOTHING
  }
}

/** Undefined for bytes that are not a message; an error would keep the arrival, and it would be retried at every start. */
function contentOf(plain: Uint8Array): proto.Message | undefined {
  try {
    return proto.Message.decode(unpadRandomMax16(plain))
  } catch {
    return undefined
  }
}

async function readMessage(
  { socket, auth, options }: InterpreterParts,
  info: WAMessage,
): Promise<ReceivedMessage | null> {
  const { message } = info
  if (!message) return null
  const { id = '', lid } = auth.creds.me ?? {}
  const me = personOf(id, lid ?? null, idsOf)
  const envelope = envelopeOf(info)
  const { jids, pollId } = lookUpsOf(envelope, message, me)
  const people = new Map(
    await Promise.all(jids.map(async (jid) => [jid, await bothNames(socket, jid)] as const)),
  )
  const sent = pollId === null ? undefined : await options.findSent(pollId)
  return fromNetwork(envelope, message, {
    me,
    nowMs: Date.now(),
    resolve: (jid) => people.get(jid) ?? idsOf(jid),
    findPoll: () => (sent ? knownPoll(decodePayload(sent).message) : null),
  })
}

async function readAll(parts: InterpreterParts, infos: WAMessage[]): Promise<ReceivedMessage[]> {
  const messages = await Promise.all(infos.map((info) => readMessage(parts, info)))
  return messages.filter((message) => message !== null)
}

/** For a message that cannot be decrypted, the library asks the account's own phone. Its answer is the only copy. */
function resentIn(message: proto.IMessage): WAMessage[] {
  const { peerDataOperationResult } = message.protocolMessage?.peerDataOperationRequestResponseMessage ?? {}
  return (peerDataOperationResult ?? []).flatMap(({ placeholderMessageResendResponse }) => {
    const bytes = placeholderMessageResendResponse?.webMessageInfoBytes
    return bytes ? [proto.WebMessageInfo.decode(bytes) as WAMessage] : []
  })
}

/** The history that the phone sends to a new device. */
async function readHistory(
  parts: InterpreterParts,
  notification: proto.Message.IHistorySyncNotification,
): Promise<Interpretation> {
  const dispatcher = parts.settings.downloadDispatcher
  const history = await downloadAndProcessHistorySyncNotification(
    notification,
    (dispatcher ? { dispatcher } : {}) as RequestInit,
  )
  const pairs = history.lidPnMappings.map(({ lid, pn }) => ({ id: pn, lid }))
  const people = [...history.contacts, ...pairs].flatMap((contact) => toKnownPerson(contact) ?? [])
  await parts.socket.signalRepository.lidMapping.storeLIDPNMappings(history.lidPnMappings)
  // The history is newest first and times are in seconds: in that order an older message could become the last of its chat.
  const oldestFirst = history.messages.toReversed()
  const messages = await readAll(parts, oldestFirst)
  const byLid = new Map(people.flatMap((person) => (person.lid ? [[person.lid, person.jid] as const] : [])))
  const chats = history.chats.map(({ id, name, unreadCount }) => ({
    jid: byLid.get(id ?? '') ?? id ?? '',
    name: name ?? null,
    unreadCount: unreadCount ?? 0,
  }))
  return { messages, people, chats, isHistory: true }
}

/** Both identifiers of a person, if the session knows them. */
async function bothNames(socket: WASocket, jid: string): Promise<PersonIds> {
  const other = await otherNameOf(socket)(jid)
  return personOf(jid, other ? plainJid(other) : null, idsOf)
}
