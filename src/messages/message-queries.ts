// Messages as they are read and cancelled, their order in lists, and their payloads. Accepting, claiming and settling are hot operations.
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { insideWalls, type RowWalls } from '../accounts/key-queries.ts'
import type { Direction } from '../contract/messages.ts'
import type { MessageStatus } from '../contract/sending.ts'
import { messageUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { chunksOf } from '../store/chunks.ts'
import type { Db, Row, Tables } from '../store/tables.ts'

// Messages as they are read and cancelled. Accepting, claiming and settling are hot operations.

export type MessageRow = Row<'messages'> & { api_name: string }

export const withInstance = (db: Db) =>
  db
    .selectFrom('messages')
    .innerJoin('instances', 'instances.id', 'messages.instance_id')
    .selectAll('messages')
    .select('instances.api_name')

export interface MessageFilter {
  accountId: number
  instanceId: number | undefined
  /** The person with this number: as it was requested, or by the network's identifiers of the chat. */
  person: { number: string; chats: string[] } | undefined
  /** The identifiers of one chat. */
  chats: string[] | undefined
  status: MessageStatus | undefined
  direction: Direction | undefined
  kinds?: string[] | undefined
  reference?: string | undefined
  /** Milliseconds: the time by which messages are listed. */
  since?: number | undefined
  until?: number | undefined
  /** Of the key; undefined: it sees everything. */
  walls?: RowWalls | undefined
  limit: number
  offset: number
}

export function isMatching(filter: Omit<MessageFilter, 'limit' | 'offset'>): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'messages'>()
  const { instanceId, person, chats, status, direction, kinds, reference, since, until, walls } = filter
  const only = <V>(value: V | undefined, condition: (given: V) => Expression<SqlBool>) =>
    value === undefined ? [] : [condition(value)]
  return eb.and([
    eb('messages.account_id', '=', filter.accountId),
    ...only(instanceId, (id) => eb('messages.instance_id', '=', id)),
    ...only(person, (given) =>
      eb.or([eb('messages.number', '=', given.number), eb('messages.chat', 'in', given.chats)]),
    ),
    ...only(chats, (given) => eb('messages.chat', 'in', given)),
    ...only(status, (given) => eb('messages.status', '=', given)),
    ...only(direction, (given) => eb('messages.direction', '=', given)),
    ...only(kinds, (given) => eb('messages.kind', 'in', given)),
    ...only(reference, (given) => eb('messages.reference', '=', given)),
    ...only(since, (given) => eb(LISTED_AT, '>=', given)),
    ...only(until, (given) => eb(LISTED_AT, '<=', given)),
    ...only(walls, (given) => insideWalls(given, 'messages.chat')),
  ])
}

const matching = (db: Db, filter: Omit<MessageFilter, 'limit' | 'offset'>) =>
  db
    .selectFrom('messages')
    .innerJoin('instances', 'instances.id', 'messages.instance_id')
    .where(isMatching(filter))

