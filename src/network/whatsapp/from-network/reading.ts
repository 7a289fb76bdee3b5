// What reading one kind of content gives, and what it may ask.
import type { proto } from 'baileys'
import type { ReceivedType } from '../../../contract/messages.ts'
import type { JsonObject, PersonIds, ReceivedMedia } from '../../message.ts'
import type { Resolve } from './people.ts'
import type { KnownPoll } from './poll.ts'

export interface Reading {
  type: ReceivedType
  text: string | null
  media?: ReceivedMedia
  interactiveReplyId?: string | null
  content?: JsonObject
  /** Where the kind keeps what it quotes and whom it mentions. */
  contextInfo?: proto.IContextInfo | null | undefined
}

export interface ReadingFacts {
  me: PersonIds
  from: PersonIds
  chat: string
  resolve: Resolve
  /** The poll with this message id, ours or somebody else's; null where it is not known. */
  findPoll: (messageId: string) => KnownPoll | null
}

/** Gives null where the content is of another kind. */
export type ReadKind = (content: proto.IMessage, facts: ReadingFacts) => Reading | null
