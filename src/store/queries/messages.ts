// Messages as they are read and cancelled. They are accepted, claimed and settled by the store's hot operations.
import type { Direction } from '../../contract/messages.ts'
import type { MessageStatus } from '../../contract/sending.ts'
import { messageUpdate, type NewEvent } from '../event-log.ts'
import type { Db, Row } from '../tables.ts'

export type MessageRow = Row<'messages'> & { api_name: string }

const withInstance = (db: Db) =>
  db
    .selectFrom('messages')
    .innerJoin('instances', 'instances.id', 'messages.instance_id')
    .selectAll('messages')
    .select('instances.api_name')

export interface MessageFilter {
  accountId: number
  instanceId: number | undefined
  /** Whoever this number stands for: as it was asked for, or as the network names the chat. */
  person: { number: string; chats: string[] } | undefined
  chat: string | undefined
  status: MessageStatus | undefined
  direction: Direction | undefined
  limit: number
  offset: number
}

export const listMessages = (db: Db, filter: MessageFilter): Promise<MessageRow[]> =>
  withInstance(db)
    .where('messages.account_id', '=', filter.accountId)
    .$if(filter.instanceId !== undefined, (q) =>
      q.where('messages.instance_id', '=', filter.instanceId as number),
    )
    .$if(filter.person !== undefined, (q) =>
      q.where((eb) =>
        eb.or([
          eb('messages.number', '=', filter.person?.number as string),
          eb('messages.chat', 'in', filter.person?.chats as string[]),
        ]),
      ),
    )
    .$if(filter.chat !== undefined, (q) => q.where('messages.chat', '=', filter.chat as string))
    .$if(filter.status !== undefined, (q) => q.where('messages.status', '=', filter.status as string))
    .$if(filter.direction !== undefined, (q) =>
      q.where('messages.direction', '=', filter.direction as string),
    )
    .orderBy('messages.row_id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()

/** Where two instances of the account hold the same message, the one that sent it counts. */
export const findMessage = (db: Db, accountId: number, messageId: string): Promise<MessageRow | undefined> =>
  withInstance(db)
    .where('messages.id', '=', messageId)
    .where('messages.account_id', '=', accountId)
    .orderBy('messages.direction', 'desc')
    .orderBy('messages.row_id')
    .limit(1)
    .executeTakeFirst()

/** Whether anybody has written to the instance in this chat. */
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

/** More names than this go in several questions: an engine has a cap on them. */
const NAMES_AT_ONCE = 500

/** How far these sends have come. */
export async function findOutcomes(db: Db, messageIds: string[]): Promise<OutcomeRow[]> {
  const found: OutcomeRow[] = []
  for (let from = 0; from < messageIds.length; from += NAMES_AT_ONCE) {
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'instance_id', 'status', 'failure_reason', 'failure_error', 'failure_code'])
      .where('id', 'in', messageIds.slice(from, from + NAMES_AT_ONCE))
      .where('direction', '=', 'outgoing')
      .execute()
    found.push(...rows)
  }
  return found
}

/** Cancels what is still queued, and gives the event of it; undefined when it has gone on meanwhile. */
export async function cancelMessage(
  tx: Db,
  message: MessageRow,
  error: string,
  now: number,
): Promise<NewEvent | undefined> {
  // Instance before message, as everywhere: two transactions never wait for each other.
  await tx
    .updateTable('instances')
    .set((eb) => ({ queued_count: eb('queued_count', '-', 1) }))
    .where('id', '=', message.instance_id)
    .execute()
  const canceled = await tx
    .updateTable('messages')
    .set({ status: 'failed', failure_reason: 'canceled', failure_error: error, updated_at: now })
    .where('row_id', '=', message.row_id)
    .where('status', '=', 'queued')
    .returning('row_id')
    .executeTakeFirst()
  if (!canceled) return undefined
  return messageUpdate({
    instanceId: message.instance_id,
    messageId: message.id,
    chat: message.chat,
    status: 'failed',
    failure: { reason: 'canceled', error, code: null },
    at: now,
  })
}

export async function queueDepth(db: Db): Promise<number> {
  // PostgreSQL gives a sum of integers as text, so that none is too large for it.
  const row = await db
    .selectFrom('instances')
    .select((eb) => eb.fn.sum<number | string | null>('queued_count').as('queued'))
    .executeTakeFirst()
  return Number(row?.queued ?? 0)
}
