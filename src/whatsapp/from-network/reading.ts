// The result of reading one kind of content, and the facts that the reader may use.
import type { proto } from 'baileys'
import type { ReceivedType } from '../../contract/messages.ts'
import type { ClaimedTarget, JsonObject, PersonIds, ReceivedMedia } from '../../network/message.ts'
import type { Resolve } from './people.ts'

export interface Reading {
  type: ReceivedType
  text: string | null
  media?: ReceivedMedia
  interactiveReplyId?: string | null
  /** The message that it refers to. */
  target?: ClaimedTarget | null
  content?: JsonObject
  /** Quotes and mentions. */
  contextInfo?: proto.IContextInfo | null | undefined
}

/** Marks content of which the gate of received content has cut something. */
export const markCut = (reading: Reading, { truncated }: { truncated: boolean }): Reading =>
  truncated ? { ...reading, content: { ...reading.content, truncated } } : reading

/** What must be known of a message to decrypt what refers to it. */
export interface KnownOriginal {
  /** Several if a sent and a received message have the same id. Empty: the message carried none, or an older program stored it. */
  secrets: Uint8Array[]
  /** The options of a poll. */
  options: string[] | null
}

export type FindOriginal = (messageId: string) => KnownOriginal | null

export interface ReadingFacts {
  me: PersonIds
  from: PersonIds
  chat: string
  resolve: Resolve
  /** The message with this id, sent or received; null if it is not known. */
  findOriginal: FindOriginal
}

/** Returns null if the content is of another kind. */
export type ReadKind = (content: proto.IMessage, facts: ReadingFacts) => Reading | null
