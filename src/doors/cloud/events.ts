// Events in the form of the Cloud API: one pure function per event of this API. Null: the original has no such event.
import type { EventData, EventName } from '../../contract/events.ts'
import type { MessageStatus } from '../../contract/sending.ts'
import { isGroupJid, isStatusJid } from '../../network/jid.ts'
import { idsOf } from './addresses.ts'
import { PRODUCT } from './call.ts'
import { FAILURES, webhookError } from './errors.ts'
import { contentOf, type Upsert, unsupported } from './message-event.ts'

/** What an event does not say itself. */
export interface CloudFacts {
  /** The API name of the instance. */
  instanceName: string
  ownNumber: string | null
  /** Of the message that the event is about. */
  direction: string | null
}

export interface CloudChange {
  field: 'messages' | 'smb_message_echoes'
  value: Record<string, unknown>
}

type ToCloud<N extends EventName> = (data: EventData<N>, facts: CloudFacts) => CloudChange | null

const seconds = (time: string): string => String(Math.floor(Date.parse(time) / 1000))

/** Of every change. */
const common = ({ instanceName, ownNumber }: CloudFacts) => ({
  messaging_product: PRODUCT,
  metadata: { display_phone_number: ownNumber ?? '', phone_number_id: instanceName },
})

type Author = Upsert['from']

function contactOf(from: Author) {
  const { waId, userId } = idsOf(from)
  return {
    profile: {
      name: from.pushName ?? from.username ?? waId ?? userId ?? '',
      ...(from.username && { username: from.username }),
    },
    ...(waId && { wa_id: waId }),
    ...(userId && { user_id: userId }),
  }
}

interface Chat {
  chat: string
  number?: string | null | undefined
  lid?: string | null | undefined
}

/** The other side of a chat: a number, the id of a person, or both; or a group. */
const peerIds = ({ chat, number, lid }: Chat, waName: string, userName: string): Record<string, string> => {
  if (isGroupJid(chat)) return { [waName]: chat }
  const { waId, userId } = idsOf({ number, lid, jid: chat })
  return { ...(waId && { [waName]: waId }), ...(userId && { [userName]: userId }) }
}

/** Messages that the account sent from its phone. Those of this API are known to its client. */
const echo = (facts: CloudFacts, chat: Chat, message: Record<string, unknown>): CloudChange => ({
  field: 'smb_message_echoes',
  value: {
    ...common(facts),
    message_echoes: [{ from: facts.ownNumber ?? '', ...peerIds(chat, 'to', 'to_user_id'), ...message }],
  },
})

function received(facts: CloudFacts, from: Author, message: Record<string, unknown>): CloudChange {
  const { waId, userId } = idsOf(from)
  const sender = { ...(waId && { from: waId }), ...(userId && { from_user_id: userId }) }
  return {
    field: 'messages',
    value: { ...common(facts), contacts: [contactOf(from)], messages: [{ ...sender, ...message }] },
  }
}

/** A later event has the content, or the original has no counterpart. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'edit',
  'delete',
  'undecryptable',
  'disappearing',
  'pin',
  'album',
])
/** Of a message that was accepted here. One that was written on the phone is already sent. */
const ACCEPTED: ReadonlySet<string> = new Set(['queued', 'scheduled', 'awaiting_approval'])

const messagesUpsert: ToCloud<'messages.upsert'> = (data, facts) => {
  if (data.historical || isStatusJid(data.chat) || NOT_SHOWN.has(data.type)) return null
  if (data.direction === 'outgoing' && ACCEPTED.has(data.status ?? '')) return null
  const message = {
    id: data.messageId,
    timestamp: seconds(data.sentAt),
    ...contentOf(data, facts.instanceName),
  }
  return data.direction === 'outgoing' ? echo(facts, data, message) : received(facts, data.from, message)
}

/** A voice message that was played was read as well. */
const STATUSES: Partial<Record<MessageStatus, string>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

const messagesUpdate: ToCloud<'messages.update'> = (data, facts) => {
  const status = STATUSES[data.status]
  if (status === undefined || facts.direction === 'incoming' || isStatusJid(data.chat)) return null
  const { failure } = data
  return {
    field: 'messages',
    value: {
      ...common(facts),
      statuses: [
        {
          id: data.messageId,
          status,
          timestamp: seconds(data.at),
          ...peerIds(data, 'recipient_id', 'recipient_user_id'),
          ...(isGroupJid(data.chat) && { recipient_type: 'group' }),
          ...(failure && { errors: [webhookError(FAILURES[failure.reason], failure.error)] }),
        },
      ],
    },
  }
}

type Change = EventData<'messages.edited'> | EventData<'messages.deleted'>

/**
 * The owner's changes are echoes. Those of people have the type `unsupported`, which every client skips, and beside it what was
 * changed: clients that show any other unknown type would show an empty message.
 */
function changed(
  data: Change,
  facts: CloudFacts,
  name: 'edit' | 'revoke',
  content: object,
): CloudChange | null {
  if (isStatusJid(data.chat)) return null
  const message = { id: data.messageId, timestamp: seconds(data.at) }
  const group = isGroupJid(data.chat) ? { group_id: data.chat } : {}
  const change = { [name]: { original_message_id: data.target.messageId, ...content } }
  return data.direction === 'outgoing'
    ? echo(facts, data, { ...message, ...group, type: name, ...change })
    : received(facts, data.from, { ...message, ...group, ...unsupported(name), ...change })
}

const messagesEdited: ToCloud<'messages.edited'> = (data, facts) =>
  changed(data, facts, 'edit', { message: { type: 'text', text: { body: data.text ?? '' } } })

const messagesDeleted: ToCloud<'messages.deleted'> = (data, facts) => changed(data, facts, 'revoke', {})

const EVENTS: { readonly [N in EventName]?: ToCloud<N> } = {
  'messages.upsert': messagesUpsert,
  'messages.update': messagesUpdate,
  'messages.edited': messagesEdited,
  'messages.deleted': messagesDeleted,
}

export const toCloudChange = <N extends EventName>(
  name: N,
  data: EventData<N>,
  facts: CloudFacts,
): CloudChange | null => EVENTS[name]?.(data, facts) ?? null
