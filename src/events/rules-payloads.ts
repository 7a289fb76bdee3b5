// Builds the payload of each event: one pure function per kind. Payloads contain no secrets (decision 0036).

import { type Payload, payloadOf, withPersonIds } from '../chats/rules.ts'
import { type GroupSettingsChange, type MembersChange, settingsOf } from '../chats/rules-groups.ts'
import type { EventData, EventName } from '../contract/events.ts'
import type { ConnectionState, StateReason } from '../contract/instances.ts'
import type { MessageStatus, OutgoingKind } from '../contract/sending.ts'
import { type OwnAccountRow, ownPerson } from '../instances/rules.ts'
import { shownPasskey } from '../instances/rules-passkey.ts'
import { iso, isoOrNull } from '../kernel/time.ts'
import type { KnownPerson, NetworkGroup } from '../network/groups.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { QrCode } from '../network/network.ts'
import type { PasskeyResult, PasskeyStep } from '../network/passkey.ts'
import { type EventRoute, routeOf } from './rules-route.ts'

type Upsert = EventData<'messages.upsert'>

/** An event before it is appended to the log. */
export interface NewEvent extends Payload {
  instanceId: number
  name: EventName
  createdAt: number
  /** What the filters of webhooks check. Absent: the event passes every filter. */
  route?: EventRoute | undefined
}

/** Columns of an instance's row. */
interface InstanceName {
  id: number
  api_name: string
}

/** `chat` is the one that the event belongs to; null: none. */
function event<N extends EventName>(
  instanceId: number,
  name: N,
  data: EventData<N>,
  createdAt: number,
  chat: string | null = (data as { chat?: string | null }).chat ?? null,
): NewEvent {
  return { instanceId, name, ...payloadOf(chat, data), createdAt, route: routeOf(name, data) }
}

/** The path of a message's file, below the base path. It names the instance, because two instances may store the same message id. */
const mediaPath = (messageId: string, apiName: string): string =>
  `/messages/${encodeURIComponent(messageId)}/media?instanceName=${encodeURIComponent(apiName)}`

export interface AcceptedMessage {
  messageId: string
  chat: string
  kind: OutgoingKind
  content: Record<string, unknown>
  quoted: Upsert['quoted']
  target?: Upsert['target']
  status: MessageStatus
  createdAt: number
  /** Of a scheduled message. */
  sendAt: number | null
  /** What the sender calls it. */
  reference?: string | undefined
}

/** An accepted message without its sender, which the store adds. */
export const outgoingUpsert = (message: AcceptedMessage): Omit<Upsert, 'from'> => ({
  messageId: message.messageId,
  chat: message.chat,
  direction: 'outgoing',
  type: message.kind,
  text: textOf(message.content),
  media: null,
  quoted: message.quoted,
  interactiveReplyId: null,
  target: message.target ?? null,
  content: message.content as Upsert['content'],
  status: message.status,
  sentAt: iso(message.createdAt),
  sendAt: isoOrNull(message.sendAt),
  reference: message.reference ?? null,
  historical: false,
})

/** A change of a message, made by the instance or received. */
export interface MessageChange {
  instanceId: number
  messageId: string
  chat: string
  isOurs: boolean
  from: EventData<'messages.edited'>['from']
  target: EventData<'messages.edited'>['target']
  type: string
  text: string | null
  deletedBy: 'author' | 'admin' | null
  at: number
}

/** Undefined for a message that changes no other one, and for changes without an event of their own. */
export function changeEvent(change: MessageChange, now: number): NewEvent | undefined {
  const { instanceId, messageId, chat, target, text, deletedBy } = change
  const from = withPersonIds(change.from)
  const direction = change.isOurs ? 'outgoing' : 'incoming'
  const common = { messageId, chat, direction, from, target, at: iso(change.at) } as const
  switch (change.type) {
    case 'edit':
      return event(instanceId, 'messages.edited', { ...common, text }, now)
    case 'delete':
      return event(instanceId, 'messages.deleted', { ...common, deletedBy }, now)
    case 'reaction':
      return event(instanceId, 'messages.reaction', { ...common, emoji: text }, now)
    default:
      return undefined
  }
}

