// Messages at the network port: outgoing content as the caller gave it, and received messages in one shape.
import type { z } from 'zod'
import type { ContactBody } from '../contract/contact-body.ts'
import type { EventSendBody } from '../contract/event-send-body.ts'
import type * as bodies from '../contract/message-bodies.ts'
import type { ReceivedType } from '../contract/messages.ts'
import type { OutgoingKind } from '../contract/sending.ts'
import type { StatusFont } from '../contract/status-body.ts'
import type { StickerBody } from '../contract/sticker-body.ts'

type Body<S extends z.ZodType> = z.output<S>
type MediaBody = Body<typeof bodies.MediaBody>
type CaptionedMedia = Pick<
  MediaBody,
  'mediaUrl' | 'mediaId' | 'message' | 'fileName' | 'mimetype' | 'viewOnce'
>

/** An image or a video of an album. */
export interface AlbumMember {
  album?: { messageId: string } | undefined
}

/** What a page says about itself, for the card below a text with its link. */
export interface LinkPreview {
  /** As it is written in the text. */
  url: string
  title: string
  description: string | null
  jpegThumbnail: Uint8Array | undefined
}

/** How a phone draws a text that is a status. Colours as `#rrggbb`. */
export interface StatusStyle {
  backgroundColor: string
  textColor: string
  font: StatusFont
}

/** The stored content of a send, by kind: the body of its endpoint without recipient and timing. */
interface Contents {
  /** The preview is fetched when the message is sent. */
  text: Pick<Body<typeof bodies.TextBody>, 'message' | 'linkPreview'> & {
    preview?: LinkPreview | undefined
  } & Partial<StatusStyle>
  image: CaptionedMedia & AlbumMember
  video: CaptionedMedia & AlbumMember
  document: CaptionedMedia
  audio: Omit<CaptionedMedia, 'message'>
  button: Pick<Body<typeof bodies.ButtonBody>, 'interactive'>
  list: Pick<Body<typeof bodies.ListBody>, 'interactive'>
  cta: Pick<Body<typeof bodies.CtaBody>, 'interactive'>
  carousel: Pick<Body<typeof bodies.CarouselBody>, 'interactive'>
  pix: Pick<Body<typeof bodies.PixBody>, 'merchantName' | 'keyType' | 'key'>
  location: Pick<Body<typeof bodies.LocationBody>, 'latitude' | 'longitude' | 'name' | 'address'>
  poll: Pick<Body<typeof bodies.PollBody>, 'pollName' | 'options' | 'selectableCount'>
  sticker: Pick<Body<typeof StickerBody>, 'mediaUrl' | 'mediaId'>
  contact: Pick<Body<typeof ContactBody>, 'contacts'>
  event: Pick<
    Body<typeof EventSendBody>,
    'name' | 'description' | 'place' | 'latitude' | 'longitude' | 'call'
  > & { startsAt: string; endsAt?: string | undefined }
  /** Announces the images and videos that belong to it. */
  album: { images: number; videos: number }
  /** Null removes the reaction. */
  reaction: { emoji: string | null }
  edit: { message: string }
  delete: object
  /** Null removes the pin. */
  pin: { seconds: number | null }
  /** 0: messages do not disappear any more. */
  disappearing: { seconds: number }
}

export type ContentOf<K extends OutgoingKind> = Contents[K]
export type OutgoingOf<K extends OutgoingKind> = { kind: K; content: ContentOf<K> }
export type OutgoingContent = { [K in OutgoingKind]: OutgoingOf<K> }[OutgoingKind]

/** A stored message that an outgoing one refers to. */
export interface MessageReference {
  messageId: string
  /** Written by the instance. */
  isOurs: boolean
  addressedAs: NetworkAddress
  type: string
  text: string | null
  /** The stored content. */
  content: JsonObject
  /** As it was sent; null: it was received, or is too old. */
  payload: Uint8Array | null
  /** How to fetch the file of a received message; null: it has none. */
  media: JsonObject | null
}

/** What an outgoing message refers to. */
export interface OutgoingContext {
  /** The message that it replies to. */
  quoted?: MessageReference | undefined
  /** The message that an action changes. */
  target?: MessageReference | undefined
  /** The message that it forwards; 'again': a sent one whose payload was removed, prepared again from its content. */
  forwarded?: MessageReference | 'again' | undefined
  /** The identifiers of the people that it mentions. */
  mentions?: string[] | 'all' | undefined
  /** How long the messages of the chat stay; absent or 0: they do not disappear. */
  disappearingSeconds?: number | undefined
  /** The identifiers of the people who see a status post. */
  audience?: string[] | undefined
}

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

/** A person with both identifiers that the network uses. */
export interface PersonIds {
  /** By phone number if it is known. */
  jid: string
  lid: string | null
  /** Digits with country code. */
  phone: string | null
  /** Belongs to the lid. Absent: the network did not say one. */
  username?: string | null | undefined
}

export interface ReceivedMedia {
  kind: 'image' | 'video' | 'document' | 'audio' | 'sticker'
  mimetype: string
  fileName: string | null
  sizeBytes: number | null
  seconds: number | null
  width: number | null
  height: number | null
  /** Of the decrypted file, in hex. */
  sha256: string | null
  /** What the driver needs to fetch the file later, including keys; null if it cannot be fetched. Never shown to callers. */
  reference: JsonObject | null
}

export interface QuotedMessage {
  messageId: string
  text: string | null
  /** The author of the quoted message. */
  participant: string | null
}

/** Chat and author exactly as the network named them, by number or by lid: a receipt must use the same identifiers. */
export interface NetworkAddress {
  chat: string
  /** The author, if the chat is not one person. */
  participant: string | null
}

/** The message that a reaction, vote, edit or delete refers to, as its sender claims. Unverified. */
export interface ClaimedTarget {
  messageId: string
  author: string | null
  /** Whether the instance wrote it; null if the sender does not say. */
  isOurs: boolean | null
}

/** What is stored of a message that another one refers to, if it has a secret or options. */
export interface StoredOriginal {
  /** Null: none is stored. The payload of a sent message has its secret. */
  secret: Uint8Array | null
  /** The options of a poll; null: it is not a poll. */
  options: string[] | null
}

export interface ReceivedMessage {
  id: string
  chat: string
  /** Never shown to callers. */
  addressedAs: NetworkAddress
  from: PersonIds & { pushName: string | null }
  /** Written on another device of the same account. */
  fromMe: boolean
  /** Written on the phone itself, and not on a linked device. Absent: the network does not say, as in a history. */
  byPhone?: boolean
  sentAtMs: number
  type: ReceivedType
  /** Text or caption; the option that was tapped; the emoji of a reaction; the new text of an edit. */
  text: string | null
  media: ReceivedMedia | null
  quoted: QuotedMessage | null
  interactiveReplyId: string | null
  /** Absent for a message that does not refer to another one. */
  target?: ClaimedTarget | null
  /** Further fields of the kind. Nothing secret: this is shown to callers unchanged. */
  content: JsonObject
  /** Only a history says it. */
  starred?: boolean
  /** Decrypts votes, edits and answers that refer to the message, in base64. Never shown to callers. */
  secret?: string
}
