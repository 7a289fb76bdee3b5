// A message as a phone shows it: one shape for all kinds.

export type ShownStatus = 'sent' | 'delivered' | 'read' | 'played' | 'received'

export interface ShownMedia {
  type: 'image' | 'video' | 'audio' | 'document' | 'sticker'
  mimetype: string
  sizeBytes: number
  sha256: string
  caption?: string
  fileName?: string
  voiceNote?: boolean
  videoNote?: boolean
  seconds?: number
  width?: number
  height?: number
  /** The size of the preview that phones show before they load the file. */
  thumbnailBytes?: number
  /** How many bars of a voice message are drawn. */
  waveformBars?: number
}
/** The card below a text with a link. */
interface ShownPreview {
  url: string
  title: string
  description: string | null
  thumbnailBytes: number
}
export interface ShownLocation {
  latitude: number
  longitude: number
  name?: string
  address?: string
}
interface ShownPoll {
  name: string
  options: string[]
  selectableCount: number
  votes: Record<string, string[]>
}
export interface ShownEvent {
  /** Of the call that the event announces. */
  callLink?: string
  name: string
  description?: string
  startsAt: string
  endsAt?: string
  place?: string
  canceled: boolean
}
/** Amounts are decimal numbers. */
export interface ShownOrder {
  orderId: string
  itemCount: number
  total: string
  currency: string
  title?: string
}
export interface ShownProduct {
  productId: string
  title: string
  price: string
  currency: string
  description?: string
  retailerId?: string
  url?: string
}
interface ShownContact {
  name: string
  vcard: string
}

/** A personal invitation to a group. */
export interface ShownGroupInvite {
  jid: string
  subject: string
  /** In seconds. */
  expiresAt: number
}

export interface ShownContent {
  kind: string
  text: string | null
  /** False for messages that real phones accept without showing them. */
  visible: boolean
  backgroundColor?: string
  media?: ShownMedia
  preview?: ShownPreview
  location?: ShownLocation
  contacts?: ShownContact[]
  poll?: ShownPoll
  interactive?: ShownInteractive
  event?: ShownEvent
  order?: ShownOrder
  product?: ShownProduct
  /** How many images and videos the album announces. */
  album?: { images: number; videos: number }
  /** The album that this file belongs to. */
  albumId?: string
  tap?: ShownTap
  groupInvite?: ShownGroupInvite
  /** The message that this one quotes. */
  quoted?: { id: string; text: string | null }
  /** The message that this one reacts to, votes on, edits, deletes or pins. */
  target?: string
  emoji?: string
  options?: string[]
  mentions?: string[]
  reactions?: Record<string, string>
  edited?: boolean
  deleted?: boolean
  forwarded?: boolean
  starred?: boolean
  viewOnce?: boolean
  /** How long a pin, or the messages of the chat, last from now on. 0 ends it. */
  seconds?: number
  /** How long this message is kept, in a chat with disappearing messages. */
  expiresAfterSeconds?: number
  /** Unix seconds. */
  pinnedUntil?: number
}

export interface ShownMessage extends ShownContent {
  id: string
  chat: string
  from: string
  fromMe: boolean
  status: ShownStatus
  timestamp: number
}

export interface ShownButton {
  type: 'reply' | 'url' | 'call' | 'copy' | 'pix' | 'other'
  text: string
  id?: string
  url?: string
  phoneNumber?: string
  /** Of a payment key, which is the id: PHONE, EMAIL, CPF, CNPJ or EVP. */
  keyType?: string
}
interface ShownRow {
  rowId: string
  title: string
  description: string | null
}
interface ShownSection {
  title: string
  rows: ShownRow[]
}
export interface ShownCard {
  title: string | null
  body: string | null
  footer: string | null
  hasImage: boolean
  buttons: ShownButton[]
}
export interface ShownInteractive {
  type: 'buttons' | 'list' | 'carousel'
  title: string | null
  body: string | null
  footer: string | null
  buttonText?: string
  buttons?: ShownButton[]
  sections?: ShownSection[]
  cards?: ShownCard[]
}
/** The option that a person tapped, and which of the four message forms carried the answer. */
export interface ShownTap {
  id: string
  form: 'interactive' | 'list' | 'buttons' | 'template'
}