export const listMessages = (db: Db, filter: MessageFilter): Promise<MessageRow[]> =>
  matching(db, filter)
    .selectAll('messages')
    .select('instances.api_name')
    .orderBy(LISTED_AT, 'desc')
    .orderBy('messages.row_id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()

export async function countMessages(
  db: Db,
  filter: Omit<MessageFilter, 'limit' | 'offset'>,
): Promise<number> {
  const row = await matching(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Only in a large group can more instances of one account have the same message. */
const MAX_COPIES = 100

/**
 * All messages of the account with this id, sent ones first, then the oldest first. Several instances have the same id when they
 * write to each other or are in the same group.
 */
export const findMessages = (
  db: Db,
  accountId: number,
  messageId: string,
  instanceName?: string,
): Promise<MessageRow[]> =>
  withInstance(db)
    .where('messages.id', '=', messageId)
    .where('messages.account_id', '=', accountId)
    .$if(instanceName !== undefined, (q) => q.where('instances.api_name', '=', instanceName as string))
    .orderBy('messages.direction', 'desc')
    .orderBy('messages.row_id')
    .limit(MAX_COPIES)
    .execute()

/** The first of them, where only one is expected. */
export const findMessage = async (
  db: Db,
  accountId: number,
  messageId: string,
): Promise<MessageRow | undefined> => (await findMessages(db, accountId, messageId))[0]

/** The messages of an instance with this id: at most one sent and one received. */
export const findMessagesOf = (db: Db, instanceId: number, messageId: string): Promise<Row<'messages'>[]> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('id', '=', messageId)
    .orderBy('direction', 'desc')
    .execute()

/** Whether the instance has received a message in this chat. */
export async function hasIncoming(db: Db, instanceId: number, chat: string): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('row_id')
    .where('instance_id', '=', instanceId)
    .where('chat', '=', chat)
    .where('direction', '=', 'incoming')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type OutcomeRow = Pick<
  Row<'messages'>,
  'id' | 'instance_id' | 'status' | 'failure_reason' | 'failure_error' | 'failure_code'
>

/** The status of these sends, and why they failed. */
export async function findOutcomes(db: Db, messageIds: string[]): Promise<OutcomeRow[]> {
  const found: OutcomeRow[] = []
  for (const ids of chunksOf(messageIds)) {
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'instance_id', 'status', 'failure_reason', 'failure_error', 'failure_code'])
      .where('id', 'in', ids)
      .where('direction', '=', 'outgoing')
      .execute()
    found.push(...rows)
  }
  return found
}

/** The statuses of a message that nothing was sent of yet, and the counter of the instance that contains it. */
const COUNTER_OF = {
  queued: 'queued_count',
  scheduled: 'scheduled_count',
  awaiting_approval: 'scheduled_count',
} as const

const CANCELLABLE = Object.keys(COUNTER_OF) as (keyof typeof COUNTER_OF)[]

export const isCancellable = (status: string): status is keyof typeof COUNTER_OF => status in COUNTER_OF

const asCanceled = (error: string, now: number) =>
  ({ status: 'failed', failure_reason: 'canceled', failure_error: error, updated_at: now }) as const

const canceledEvent = (
  { id, instance_id: instanceId, chat }: Pick<MessageRow, 'id' | 'instance_id' | 'chat'>,
  error: string,
  now: number,
): NewEvent =>
  messageUpdate({
    instanceId,
    messageId: id,
    chat,
    status: 'failed',
    failure: { reason: 'canceled', error, code: null },
    at: now,
  })

/** Cancels a scheduled or queued message and returns the event; undefined: it is neither any more. */
export async function cancelMessage(
  tx: Db,
  message: MessageRow,
  error: string,
  now: number,
): Promise<NewEvent | undefined> {
  const { status } = message
  if (!isCancellable(status)) return undefined
  const counter = COUNTER_OF[status]
  // The instance is locked before the message, as everywhere, so that two transactions never wait for each other.
  await tx
    .updateTable('instances')
    .set((eb) => ({ [counter]: eb(counter, '-', 1) }))
    .where('id', '=', message.instance_id)
    .execute()
  const canceled = await tx
    .updateTable('messages')
    .set(asCanceled(error, now))
    .where('row_id', '=', message.row_id)
    .where('status', '=', status)
    .returning('row_id')
    .executeTakeFirst()
  return canceled && canceledEvent(message, error, now)
}

/** All messages with a reference that a key can see. */
export interface ReferenceFilter {
  accountId: number
  instanceId: number | undefined
  walls: RowWalls | undefined
  reference: string
}

const withReference = (db: Db, filter: ReferenceFilter) =>
  db
    .selectFrom('messages')
    .where(
      isMatching({ ...filter, person: undefined, chats: undefined, status: undefined, direction: undefined }),
    )

/** Those that can be cancelled, oldest first. */
export async function listCancellable(
  db: Db,
  filter: ReferenceFilter,
  after: ListPosition | undefined,
  most: number,
): Promise<{ rowId: number; instanceId: number; at: number }[]> {
  return withReference(db, filter)
    .select(['messages.row_id as rowId', 'messages.instance_id as instanceId', LISTED_AT.as('at')])
    .where('messages.status', 'in', CANCELLABLE)
    .$if(after !== undefined, (query) => query.where(isListedAfter(after as ListPosition)))
    .orderBy(LISTED_AT)
    .orderBy('messages.row_id')
    .limit(most)
    .execute()
}

/** How many of them have each status. */
export async function countStatuses(db: Db, filter: ReferenceFilter): Promise<Map<string, number>> {
  const counted = await withReference(db, filter)
    .select((eb) => ['messages.status', eb.fn.countAll<number>().as('count')])
    .groupBy('messages.status')
    .execute()
  return new Map(counted.map(({ status, count }) => [status, count]))
}

/** Cancels those of the messages that still wait, and returns their events. The caller has locked the instance. */
export async function cancelMessages(
  tx: Db,
  { instanceId, rowIds }: { instanceId: number; rowIds: number[] },
  error: string,
  now: number,
): Promise<NewEvent[]> {
  const left = { queued_count: 0, scheduled_count: 0 }
  const canceled: Pick<MessageRow, 'row_id' | 'id' | 'instance_id' | 'chat'>[] = []
  // One statement for each status, because a row does not say afterwards which counter contained it.
  for (const status of CANCELLABLE) {
    const found = await tx
      .updateTable('messages')
      .set(asCanceled(error, now))
      .where('row_id', 'in', rowIds)
      .where('instance_id', '=', instanceId)
      .where('status', '=', status)
      .returning(['row_id', 'id', 'instance_id', 'chat'])
      .execute()
    left[COUNTER_OF[status]] += found.length
    canceled.push(...found)
  }
  if (canceled.length === 0) return []
  await tx
    .updateTable('instances')
    .set((eb) => ({
      queued_count: eb('queued_count', '-', left.queued_count),
      scheduled_count: eb('scheduled_count', '-', left.scheduled_count),
    }))
    .where('id', '=', instanceId)
    .execute()
  return canceled.sort((a, b) => a.row_id - b.row_id).map((row) => canceledEvent(row, error, now))
}

export async function queueDepth(db: Db): Promise<number> {
  // PostgreSQL returns a sum of 64-bit integers as text.
  const row = await db
    .selectFrom('instances')
    .select((eb) => eb.fn.sum<number | string | null>('queued_count').as('queued'))
    .executeTakeFirst()
  return Number(row?.queued ?? 0)
}

// Payloads of sent messages, stored for retries and for devices that ask for a message again.
export async function findSentPayload(
  db: Db,
  instanceId: number,
  messageId: string,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('sent_payloads')
    .select('payload')
    .where('instance_id', '=', instanceId)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return row?.payload
}

// The order in which messages are listed: received ones when they were stored, all others by their own time. Messages of a history
// are stored after later ones, so the order of their rows is not the order of the conversation.

/** Equal to the expression of the indexes. Among equal times, the row decides. */
export const LISTED_AT: RawBuilder<number> = sql<number>`coalesce(messages.listed_at, messages.created_at)`

/** The position of a message in the list. */
export interface ListPosition {
  at: number
  /** Null: before every message of that time. */
  rowId: number | null
}

export const isListedBefore = ({ at, rowId }: ListPosition): RawBuilder<boolean> =>
  rowId === null
    ? sql<boolean>`${LISTED_AT} < ${at}`
    : sql<boolean>`(${LISTED_AT}, messages.row_id) < (${at}, ${rowId})`

export const isListedAfter = ({ at, rowId }: ListPosition): RawBuilder<boolean> =>
  sql<boolean>`(${LISTED_AT}, messages.row_id) > (${at}, ${rowId ?? 0})`

export const comparePositions = (a: ListPosition, b: ListPosition): number =>
  a.at - b.at || (a.rowId ?? 0) - (b.rowId ?? 0)

export const positionOf = (row: {
  listed_at: number | null
  created_at: number
  row_id: number
}): ListPosition => ({
  at: row.listed_at ?? row.created_at,
  rowId: row.row_id,
})
