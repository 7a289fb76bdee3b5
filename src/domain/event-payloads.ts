// What happened, worded as an event: one pure function a kind (decisions 8). Nothing secret ever goes in.
import type { EventData, EventName } from '../contract/events.ts'
import type { ConnectionState, StateReason } from '../contract/instances.ts'
import type { MessageKind } from '../contract/sending.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { QrCode } from '../network/network.ts'
import type { NewEvent } from '../store/event-log.ts'
import type { Row } from '../store/tables.ts'
import { iso } from './time.ts'

type Upsert = EventData<'messages.upsert'>

function event<N extends EventName>(
  instanceId: number,
  name: N,
  data: EventData<N>,
  createdAt: number,
): NewEvent {
  return { instanceId, name, data: JSON.stringify(data), createdAt }
}

/** Where the file of a message is to be had, below the base address. */
export const mediaPath = (messageId: string): string => `/messages/${encodeURIComponent(messageId)}/media`

export interface AcceptedMessage {
  messageId: string
  chat: string
  kind: MessageKind
  content: Record<string, unknown>
  createdAt: number
}

/** A message that was accepted, all but its sender: the store knows that one. */
export const outgoingUpsert = (message: AcceptedMessage): Omit<Upsert, 'from'> => ({
  messageId: message.messageId,
  chat: message.chat,
  direction: 'outgoing',
  type: message.kind,
  text: textOf(message.content),
  media: null,
  quoted: null,
  interactiveReplyId: null,
  content: message.content as Upsert['content'],
  status: 'queued',
  sentAt: iso(message.createdAt),
})

/** What a chat list would show of it. */
export function textOf(content: Record<string, unknown>): string | null {
  const { body, text } = (content.interactive ?? {}) as { body?: unknown; text?: unknown }
  const shown = [content.message, content.pollName, body, text, content.name].find(
    (part) => typeof part === 'string',
  )
  return shown ?? null
}

export const receivedUpsert = (instanceId: number, message: ReceivedMessage, now: number): NewEvent =>
  event(
    instanceId,
    'messages.upsert',
    {
      messageId: message.id,
      chat: message.chat,
      direction: message.fromMe ? 'outgoing' : 'incoming',
      from: message.from,
      type: message.type,
      text: message.text,
      media: shownMedia(message),
      quoted: message.quoted,
      interactiveReplyId: message.interactiveReplyId,
      content: message.content,
      status: message.fromMe ? 'sent' : 'delivered',
      sentAt: iso(message.sentAtMs),
    },
    now,
  )

/** The keys of a file stay inside; what leads to it is a path of our own. */
function shownMedia({ id, media }: ReceivedMessage): Upsert['media'] {
  if (!media) return null
  const { reference, ...shown } = media
  return { ...shown, downloadPath: reference ? mediaPath(id) : null }
}

export interface ChangedContact {
  instanceId: number
  contactId: number | null
  name: string | null
  person: EventData<'contacts.update'>['person']
}

export const contactUpdate = ({ instanceId, ...contact }: ChangedContact, now: number): NewEvent =>
  event(instanceId, 'contacts.update', contact, now)

/** The code itself stays out: a secret of the login is in it, which neither the log nor a receiver may have. */
export const qrUpdate = (
  { id, api_name: apiName }: Pick<Row<'instances'>, 'id' | 'api_name'>,
  { expiresAt }: Pick<QrCode, 'expiresAt'>,
  now: number,
): NewEvent => {
  const imagePath = `/instance/qr/image?instanceName=${encodeURIComponent(apiName)}`
  return event(id, 'qrcode.updated', { imagePath, pairingCode: null, expiresAt: iso(expiresAt) }, now)
}

export const pairingCodeUpdate = (instanceId: number, pairingCode: string, now: number): NewEvent =>
  event(instanceId, 'qrcode.updated', { imagePath: null, pairingCode, expiresAt: null }, now)

export const connectionUpdate = (instance: Row<'instances'>, now: number): NewEvent =>
  event(
    instance.id,
    'connection.update',
    {
      state: instance.state as ConnectionState,
      stateReason: instance.state_reason as StateReason | null,
      number: instance.number,
    },
    now,
  )
