// The result of reading one kind of content, and the facts that the reader may use.
import type { proto } from 'baileys'
import type { ReceivedType } from '../../../contract/messages.ts'
import type { ClaimedTarget, JsonObject, PersonIds, ReceivedMedia } from '../../message.ts'
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

/** What must be known of a poll to decrypt its votes. */
export interface KnownPoll {
  secret: Uint8Array
  options: string[]
}

export interface ReadingFacts {
  me: PersonIds
  from: PersonIds
  chat: string
  resolve: Resolve
  /** The poll with this message id, sent or received; null if it is not known. */
  findPoll: (messageId: string) => KnownPoll | null
}

/** Returns null if the content is of another kind. */
export type ReadKind = (content: proto.IMessage, facts: ReadingFacts) => Reading | null
