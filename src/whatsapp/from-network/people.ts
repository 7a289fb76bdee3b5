// The author and the chat of a message, by phone number if it is known.
import {
  areJidsSameUser,
  isJidBroadcast,
  isJidGroup,
  isJidStatusBroadcast,
  isLidUser,
  isPnUser,
  jidDecode,
} from 'baileys'
import type { PersonIds } from '../../network/message.ts'
import type { Envelope } from './envelope.ts'

export type Resolve = (jid: string) => PersonIds

const HOSTED: Record<string, string> = {
  'c.us': 's.whatsapp.net',
  hosted: 's.whatsapp.net',
  'hosted.lid': 'lid',
}

/** Without device, and on the usual server. */
export function plainJid(jid: string): string {
  const parts = jidDecode(jid)
  return parts ? `${parts.user}@${HOSTED[parts.server] ?? parts.server}` : jid
}

const isPerson = (jid: string): boolean => Boolean(isPnUser(jid) || isLidUser(jid))

/** What can be derived from the identifier alone. */
export const idsOf = (jid: string): PersonIds => ({
  jid,
  lid: isLidUser(jid) ? jid : null,
  phone: isPnUser(jid) ? (jidDecode(jid)?.user ?? null) : null,
})

/** A person by phone number if it is known; groups and channels unchanged. */
export function resolveJid(jid: string, resolve: Resolve): string {
  const plain = plainJid(jid)
  return isPerson(plain) ? resolve(plain).jid : plain
}

export function personOf(jid: string, alt: string | null, resolve: Resolve): PersonIds {
  const names = [jid, ...(alt === null ? [] : [alt])].map(plainJid)
  const byNumber = names.find((name) => isPnUser(name))
  const hidden = names.find((name) => isLidUser(name))
  if (byNumber !== undefined && hidden !== undefined) return { ...idsOf(byNumber), lid: hidden }
  const known = byNumber ?? hidden
  return known === undefined ? idsOf(plainJid(jid)) : resolve(known)
}

export interface ChatAndSender {
  chat: string
  from: PersonIds
}

export function chatAndSenderOf(envelope: Envelope, me: PersonIds, resolve: Resolve): ChatAndSender {
  const from = envelope.fromMe ? me : authorOf(envelope, resolve)
  return { chat: chatOf(envelope, from, me, resolve), from }
}

function authorOf({ chat, chatAlt, participant, participantAlt }: Envelope, resolve: Resolve): PersonIds {
  if (participant === null) return personOf(chat, chatAlt, resolve)
  // Outside groups the library keeps the author's other identifier with the chat.
  return personOf(participant, participantAlt ?? (isJidGroup(chat) ? null : chatAlt), resolve)
}

function chatOf(
  { chat, chatAlt, fromMe }: Envelope,
  from: PersonIds,
  me: PersonIds,
  resolve: Resolve,
): string {
  const plain = plainJid(chat)
  // Recipients see a message of a broadcast list in the chat of its author.
  if (isJidBroadcast(plain) && !isJidStatusBroadcast(plain)) return fromMe ? plain : from.jid
  if (!isPerson(plain)) return plain
  return personOf(plain, otherNameOf(plain, chatAlt, fromMe, me), resolve).jid
}

/** For messages of this account the network may give the account's other identifier, which is not that of the chat. */
function otherNameOf(chat: string, alt: string | null, fromMe: boolean, me: PersonIds): string | null {
  const isMe = (jid: string) => [me.jid, me.lid].some((own) => own !== null && areJidsSameUser(jid, own))
  return alt !== null && fromMe && isMe(alt) && !isMe(chat) ? null : alt
}
