// Deliveries in the form of the Cloud API: the event, its envelope, and the signature that receivers of that API check.
import { createHmac } from 'node:crypto'
import type { EventData, EventName } from '../../contract/events.ts'
import type { MessageStatus } from '../../contract/sending.ts'
import { isGroupJid, isStatusJid } from '../../network/jid.ts'
import type { FormatEvent } from '../../webhooks/delivery-format.ts'
import { idsOf, oneIdOf } from './addresses.ts'
import { PRODUCT } from './call.ts'
import { FAILURES, webhookError } from './errors.ts'
import { fileIdOf } from './media-id.ts'

/**
 * The original writes other characters than those of ASCII as escapes, and signs them so. Some receivers rely on it: they escape the
 * body again before they check the signature.
 */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^\0-~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * The signatures of the body, with the whole secret of the webhook, which stands for the secret of the app. SHA-1 is for receivers that know
 * nothing else: both prove the same secret.
 */
const hubSignatures = (secret: string, body: string) => {
  const hmac = (hash: 'sha1' | 'sha256') => `${hash}=${createHmac(hash, secret).update(body).digest('hex')}`
  return { 'X-Hub-Signature': hmac('sha1'), 'X-Hub-Signature-256': hmac('sha256') }
}

export const formatCloudEvent: FormatEvent = async (event, { url, secrets }) => {
  const facts = {
    instanceName: event.api_name,
    ownNumber: event.own_number,
    direction: event.direction,
  }
  const name = event.name as EventName
  const change = toCloudChange(name, JSON.parse(event.data) as EventData<typeof name>, facts)
  if (!change) return null
  const body = asciiJson({
    object: 'whatsapp_business_account',
    // An instance is its own business account.
    entry: [{ id: event.api_name, changes: [change] }],
  })
  return {
    url,
    body,
    headers: hubSignatures(secrets.current, body),
    secretHeaders: {},
  }
}

// Events in the form of the Cloud API: one pure function per event of this API. Null: the original has no such event.

/** What an event does not say itself. */
export interface CloudFacts {
  /** The API name of the instance. */
  instanceName: string
  ownNumber: string | null
  /** Of the message that the event is about. */
  direction: string | null
}

