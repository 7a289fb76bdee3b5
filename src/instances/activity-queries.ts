// The activity of instances, counted over their latest messages.
import { sql } from 'kysely'
import { CALLED_OFF } from '../contract/message-values.ts'
import { LISTED_AT } from '../messages/message-queries.ts'
import type { Db, Row } from '../store/tables.ts'

const HOUR_MS = 60 * 60 * 1000

/** Counting more would take noticeably long. */
export const COUNTED_MESSAGES = 20_000

const latest = (db: Db, instanceId: number) =>
  db
    .selectFrom('messages')
    .select(['id', 'direction', 'status', 'failure_reason', 'failure_error', 'failure_code'])
    .select(['created_at', 'updated_at', 'row_id'])
    .where('instance_id', '=', instanceId)
    .orderBy(LISTED_AT, 'desc')
    .orderBy('row_id', 'desc')
    .limit(COUNTED_MESSAGES)
    .as('latest')

/** A message that a person cancelled or rejected was neither sent, nor did anything fail. */
const isNotCalledOff = sql<boolean>`coalesce(failure_reason, '') not in (${sql.join(CALLED_OFF)})`

export interface HourCount {
  hour: number
  direction: string
  failed: number
  messages: number
}

export const countByHour = (db: Db, instanceId: number, since: number): Promise<HourCount[]> =>
  db
    .selectFrom(latest(db, instanceId))
    .select([
      sql<number>`created_at - created_at % ${sql.lit(HOUR_MS)}`.as('hour'),
      'direction',
      sql<number>`case when status = 'failed' then 1 else 0 end`.as('failed'),
    ])
    .where(isNotCalledOff)
    .select((eb) => eb.fn.countAll<number>().as('messages'))
    .where('created_at', '>=', since)
    .groupBy([sql`1`, 'direction', sql`3`])
    .execute()

export const lastFailure = (db: Db, instanceId: number) =>
  db
    .selectFrom(latest(db, instanceId))
    .select(['id', 'failure_reason', 'failure_error', 'failure_code', 'updated_at'])
    .where('status', '=', 'failed')
    .where(isNotCalledOff)
    .orderBy('row_id', 'desc')
    .limit(1)
    .executeTakeFirst()

export type AccountInstanceRow = Row<'instances'> & { account_name: string }

export interface InstanceFilter {
  accountId: number | undefined
  state: string | undefined
  /** Lower-case. */
  search: string | undefined
  limit: number
  offset: number
}

export const listAllInstances = (db: Db, filter: InstanceFilter): Promise<AccountInstanceRow[]> =>
  db
    .selectFrom('instances')
    .innerJoin('accounts', 'accounts.id', 'instances.account_id')
    .selectAll('instances')
    .select('accounts.name as account_name')
    .where('instances.deleted_at', 'is', null)
    .$if(filter.accountId !== undefined, (q) =>
      q.where('instances.account_id', '=', filter.accountId as number),
    )
    .$if(filter.state !== undefined, (q) => q.where('instances.state', '=', filter.state as string))
    .$if(filter.search !== undefined, (q) =>
      q.where((eb) =>
        eb.or(
          (
            ['instances.display_name', 'instances.api_name', 'instances.number', 'accounts.name'] as const
          ).map(
            (column) =>
              sql<boolean>`lower(${eb.ref(column)}) like ${containsPattern(filter.search as string)} escape '!'`,
          ),
        ),
      ),
    )
    .orderBy('instances.id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()

const containsPattern = (text: string): string => `%${text.replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`
