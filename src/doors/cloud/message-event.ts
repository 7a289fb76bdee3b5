// The content of a message in the form of the Cloud API: one pure function per type of this API.
import type { EventData } from '../../contract/events.ts'
import { isGroupJid } from '../../network/jid.ts'
import { oneIdOf } from './addresses.ts'
import { webhookError } from './errors.ts'
import { fileIdOf } from './media-id.ts'

export type Upsert = EventData<'messages.upsert'>
type Fields = Record<string, unknown>
/** `type` and the object of that name, and `errors` where there are some. */
export type CloudContent = { type: string } & Fields

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
export const unsupported = (kind: string): CloudContent => ({
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
export const contentOf = (message: Upsert, instanceName: string): Fields => ({
  ...(isGroupJid(message.chat) && { group_id: message.chat }),
  ...contextOf(message),
  ...referralOf(message),
  ...(BY_TYPE[message.type] ?? (() => unsupported(message.type)))(message, instanceName),
})
