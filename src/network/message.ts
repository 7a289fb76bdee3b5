// Messages at the network port: outgoing content as the caller gave it, and received messages in one shape.
import type { z } from 'zod'
import type * as bodies from '../contract/message-bodies.ts'
import type { ReceivedType } from '../contract/messages.ts'
import type { MessageKind } from '../contract/sending.ts'

type Body<S extends z.ZodType> = z.output<S>
type MediaBody = Body<typeof bodies.MediaBody>
type CaptionedMedia = Pick<MediaBody, 'mediaUrl' | 'message' | 'fileName' | 'mimetype'>

/** The stored content of a send, by kind: the body of its endpoint without recipient and timing. */
interface Contents {
  text: Pick<Body<typeof bodies.TextBody>, 'message'>
  image: CaptionedMedia
  video: CaptionedMedia
  document: CaptionedMedia
  audio: Omit<CaptionedMedia, 'message'>
  button: Pick<Body<typeof bodies.ButtonBody>, 'interactive'>
  list: Pick<Body<typeof bodies.ListBody>, 'interactive'>
  cta: Pick<Body<typeof bodies.CtaBody>, 'interactive'>
  carousel: Pick<Body<typeof bodies.CarouselBody>, 'interactive'>
  location: Pick<Body<typeof bodies.LocationBody>, 'latitude' | 'longitude' | 'name' | 'address'>
  poll: Pick<Body<typeof bodies.PollBody>, 'pollName' | 'options' | 'selectableCount'>
}

export type ContentOf<K extends MessageKind> = Contents[K]
export type OutgoingOf<K extends MessageKind> = { kind: K; content: ContentOf<K> }
export type OutgoingContent = { [K in MessageKind]: OutgoingOf<K> }[MessageKind]

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

/** A person with both identifiers that the network uses. */
export interface PersonIds {
  /** By phone number if it is known. */
  jid: string
  lid: string | null
  /** Digits with country code. */
  phone: string | null
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

export interface ReceivedMessage {
  id: string
  chat: string
  /** Never shown to callers. */
  addressedAs: NetworkAddress
  from: PersonIds & { pushName: string | null }
  /** Written on another device of the same account. */
  fromMe: boolean
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
}
