// Arrivals that are set aside, and the deaths of processes that lead there.
import { sql } from 'kysely'
import type { Db, NewRow } from '../store/tables.ts'

/** False: it was set aside before. */
export async function insertSetAside(tx: Db, row: Omit<NewRow<'set_aside'>, 'id'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('set_aside')
    .values(row)
    .onConflict((conflict) => conflict.columns(['instance_id', 'name']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

/** An arrival that is set aside is not processed at the next connection. */
export async function markArrivalProcessed(
  tx: Db,
  instanceId: number,
  name: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable('inbox')
    .set({ processed_at: now })
    .where('instance_id', '=', instanceId)
    .where('name', '=', name)
    .execute()
}

export interface ArrivalDeath {
  instanceId: number
  name: string
  /** How much it says about the arrival. */
  weight: number
  /** Whether no other arrival was in progress. Otherwise the weight is not added to those of earlier deaths. */
  isAlone: boolean
}

/** Counts a death of the process `run` for each arrival, once. Instances that do not exist any more are left out. */
export async function recordDeaths(
  db: Db,
  run: string,
  deaths: readonly ArrivalDeath[],
  now: number,
): Promise<void> {
  for (const { instanceId, name, weight, isAlone } of deaths)
    await sql`insert into arrival_deaths (instance_id, name, weight, last_run, updated_at)
      select id, ${name}, cast(${weight} as bigint), ${run}, cast(${now} as bigint) from instances where id = ${instanceId}
      on conflict (instance_id, name) do update
        set weight = case
            when ${isAlone ? 1 : 0} = 1 then arrival_deaths.weight + excluded.weight
            when arrival_deaths.weight > excluded.weight then arrival_deaths.weight
            else excluded.weight
          end,
          last_run = excluded.last_run, updated_at = excluded.updated_at
        where arrival_deaths.last_run <> excluded.last_run`.execute(db)
}

/** The weight of the deaths of each arrival. */
export async function listDeaths(db: Db, instanceId: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('arrival_deaths')
    .select(['name', 'weight'])
    .where('instance_id', '=', instanceId)
    .execute()
  return new Map(rows.map(({ name, weight }) => [name, weight]))
}
