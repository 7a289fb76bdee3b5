// The content of a message in the words of the network, as the dialect shows it: one pure function per type.
import type { EventData } from '../../contract/events.ts'
import { personJid } from '../../network/jid.ts'

type Upsert = EventData<'messages.upsert'>
type Fields = Record<string, unknown>

export interface Content {
  type: Upsert['type']
  text: string | null
  media: Omit<NonNullable<Upsert['media']>, 'downloadPath'> | null
  quoted: Upsert['quoted']
  interactiveReplyId: string | null
  target: NonNullable<Upsert['target']> | null
  /** Further fields of the type; of a sent message, those of its request. */
  content: Fields
  chat?: string
}

export interface QuotedContext {
  stanzaId: string
  participant: string | null
  quotedMessage: { conversation: string }
}

export interface EvolutionContent {
  message: Fields
  messageType: string
  contextInfo: QuotedContext | null
}

export function contentOf(known: Content): EvolutionContent {
  const { quoted } = known
  const contextInfo = quoted && {
    stanzaId: quoted.messageId,
    participant: quoted.participant,
    quotedMessage: { conversation: quoted.text ?? '' },
  }
  const [messageType, value] = (BY_TYPE[known.type] ?? unknownContent)(known)
  const fields = contextInfo && typeof value === 'object' ? { ...(value as Fields), contextInfo } : value
  return { message: { [messageType]: fields }, messageType, contextInfo }
}

type ToContent = (known: Content) => [messageType: string, value: unknown]

const textOf = ({ text, content }: Content): string => text ?? (content.message as string | undefined) ?? ''

/** A sent message has the fields of its request; a received one, those of its file. */
const file =
  (messageType: string, more: (known: Content) => Fields = () => ({})): ToContent =>
  (known) => {
    const { media, content } = known
    return [
      messageType,
      {
        ...(typeof content.mediaUrl === 'string' && { url: content.mediaUrl }),
        mimetype: media?.mimetype ?? content.mimetype ?? null,
        fileLength: media?.sizeBytes == null ? null : String(media.sizeBytes),
        fileSha256: media?.sha256 == null ? null : Buffer.from(media.sha256, 'hex').toString('base64'),
        ...more(known),
      },
    ]
  }

const caption = (known: Content): Fields => ({ caption: textOf(known) })
const size = ({ media }: Content): Fields => ({ height: media?.height ?? null, width: media?.width ?? null })
const seconds = ({ media }: Content): Fields => ({ seconds: media?.seconds ?? null })
const fileName = ({ media, content }: Content): Fields => {
  const name = media?.fileName ?? content.fileName ?? null
  return { fileName: name, title: name }
}

/** The message that another one refers to. */
const targetKey = ({ target, content, chat }: Content): Fields => ({
  id: target?.messageId ?? content.targetMessageId ?? null,
  remoteJid: chat ?? null,
  fromMe: target?.direction === 'outgoing',
  ...(target?.author != null && { participant: target.author }),
})

interface Card {
  name?: string | null
  phone?: string
  phones?: { number?: string; phone?: string | null }[]
  organisation?: string
  organization?: string | null
  email?: string
}