interface CloudChange {
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

// The content of a message in the form of the Cloud API: one pure function per type of this API.

type Upsert = EventData<'messages.upsert'>
type Fields = Record<string, unknown>
/** `type` and the object of that name, and `errors` where there are some. */
type CloudContent = { type: string } & Fields

type ToContent = (message: Upsert, instanceName: string) => CloudContent

const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

const toBase64 = (hex: string | null): string | null =>
  hex === null ? null : Buffer.from(hex, 'hex').toString('base64')

/** A file that is not available has no id, and an error says so. */
const file =
  (type: string, more: (message: Upsert) => Fields = () => ({})): ToContent =>
  (message, instanceName) => {
    const { media, messageId, text } = message
    const isAvailable = media?.downloadPath != null
    return {
      type,
      [type]: present({
        id: isAvailable ? fileIdOf({ instanceName, messageId }) : null,
        mime_type: media?.mimetype ?? 'application/octet-stream',
        sha256: toBase64(media?.sha256 ?? null),
        caption: text,
        ...more(message),
      }),
      ...(!isAvailable && { errors: [webhookError(131052, 'The file is not available.')] }),
    }
  }

const location: ToContent = ({ content }) => ({
  type: 'location',
  location: present({
    latitude: content.latitude,
    longitude: content.longitude,
    name: content.name,
    address: content.address,
    url: content.url,
  }),
})

interface Card {
  name?: string | null
  organization?: string | null
  phones?: { number: string; phone: string }[]
}

const contacts: ToContent = ({ content }) => ({
  type: 'contacts',
  contacts: ((content.contacts ?? []) as Card[]).map(({ name, organization, phones = [] }) =>
    present({
      name: { formatted_name: name ?? '', first_name: name ?? '' },
      phones: phones.map(({ number, phone }) => ({ phone: number, wa_id: phone, type: 'CELL' })),
      org: organization ? { company: organization } : null,
    }),
  ),
})

/** A withdrawn reaction has an empty emoji. */
const reaction: ToContent = ({ target, text, content }) => ({
  type: 'reaction',
  reaction: { message_id: target?.messageId ?? content.targetMessageId ?? '', emoji: text ?? '' },
})

const reply =
  (type: 'button_reply' | 'list_reply'): ToContent =>
  ({ interactiveReplyId, text, content }) => ({
    type: 'interactive',
    interactive: {
      type,
      [type]: present({ id: interactiveReplyId ?? '', title: text ?? '', description: content.description }),
    },
  })

const businessId = (jid: unknown): string => (typeof jid === 'string' ? oneIdOf(jid) : '')

/** The network does not send the items of an order: `order_id` and `token` are what they are requested with. */
const order: ToContent = ({ text, content }) => ({
  type: 'order',
  order: present({
    catalog_id: businessId(content.seller),
    text: text ?? '',
    product_items: [],
    order_id: content.orderId,
    token: content.token,
    item_count: content.itemCount,
    total: content.total,
    currency: content.currency,
  }),
})

/** The original shows a question about a product as a text, and the product in `context`. */
const product: ToContent = ({ text, content }) => ({
  type: 'text',
  text: { body: text ?? (content.title as string | null) ?? '' },
})

/** Of everything that the original does not show either. */
const unsupported = (kind: string): CloudContent => ({
  type: 'unsupported',
  unsupported: { type: kind },
  errors: [webhookError(131051, 'The type of the message is not supported.')],
})

const BY_TYPE: Partial<Record<Upsert['type'], ToContent>> = {
  text: ({ text }) => ({ type: 'text', text: { body: text ?? '' } }),
  image: file('image'),
  video: file('video'),
  document: file('document', ({ media }) => ({ filename: media?.fileName })),
  audio: file('audio', ({ content }) => ({ voice: content.voice === true })),
  sticker: file('sticker', ({ content }) => ({ animated: content.animated === true })),
  location,
  contact: contacts,
  reaction,
  order,
  product,
  button_reply: reply('button_reply'),
  list_reply: reply('list_reply'),
}

interface Referral {
  sourceUrl?: string
  sourceId?: string
  sourceType?: string
  title?: string
  body?: string
  mediaType?: string
  originalImageUrl?: string
  thumbnailUrl?: string
  ctwaClid?: string
  greeting?: string
}

/** The advertisement that led to the message. */
function referralOf({ content }: Upsert): Fields {
  const ad = content.referral as Referral | undefined
  if (!ad?.sourceId && !ad?.sourceUrl) return {}
  return {
    referral: present({
      source_url: ad.sourceUrl,
      source_id: ad.sourceId,
      source_type: ad.sourceType,
      headline: ad.title,
      body: ad.body,
      media_type: ad.mediaType,
      image_url: ad.originalImageUrl,
      thumbnail_url: ad.thumbnailUrl,
      ctwa_clid: ad.ctwaClid,
      welcome_message: ad.greeting && { text: ad.greeting },
    }),
  }
}

const referredProduct = ({ type, content }: Upsert): Fields | null =>
  type === 'product'
    ? present({
        catalog_id: businessId(content.business),
        product_retailer_id: content.retailerId ?? content.productId ?? '',
      })
    : null

/** The message that this one answers, whether it was forwarded, and the product that it is about. */
function contextOf(message: Upsert): Fields {
  const { quoted, content } = message
  const from = quoted?.participant ?? null
  const context = present({
    from: from && oneIdOf(from),
    id: quoted?.messageId,
    forwarded: content.forwarded === true ? true : null,
    referred_product: referredProduct(message),
  })
  return Object.keys(context).length > 0 ? { context } : {}
}

/** What the Cloud API says of the message beside its sender. */
const contentOf = (message: Upsert, instanceName: string): Fields => ({
  ...(isGroupJid(message.chat) && { group_id: message.chat }),
  ...contextOf(message),
  ...referralOf(message),
  ...(BY_TYPE[message.type] ?? (() => unsupported(message.type)))(message, instanceName),
})
