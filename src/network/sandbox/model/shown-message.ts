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
  seconds?: number
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
interface ShownContact {
  name: string
  vcard: string
}

export interface ShownContent {
  kind: string
  text: string | null
  /** False for messages that real phones accept without showing them. */
  visible: boolean
  media?: ShownMedia
  location?: ShownLocation
  contacts?: ShownContact[]
  poll?: ShownPoll
  interactive?: ShownInteractive
  tap?: ShownTap
  /** The message that this one quotes. */
  quoted?: { id: string; text: string | null }
  /** The message that this one reacts to, votes on, edits or deletes. */
  target?: string
  emoji?: string
  options?: string[]
  mentions?: string[]
  reactions?: Record<string, string>
  edited?: boolean
  deleted?: boolean
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
  type: 'reply' | 'url' | 'call' | 'copy' | 'other'
  text: string
  id?: string
  url?: string
  phoneNumber?: string
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