function vcardOf({ name, phone, phones = [], organisation, organization, email }: Card): string {
  const numbers = phone === undefined ? phones.map((one) => one.phone ?? one.number ?? '') : [phone]
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${name ?? ''}`,
    `FN:${name ?? ''}`,
    ...((organisation ?? organization) ? [`ORG:${organisation ?? organization}`] : []),
    ...(email ? [`EMAIL:${email}`] : []),
    ...numbers.map((number) => `TEL;type=CELL;waid=${number.replaceAll(/\D/g, '')}:${number}`),
    'END:VCARD',
  ].join('\n')
}

const contacts: ToContent = ({ content }) => {
  const cards = ((content.contacts ?? []) as Card[]).map((card) => ({
    displayName: card.name ?? '',
    vcard: vcardOf(card),
  }))
  const [first] = cards
  if (cards.length === 1 && first) return ['contactMessage', first]
  return ['contactsArrayMessage', { displayName: `${cards.length} contacts`, contacts: cards }]
}

interface Interactive {
  title?: string
  body?: string
  text?: string
  footer?: string
  footerText?: string
  buttonText?: string
  sections?: unknown
  buttons?: unknown
  cards?: unknown
}

const interactive: ToContent = ({ content }) => {
  const { title, body, footer, buttons, cards } = (content.interactive ?? {}) as Interactive
  return [
    'interactiveMessage',
    {
      header: { title: title ?? '' },
      body: { text: body ?? '' },
      footer: { text: footer ?? '' },
      buttons,
      cards,
    },
  ]
}

const pix: ToContent = ({ text, content }) => [
  'interactiveMessage',
  {
    body: { text: text ?? '' },
    buttons: [
      {
        type: 'pix',
        currency: 'BRL',
        name: content.merchantName,
        keyType: content.keyType,
        key: content.key,
      },
    ],
  },
]

const list: ToContent = ({ content }) => {
  const { title, text, footerText, buttonText, sections } = (content.interactive ?? {}) as Interactive
  return ['listMessage', { title: title ?? '', description: text ?? '', footerText, buttonText, sections }]
}

const location: ToContent = ({ content }) => [
  'locationMessage',
  {
    degreesLatitude: content.latitude ?? null,
    degreesLongitude: content.longitude ?? null,
    name: content.name ?? null,
    address: content.address ?? null,
  },
]

const poll: ToContent = ({ content }) => [
  'pollCreationMessageV3',
  {
    name: content.pollName ?? '',
    options: ((content.options ?? []) as string[]).map((optionName) => ({ optionName })),
    selectableOptionsCount: content.selectableCount ?? 1,
  },
]

/** The network counts amounts in thousandths. */
const thousandths = (amount: unknown): string | null => {
  if (typeof amount !== 'string') return null
  const [whole = '0', fraction = ''] = amount.split('.')
  return String(BigInt(whole + fraction.padEnd(3, '0')))
}

const order: ToContent = ({ text, content }) => [
  'orderMessage',
  {
    orderId: content.orderId ?? null,
    token: content.token ?? null,
    itemCount: content.itemCount ?? null,
    message: text,
    orderTitle: content.title ?? null,
    sellerJid: content.seller ?? null,
    totalAmount1000: thousandths(content.total),
    totalCurrencyCode: content.currency ?? null,
  },
]

const product: ToContent = ({ text, content }) => [
  'productMessage',
  {
    product: {
      productId: content.productId ?? null,
      title: content.title ?? null,
      description: content.description ?? null,
      currencyCode: content.currency ?? null,
      priceAmount1000: thousandths(content.price),
      salePriceAmount1000: thousandths(content.salePrice),
      retailerId: content.retailerId ?? null,
      url: content.url ?? null,
    },
    businessOwnerJid: content.business ?? null,
    body: text,
  },
]

/** The dialect shows a message that it does not know under a name of its own. */
const unknownContent: ToContent = (known) => [
  known.type,
  { ...known.content, ...(known.text !== null && { text: known.text }) },
]

const BY_TYPE: Partial<Record<Content['type'], ToContent>> = {
  text: (known) => ['conversation', textOf(known)],
  image: file('imageMessage', (known) => ({ ...caption(known), ...size(known) })),
  video: file('videoMessage', (known) => ({ ...caption(known), ...size(known), ...seconds(known) })),
  document: file('documentMessage', (known) => ({ ...caption(known), ...fileName(known) })),
  audio: file('audioMessage', (known) => ({ ...seconds(known), ptt: known.content.voice !== false })),
  sticker: file('stickerMessage', size),
  location,
  contact: contacts,
  poll,
  order,
  product,
  poll_vote: (known) => [
    'pollUpdateMessage',
    { pollCreationMessageKey: targetKey(known), vote: { selectedOptions: known.content.options ?? [] } },
  ],
  reaction: (known) => [
    'reactionMessage',
    { key: targetKey(known), text: known.text ?? (known.content.emoji as string | null) ?? '' },
  ],
  edit: (known) => [
    'protocolMessage',
    { key: targetKey(known), type: 'MESSAGE_EDIT', editedMessage: { conversation: textOf(known) } },
  ],
  delete: (known) => ['protocolMessage', { key: targetKey(known), type: 'REVOKE' }],
  button: interactive,
  cta: interactive,
  carousel: interactive,
  pix,
  list,
  button_reply: ({ text, interactiveReplyId }) => [
    'templateButtonReplyMessage',
    { selectedId: interactiveReplyId, selectedDisplayText: text },
  ],
  list_reply: ({ text, interactiveReplyId, content }) => [
    'listResponseMessage',
    {
      title: text,
      description: content.description ?? null,
      singleSelectReply: { selectedRowId: interactiveReplyId },
    },
  ],
}

/** The jid of a connected account; empty before the first login, as in the dialect. */
export const ownJid = (number: string | null): string => (number === null ? '' : personJid(number))
