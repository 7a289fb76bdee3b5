// A message as clients of the dialect see it: in answers to sends, in lists, and in events. Pure.
import type { z } from 'zod'
import type { EventData } from '../../contract/events.ts'
import type { Message } from '../../contract/messages.ts'
import type { MessageStatus } from '../../contract/sending.ts'
import { isGroupJid, isLid, isStatusJid } from '../../network/jid.ts'
import { type Content, contentOf, type QuotedContext } from './message-content.ts'

export const STATUSES: Readonly<Record<MessageStatus, string>> = {
  awaiting_approval: 'PENDING',
  scheduled: 'PENDING',
  queued: 'PENDING',
  sending: 'PENDING',
  sent: 'SERVER_ACK',
  delivered: 'DELIVERY_ACK',
  read: 'READ',
  played: 'PLAYED',
  failed: 'ERROR',
}

export interface Key {
  remoteJid: string
  fromMe: boolean
  id: string
  /** The author, in a group and of a status post. */
  participant?: string
  /** The other identifier of the person: the lid of a number. */
  remoteJidAlt?: string
  participantAlt?: string
}

/** What both sources, events and the API, say of a message. */
export interface DescribedMessage extends Content {
  messageId: string
  chat: string
  lid: string | null
  fromMe: boolean
  from: Author | null
  status: MessageStatus | null
  atMs: number
}

interface Author {
  jid: string
  lid: string | null
  pushName: string | null
}

export function keyOf({ messageId, chat, lid, fromMe, from }: DescribedMessage): Key {
  const hasAuthor = !fromMe && from !== null && (isGroupJid(chat) || isStatusJid(chat))
  return {
    remoteJid: chat,
    fromMe,
    id: messageId,
    ...(lid !== null && !isLid(chat) && { remoteJidAlt: lid }),
    ...(hasAuthor && { participant: from.jid }),
    ...(hasAuthor && from.lid !== null && from.lid !== from.jid && { participantAlt: from.lid }),
  }
}

export interface EvolutionMessage {
  key: Key
  pushName: string | null
  status: string
  message: Record<string, unknown>
  contextInfo: QuotedContext | null
  messageType: string
  messageTimestamp: number
  instanceId: string
  source: string
}

/** `source` says how a message was sent; the network does not tell which device a person uses. */
export function evolutionMessage(known: DescribedMessage, instanceId: number): EvolutionMessage {
  const { message, messageType, contextInfo } = contentOf(known)
  return {
    key: keyOf(known),
    pushName: known.fromMe ? null : (known.from?.pushName ?? null),
    status: STATUSES[known.status ?? 'delivered'],
    message,
    contextInfo,
    messageType,
    messageTimestamp: Math.floor(known.atMs / 1000),
    instanceId: String(instanceId),
    source: 'unknown',
  }
}

export const fromEvent = (data: EventData<'messages.upsert'>): DescribedMessage => ({
  messageId: data.messageId,
  chat: data.chat,
  lid: data.lid ?? null,
  fromMe: data.direction === 'outgoing',
  from: data.from,
  status: data.status,
  atMs: Date.parse(data.sentAt),
  type: data.type,
  text: data.text,
  media: data.media,
  quoted: data.quoted,
  interactiveReplyId: data.interactiveReplyId,
  target: data.target ?? null,
  content: data.content,
})

type Listed = z.output<typeof Message>

/** The stored content of a received message has what an event says of it; that of a sent one, the fields of its request. */
export function fromListed(listed: Listed): DescribedMessage {
  const content = listed.content as Record<string, unknown> & Partial<Content> & { from?: Author }
  return {
    messageId: listed.messageId,
    chat: listed.chat,
    lid: listed.lid,
    fromMe: listed.direction === 'outgoing',
    from: content.from ?? null,
    status: listed.status,
    atMs: Date.parse(listed.sentAt ?? listed.createdAt),
    type: listed.type,
    text: content.text ?? null,
    media: content.media ?? null,
    quoted: content.quoted ?? null,
    interactiveReplyId: content.interactiveReplyId ?? null,
    target: content.target ?? null,
    content,
  }
}
