// Plans: what the operator allows accounts to use.
import type { z } from 'zod'
import type { Deps } from '../context.ts'
import type { Interval } from '../contract/account.ts'
import type { Plan } from '../contract/admin.ts'
import { GatewayError } from '../errors.ts'
import { type Page, type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { iso } from '../kernel/time.ts'
import type { Db, RowChange } from '../store/tables.ts'
import * as rows from './account-queries.ts'
import type { PlanLimits } from './rules.ts'

export interface PlanFields {
  name?: string | undefined
  interval?: Interval | undefined
  currency?: string | undefined
  amount?: number | undefined
  limits?: PlanLimits | undefined
  features?: z.output<typeof Plan>['features'] | undefined
  requestsPerSecond?: number | null | undefined
}

export async function listPlans(
  { store }: Pick<Deps, 'store'>,
  query: PageQuery,
): Promise<Page<z.output<typeof Plan>>> {
  const found = await rows.listPlans(store.db, rowsToRead(query))
  return page(found.map(toPlan), query)
}

export async function getPlan({ store }: Pick<Deps, 'store'>, id: number) {
  return toPlan(await requirePlan(store.db, id))
}

export async function createPlan(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  fields: Required<PlanFields>,
) {
  return toPlan(await insertPlan(store.db, fields, clock()))
}

export const insertPlan = (tx: Db, fields: Required<PlanFields>, now: number): Promise<rows.PlanRow> =>
  rows.insertPlan(tx, {
    name: fields.name as string,
    interval: fields.interval as Interval,
    currency: fields.currency as string,
    amount: fields.amount as number,
    limits: JSON.stringify(fields.limits),
    features: JSON.stringify(fields.features),
    requests_per_second: fields.requestsPerSecond ?? null,
    created_at: now,
    updated_at: now,
  })

export async function updatePlan(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  id: number,
  fields: PlanFields,
) {
  const change: RowChange<'plans'> = { updated_at: clock() }
  if (fields.name !== undefined) change.name = fields.name
  if (fields.interval !== undefined) change.interval = fields.interval
  if (fields.currency !== undefined) change.currency = fields.currency
  if (fields.amount !== undefined) change.amount = fields.amount
  if (fields.limits !== undefined) change.limits = JSON.stringify(fields.limits)
  if (fields.features !== undefined) change.features = JSON.stringify(fields.features)
  if (fields.requestsPerSecond !== undefined) change.requests_per_second = fields.requestsPerSecond
  const row = await rows.updatePlan(store.db, id, change)
  if (!row) throw new GatewayError('plan_not_found')
  return toPlan(row)
}

export async function deletePlan({ store }: Pick<Deps, 'store'>, id: number): Promise<void> {
  try {
    const deleted = await rows.deletePlan(store.db, id)
    if (!deleted) throw new GatewayError('plan_not_found')
  } catch (error) {
    if (isStoreError(error, 'reference')) throw new GatewayError('plan_in_use', {}, { cause: error })
    throw error
  }
}

export async function requirePlan(db: Db, id: number): Promise<rows.PlanRow> {
  const row = await rows.findPlan(db, id)
  if (!row) throw new GatewayError('plan_not_found')
  return row
}

const toPlan = (row: rows.PlanRow): z.output<typeof Plan> => ({
  id: row.id,
  name: row.name,
  interval: row.interval as Interval,
  currency: row.currency,
  amount: row.amount,
  limits: JSON.parse(row.limits) as PlanLimits,
  features: JSON.parse(row.features) as z.output<typeof Plan>['features'],
  requestsPerSecond: row.requests_per_second,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
