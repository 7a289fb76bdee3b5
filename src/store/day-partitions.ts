// Day partitions on PostgreSQL: created ahead, and dropped when their day is over its retention time (decision 0093).
//
// A row of a day without a partition goes to the default partition, so that no write fails. It moves when the partition is created.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Enough for a week in which no housekeeping runs. */
const DAYS_AHEAD = 7
/** Everything that needs the table waits behind a statement that waits for its lock. The next pass tries again. */
const LOCK_TIMEOUT_MS = 1000

const COLUMNS = { sent_payloads: 'created_at', delivery_attempts: 'at' } as const
type DayTable = keyof typeof COLUMNS
const TABLES = Object.keys(COLUMNS) as DayTable[]

/** Of a dropped partition, the rows that have to stay. They move to the default partition. */
const KEPT_ROWS: Record<DayTable, ((partition: string, dayEnd: number) => RawBuilder<unknown>) | undefined> =
  {
    sent_payloads: undefined,
    // Attempts of deliveries that are not finished. Of those that began before the end of the day, the finished ones are deleted.
    delivery_attempts: (partition, dayEnd) => sql`
    insert into delivery_attempts select attempts.* from ${sql.table(partition)} as attempts
      join deliveries on deliveries.id = attempts.delivery_id where deliveries.created_at < ${dayEnd}`,
  }

export async function createDayPartitions(db: Db, now: number): Promise<void> {
  const today = Math.floor(now / DAY_MS)
  for (const table of TABLES) {
    const existing = new Set(await daysOf(db, table))
    for (let day = today; day <= today + DAYS_AHEAD; day += 1)
      if (!existing.has(day)) await createPartition(db, table, day)
  }
}

/** Drops the days that ended before the given times. Returns how many. */
export async function dropDayPartitions(db: Db, before: Record<DayTable, number>): Promise<number> {
  let dropped = 0
  for (const table of TABLES) {
    const days = await daysOf(db, table)
    for (const day of days.filter((one) => (one + 1) * DAY_MS <= before[table])) {
      await dropPartition(db, table, day)
      dropped += 1
    }
  }
  return dropped
}

/** For example `sent_payloads_20260131`. */
const partitionOf = (table: DayTable, day: number): string =>
  `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`

/** The days that have a partition, in days since 1970. */
async function daysOf(db: Db, table: DayTable): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass order by relname`.execute(db)
  return rows.flatMap(({ name }) => {
    const [, year, month, date] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
    return year === undefined ? [] : [Date.UTC(Number(year), Number(month) - 1, Number(date)) / DAY_MS]
  })
}

/**
 * Created apart and then attached: this locks the default partition only, through which no statement writes as long as the days
 * have partitions of their own. `partition of` would lock the whole table.
 */
async function createPartition(db: Db, table: DayTable, day: number): Promise<void> {
  const partition = partitionOf(table, day)
  const [parent, child, rest] = [table, partition, `${table}_default`].map((name) => sql.table(name))
  const column = sql.ref(COLUMNS[table])
  const [from, to] = [sql.lit(day * DAY_MS), sql.lit((day + 1) * DAY_MS)]
  await inShortTransaction(db, async (tx) => {
    await sql`lock table ${rest} in access exclusive mode`.execute(tx)
    // Another node may have been faster.
    if ((await daysOf(tx, table)).includes(day)) return
    await sql`create table ${child} (like ${parent} including constraints including indexes including storage)`.execute(
      tx,
    )
    await sql`with moved as (delete from ${rest} where ${column} >= ${from} and ${column} < ${to} returning *)
      insert into ${child} select * from moved`.execute(tx)
    await sql`alter table ${parent} attach partition ${child} for values from (${from}) to (${to})`.execute(
      tx,
    )
  })
}

async function dropPartition(db: Db, table: DayTable, day: number): Promise<void> {
  const partition = partitionOf(table, day)
  await inShortTransaction(db, async (tx) => {
    await sql`alter table ${sql.table(table)} detach partition ${sql.table(partition)}`.execute(tx)
    await KEPT_ROWS[table]?.(partition, (day + 1) * DAY_MS).execute(tx)
    await sql`drop table ${sql.table(partition)}`.execute(tx)
  })
}

const inShortTransaction = (db: Db, work: (tx: Db) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx)
    await work(tx)
  })