export const setAsideEvent = (
  instanceId: number,
  facts: Omit<EventData<'messages.set_aside'>, 'at'>,
  now: number,
): NewEvent => event(instanceId, 'messages.set_aside', { ...facts, at: iso(now) }, now)

/** A sent message that changes another one: a reaction, an edit, a deletion or a pin. */
export interface OwnAction {
  instanceId: number
  messageId: string
  chat: string
  kind: string
  content: Record<string, unknown>
  account: OwnAccountRow
}

export function ownChangeEvent(action: OwnAction, now: number): NewEvent | undefined {
  const { instanceId, messageId, chat, kind, content, account } = action
  const { target, deletedBy = null } = content as Pick<MessageChange, 'target'> & Partial<MessageChange>
  const from = ownPerson(account)
  const about = { instanceId, messageId, chat, isOurs: true, from, target, type: kind, deletedBy, at: now }
  return changeEvent({ ...about, text: textOf(content) }, now)
}

/** The text of a sent or received message, as a chat list shows it. */
export function textOf(content: Record<string, unknown>): string | null {
  const { body, text } = (content.interactive ?? {}) as { body?: unknown; text?: unknown }
  const [contact] = (content.contacts ?? []) as { name?: unknown }[]
  const parts = [content.text, content.message, content.pollName, body, text, content.name, contact?.name]
  return parts.find((part) => typeof part === 'string') ?? null
}

/** A received message as it is stored. Its target comes from the store, not from the sender. */
export type StoredMessage = Omit<ReceivedMessage, 'target'> & { target: Upsert['target'] }

export const receivedUpsert = (
  { id, api_name: apiName }: InstanceName,
  message: StoredMessage & { isHistorical: boolean },
  now: number,
): NewEvent =>
  event(
    id,
    'messages.upsert',
    {
      messageId: message.id,
      chat: message.chat,
      direction: message.fromMe ? 'outgoing' : 'incoming',
      from: withPersonIds(message.from),
      type: message.type,
      text: message.text,
      media: shownMedia(message, apiName),
      quoted: message.quoted,
      interactiveReplyId: message.interactiveReplyId,
      target: message.target,
      content: message.content,
      status: message.fromMe ? 'sent' : 'delivered',
      sentAt: iso(message.sentAtMs),
      historical: message.isHistorical,
    },
    now,
  )

/** The keys of a file are not shown; callers get a path of this gateway instead. */
function shownMedia({ id, media }: Pick<ReceivedMessage, 'id' | 'media'>, apiName: string): Upsert['media'] {
  if (!media) return null
  const { reference, ...shown } = media
  return { ...shown, downloadPath: reference ? mediaPath(id, apiName) : null }
}

export interface ChangedContact {
  instanceId: number
  contactId: number | null
  name: string | null
  person: EventData<'contacts.update'>['person']
}

export const contactUpdate = ({ instanceId, ...contact }: ChangedContact, now: number): NewEvent =>
  event(
    instanceId,
    'contacts.update',
    { ...contact, person: withPersonIds(contact.person) },
    now,
    contact.person.jid,
  )

/** The chat of the lid has become part of that of the number. */
export const contactsMerged = (
  instanceId: number,
  { person, ...contacts }: Pick<EventData<'contacts.merged'>, 'person' | 'contactId' | 'removedContactId'>,
  now: number,
): NewEvent => {
  const merged = { ...contacts, mergedChat: person.lid ?? person.jid, person: withPersonIds(person) }
  return event(instanceId, 'contacts.merged', { chat: person.jid, ...merged }, now)
}

