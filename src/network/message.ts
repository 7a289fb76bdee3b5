// Messages as the port carries them: what is to be sent, as it was asked for, and what was received, in one shape.
import type { z } from 'zod'
import type * as bodies from '../contract/message-bodies.ts'
import type { ReceivedType } from '../contract/messages.ts'
import type { MessageKind } from '../contract/sending.ts'

type Body<S extends z.ZodType> = z.output<S>
type MediaBody = Body<typeof bodies.MediaBody>
type CaptionedMedia = Pick<MediaBody, 'mediaUrl' | 'message' | 'fileName' | 'mimetype'>

/** What is kept of a send, by kind: the body of its endpoint less who it goes to and when. */
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

/** One person under both names that the network has for people. */
export interface PersonIds {
  /** By phone number wherever it is known. */
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
  /** Of the file itself, in hex. */
  sha256: string | null
  /** What the driver needs to fetch the file later, keys included; null where it cannot be fetched. Never shown to callers. */
  reference: JsonObject | null
}

export interface QuotedMessage {
  messageId: string
  text: string | null
  /** Who wrote the quoted message. */
  participant: string | null
}

/** As the network itself named chat and author, by number or by hidden identifier: a receipt must say the same. */
export interface NetworkAddress {
  chat: string
  /** The author, where the chat does not say it. */
  participant: string | null
}

export interface ReceivedMessage {
  id: string
  chat: string
  /** Never shown to callers. */
  addressedAs: NetworkAddress
  from: PersonIds & { pushName: string | null }
  /** Written on another device of our own account. */
  fromMe: boolean
  sentAtMs: number
  type: ReceivedType
  /** Text or caption; the option that was tapped; the emoji of a reaction; the new text of an edit. */
  text: string | null
  media: ReceivedMedia | null
  quoted: QuotedMessage | null
  interactiveReplyId: string | null
  /** What else the kind carries. Nothing secret: this is shown to callers as it is. */
  content: JsonObject
}
