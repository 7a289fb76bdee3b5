// Counts per hour (decision 0171): added to by every node, and read for the statistics.
import { sql } from 'kysely'
import { chunksOf } from '../store/chunks.ts'
import type { Db } from '../store/tables.ts'
import type { StepCount, Steps } from './rules.ts'
import { type CountDelta, rowsToAdd } from './rules-counted.ts'

/** In one transaction. Rows are locked in one order everywhere, so that nodes that add at the same time do not wait for each other. */
export async function addCounts(tx: Db, deltas: readonly CountDelta[]): Promise<void> {
  const instanceIds = [...new Set(deltas.map((delta) => delta.instance_id))]
  const accountOf = new Map<number, number>()
  for (const ids of chunksOf(instanceIds)) {
    const found = await tx
      .selectFrom('instances')
      .select(['id', 'account_id'])
      .where('id', 'in', ids)
      .execute()
    for (const { id, account_id: accountId } of found) accountOf.set(id, accountId)
  }
  for (const rows of chunksOf(rowsToAdd(deltas, accountOf)))
    await tx
      .insertInto('hourly_counts')
      .values(rows)
      .onConflict((oc) =>
        oc
          .columns(['account_id', 'instance_id', 'hour', 'metric', 'label'])
          .doUpdateSet((eb) => ({ count: eb('hourly_counts.count', '+', eb.ref('excluded.count')) })),
      )
      .execute()
}

/**
 * Counts the instances by state, for each account and for the gateway. An account without instances is not sampled: an average over the
 * time before its first instance would say nothing.
 */
export async function sampleSessions(tx: Db, hour: number): Promise<void> {
  const start = sql`cast(${hour} as bigint)`
  const more = sql`on conflict (account_id, instance_id, hour, metric, label)
    do update set count = hourly_counts.count + excluded.count`
  const columns = sql`insert into hourly_counts (account_id, instance_id, hour, metric, label, count)`
  const alive = sql`from instances where deleted_at is null`
  await sql`${columns} select 0, 0, ${start}, 'samples', '', 1 where exists (select 1 ${alive}) ${more}`.execute(
    tx,
  )
  await sql`${columns} select 0, 0, ${start}, 'sessions', state, count(*) ${alive} group by state order by state ${more}`.execute(
    tx,
  )
  await sql`${columns} select distinct account_id, 0, ${start}, 'samples', '', 1 ${alive} order by account_id ${more}`.execute(
    tx,
  )
  await sql`${columns} select account_id, 0, ${start}, 'sessions', state, count(*) ${alive}
    group by account_id, state order by account_id, state ${more}`.execute(tx)
}

/** `accountId` 0: of the gateway. `instanceIds` null: of all instances together. */
export async function readCounts(
  db: Db,
  of: { accountId: number; instanceIds: readonly number[] | null },
  steps: Steps,
): Promise<StepCount[]> {
  const { accountId, instanceIds } = of
  if (instanceIds?.length === 0) return []
  const rows = await countsIn(db, steps)
    .where('account_id', '=', accountId)
    .where('instance_id', 'in', instanceIds ?? [0])
    .execute()
  return rows.map(({ step, metric, label, count }) => ({ step, metric, label, count: Number(count) }))
}

/** How often the sessions of the account were sampled in each step; `accountId` 0: those of the gateway. */
export async function readSamples(db: Db, accountId: number, steps: Steps): Promise<Map<number, number>> {
  const rows = await countsIn(db, steps)
    .where('account_id', '=', accountId)
    .where('instance_id', '=', 0)
    .where('metric', '=', 'samples')
    .execute()
  return new Map(rows.map(({ step, count }) => [step, Number(count)]))
}

const countsIn = (db: Db, { first, stepMs, count }: Steps) =>
  db
    .selectFrom('hourly_counts')
    .select([
      sql<number>`(hour - cast(${first} as bigint)) / cast(${stepMs} as bigint)`.as('step'),
      'metric',
      'label',
    ])
    // PostgreSQL returns a sum of 64-bit integers as text.
    .select((eb) => eb.fn.sum<number | string>('count').as('count'))
    .where('hour', '>=', first)
    .where('hour', '<', first + count * stepMs)
    .groupBy([sql`1`, 'metric', 'label'])