export const labelUpdate = (
  instanceId: number,
  label: { label_id: string; name: string; color: number; isDeleted: boolean },
  now: number,
): NewEvent => {
  const { label_id: labelId, name, color, isDeleted: deleted } = label
  return event(instanceId, 'labels.update', { labelId, name, color, deleted }, now)
}

export const chatLabelUpdate = (
  instanceId: number,
  data: Pick<EventData<'labels.association'>, 'chat' | 'labelId' | 'name' | 'labeled'>,
  now: number,
): NewEvent => event(instanceId, 'labels.association', data, now)

/** Without the code itself: it contains a secret of the login, which must reach neither the log nor a receiver. */
export const qrUpdate = (
  { id, api_name: apiName }: InstanceName,
  { expiresAt }: Pick<QrCode, 'expiresAt'>,
  now: number,
): NewEvent => {
  const imagePath = `/instance/qr/image?instanceName=${encodeURIComponent(apiName)}`
  return event(id, 'qrcode.updated', { imagePath, pairingCode: null, expiresAt: iso(expiresAt) }, now)
}

export const pairingCodeUpdate = (instanceId: number, pairingCode: string, now: number): NewEvent =>
  event(instanceId, 'qrcode.updated', { imagePath: null, pairingCode, expiresAt: null }, now)

/** A step of linking with a passkey, or how it ended. */
export type PasskeyNews = PasskeyStep | { result: PasskeyResult }

/** Without the challenge: what answers it links a device. */
export const passkeyUpdate = (instanceId: number, news: PasskeyNews, now: number): NewEvent => {
  const data =
    'result' in news
      ? ({ step: 'ended', code: null, expiresAt: null, result: news.result } as const)
      : { ...shownPasskey(news), result: null }
  return event(instanceId, 'passkey.updated', data, now)
}

interface InstanceConnection {
  id: number
  state: string
  state_reason: string | null
  state_until: number | null
  number: string | null
}

export const connectionUpdate = (instance: InstanceConnection, now: number): NewEvent =>
  event(
    instance.id,
    'connection.update',
    {
      state: instance.state as ConnectionState,
      stateReason: instance.state_reason as StateReason | null,
      stateReasonUntil: isoOrNull(instance.state_until),
      number: instance.number,
    },
    now,
  )

export const groupUpsert = (
  instanceId: number,
  group: NetworkGroup,
  author: KnownPerson | null,
  now: number,
): NewEvent =>
  event(
    instanceId,
    'groups.upsert',
    {
      groupJid: group.jid,
      author: author && withPersonIds(author),
      ...settingsOf(group),
      ownerJid: group.ownerJid,
      createdAt: isoOrNull(group.createdAtMs),
      size: group.participants.length,
      isAdmin: group.isAdmin,
    },
    now,
    group.jid,
  )

export const groupUpdate = (
  instanceId: number,
  groupJid: string,
  { author, changes }: GroupSettingsChange,
  now: number,
): NewEvent =>
  event(
    instanceId,
    'groups.update',
    { groupJid, author: author && withPersonIds(author), changes },
    now,
    groupJid,
  )

export const groupParticipantsUpdate = (
  instanceId: number,
  groupJid: string,
  { author, action, people }: MembersChange,
  now: number,
): NewEvent =>
  event(
    instanceId,
    'group-participants.update',
    { groupJid, author: author && withPersonIds(author), action, people: people.map(withPersonIds) },
    now,
    groupJid,
  )

export const presenceUpdate = (
  instanceId: number,
  presence: EventData<'presence.update'>,
  now: number,
): NewEvent =>
  event(instanceId, 'presence.update', { ...presence, person: withPersonIds(presence.person) }, now)

export const callUpdate = (instanceId: number, call: EventData<'call'>, now: number): NewEvent =>
  event(instanceId, 'call', { ...call, from: withPersonIds(call.from) }, now, call.groupJid ?? call.from.jid)
