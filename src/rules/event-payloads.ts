// Builds the payload of each event: one pure function per kind. Payloads contain no secrets (decision 0036).
import type { EventData, EventName } from '../contract/events.ts'
import type { ConnectionState, StateReason } from '../contract/instances.ts'
import type { MessageKind } from '../contract/sending.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { QrCode } from '../network/network.ts'
import { iso, isoOrNull } from './time.ts'

type Upsert = EventData<'messages.upsert'>

/** An event before it is appended to the log. */
export interface NewEvent {
  instanceId: number
  name: EventName
  /** The payload as JSON. */
  data: string
  createdAt: number
}

/** Columns of an instance's row. */
interface InstanceName {
  id: number
  api_name: string
}

function event<N extends EventName>(
  instanceId: number,
  name: N,
  data: EventData<N>,
  createdAt: number,
): NewEvent {
  return { instanceId, name, data: JSON.stringify(data), createdAt }
}

/** The path of a message's file, below the base path. It names the instance, because two instances may store the same message id. */
const mediaPath = (messageId: string, apiName: string): string =>
  `/messages/${encodeURIComponent(messageId)}/media?instanceName=${encodeURIComponent(apiName)}`

export interface AcceptedMessage {
  messageId: string
  chat: string
  kind: MessageKind
  content: Record<string, unknown>
  createdAt: number
}

/** An accepted message without its sender, which the store adds. */
export const outgoingUpsert = (message: AcceptedMessage): Omit<Upsert, 'from'> => ({
  messageId: message.messageId,
  chat: message.chat,
  direction: 'outgoing',
  type: message.kind,
  text: textOf(message.content),
  media: null,
  quoted: null,
  interactiveReplyId: null,
  target: null,
  content: message.content as Upsert['content'],
  status: 'queued',
  sentAt: iso(message.createdAt),
})

/** The text that a chat list shows. */
export function textOf(content: Record<string, unknown>): string | null {
  const { body, text } = (content.interactive ?? {}) as { body?: unknown; text?: unknown }
  const shown = [content.message, content.pollName, body, text, content.name].find(
    (part) => typeof part === 'string',
  )
  return shown ?? null
}

/** A received message as it is stored. Its target comes from the store, not from the sender. */
export type StoredMessage = Omit<ReceivedMessage, 'target'> & { target: Upsert['target'] }

export const receivedUpsert = (
  { id, api_name: apiName }: InstanceName,
  message: StoredMessage,
  now: number,
): NewEvent =>
  event(
    id,
    'messages.upsert',
    {
      messageId: message.id,
      chat: message.chat,
      direction: message.fromMe ? 'outgoing' : 'incoming',
      from: message.from,
      type: message.type,
      text: message.text,
      media: shownMedia(message, apiName),
      quoted: message.quoted,
      interactiveReplyId: message.interactiveReplyId,
      target: message.target,
      content: message.content,
      status: message.fromMe ? 'sent' : 'delivered',
      sentAt: iso(message.sentAtMs),
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
  event(instanceId, 'contacts.update', contact, now)

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
