// The messages of one chat in the order of the list. The chat may be stored under several identifiers, such as two forms of a number:
// each is read from its index, and the results are merged.
import type { MessageStatus } from '../contract/sending.ts'
import type { Db, Row } from '../store/tables.ts'
import {
  comparePositions,
  isListedBefore,
  LISTED_AT,
  type ListPosition,
  type MessageRow,
  positionOf,
  withInstance,
} from './message-queries.ts'

interface Conversation {
  instanceId: number
  chats: string[]
}

interface PartOfConversation extends Conversation {
  before: ListPosition | null
  limit: number
  /** Messages with these statuses are not listed. */
  leftOut?: readonly MessageStatus[]
}

/** The messages before a position in the list, latest first. */
export async function listMessagesBefore(
  db: Db,
  { instanceId, chats, before, limit, leftOut = [] }: PartOfConversation,
): Promise<MessageRow[]> {
  const found = await Promise.all(
    chats.map((chat) =>
      withInstance(db)
        .where('messages.instance_id', '=', instanceId)
        .where('messages.chat', '=', chat)
        .$if(before !== null, (query) => query.where(isListedBefore(before as ListPosition)))
        .$if(leftOut.length > 0, (query) => query.where('messages.status', 'not in', leftOut))
        .orderBy(LISTED_AT, 'desc')
        .orderBy('messages.row_id', 'desc')
        .limit(limit)
        .execute(),
    ),
  )
  return found
    .flat()
    .sort((a, b) => comparePositions(positionOf(b), positionOf(a)))
    .slice(0, limit)
}

/** Where the list of a chat begins; undefined: it is empty. */
export async function firstListedAt(
  db: Db,
  { instanceId, chats }: Conversation,
): Promise<number | undefined> {
  const found = await Promise.all(
    chats.map((chat) =>
      db
        .selectFrom('messages')
        .select(LISTED_AT.as('at'))
        .where('instance_id', '=', instanceId)
        .where('chat', '=', chat)
        .orderBy(LISTED_AT)
        .limit(1)
        .executeTakeFirst(),
    ),
  )
  const times = found.flatMap((first) => (first ? [first.at] : []))
  return times.length > 0 ? Math.min(...times) : undefined
}

const UNSENT = ['awaiting_approval', 'scheduled', 'queued', 'sending', 'failed']

/** The first or last message of a chat that the network knows. Types that are not shown as messages are excluded. */
export async function findEndMessage(
  db: Db,
  { instanceId, chats, silent, end }: Conversation & { silent: string[]; end: 'first' | 'last' },
): Promise<Row<'messages'> | undefined> {
  const order = end === 'first' ? 'asc' : 'desc'
  const found = await Promise.all(
    chats.map((chat) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('instance_id', '=', instanceId)
        .where('chat', '=', chat)
        .where('kind', 'not in', silent)
        .where('status', 'not in', UNSENT)
        .orderBy(LISTED_AT, order)
        .orderBy('row_id', order)
        .limit(1)
        .executeTakeFirst(),
    ),
  )
  const sorted = found
    .filter((row) => row !== undefined)
    .sort((a, b) => comparePositions(positionOf(a), positionOf(b)))
  return sorted.at(end === 'first' ? 0 : -1)
}
