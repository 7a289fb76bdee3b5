// Who may change a message: an edit, a delete, a reaction or a vote counts only from a sender who may make it (decision 0073).
import type { Direction } from '../contract/messages.ts'
import type { PersonIds } from '../network/message.ts'

/** A stored message with the id that the change names, from any chat of the instance. */
export interface KnownMessage {
  chat: string
  direction: Direction
  /** Null where the row does not contain it. Not used for outgoing messages. */
  author: Pick<PersonIds, 'jid' | 'lid'> | null
}

export interface Change {
  type: string
  isGroup: boolean
  /** All jids of the chat in which the change arrived. */
  chats: readonly string[]
  /** All jids of the sender of the change. */
  author: readonly string[]
  fromMe: boolean
  /** What the sender claims about the target. It selects between messages with the same id and proves nothing. */
  claimed: { author: string | null; isOurs: boolean | null }
}

export type ChangePermission<T> =
  | { verdict: 'genuine'; message: T | undefined; by: 'author' | 'admin' | null }
  /** Dropped and counted. */
  | { verdict: 'forged' }
  /** The target is not stored. Dropped, because it could apply to a later message with the same id. */
  | { verdict: 'unknown' }

/** These replace or remove the content of another message, so they need proof of authorship. */
const REWRITES: ReadonlySet<string> = new Set(['edit', 'delete'])

/** `isAdmin`: the sender of the change is an admin of the group. */
export function changePermission<T extends KnownMessage>(
  change: Change,
  known: readonly T[],
  isAdmin: boolean,
): ChangePermission<T> {
  const inChat = known.filter(({ chat }) => change.chats.includes(chat))
  if (known.length === 0)
    return REWRITES.has(change.type)
      ? { verdict: 'unknown' }
      : { verdict: 'genuine', message: undefined, by: null }
  if (inChat.length === 0) return { verdict: 'forged' }
  if (!REWRITES.has(change.type))
    return { verdict: 'genuine', message: claimedMessage(change, inChat), by: null }
  const own = inChat.find((message) => isAuthor(change, message))
  if (own) return { verdict: 'genuine', message: own, by: 'author' }
  if (change.type === 'delete' && change.isGroup && isAdmin)
    return { verdict: 'genuine', message: claimedMessage(change, inChat), by: 'admin' }
  return { verdict: 'forged' }
}

/** An outgoing and an incoming message can have the same id: the claim of the sender decides which one is the target. */
function claimedMessage<T extends KnownMessage>({ claimed }: Change, inChat: readonly T[]): T | undefined {
  const byAuthor = inChat.find(({ author }) => claimed.author !== null && author?.jid === claimed.author)
  const direction = claimed.isOurs === false ? 'incoming' : 'outgoing'
  return byAuthor ?? inChat.find((message) => message.direction === direction) ?? inChat[0]
}

function isAuthor({ fromMe, author, isGroup }: Change, message: KnownMessage): boolean {
  if (fromMe || message.direction === 'outgoing') return fromMe && message.direction === 'outgoing'
  // In a chat of two people, the other person is the author of every incoming message.
  if (message.author === null) return !isGroup
  return [message.author.jid, message.author.lid].some((name) => name !== null && author.includes(name))
}
