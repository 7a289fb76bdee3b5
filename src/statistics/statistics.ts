// Statistics of an account, and of the gateway for its operator.

import { requireAccount } from '../accounts/accounts.ts'
import type { Caller } from '../accounts/caller.ts'
import { reachesInstance } from '../accounts/rules.ts'
import type { Deps } from '../context.ts'
import type { StatisticsRange } from '../contract/values.ts'
import { seesPart } from '../contract/wall-values.ts'
import { invalidField } from '../errors.ts'
import { listInstances } from '../instances/instance-queries.ts'
import { requireInstance } from '../instances/instances.ts'
import { fromIso } from '../kernel/time.ts'
import { readCounts, readSamples } from './queries.ts'
import { rangeSteps, type Steps, stepsBetween, toStatistics, webhookStatistics } from './rules.ts'

const MAX_RANGE_MS = 31 * 24 * 60 * 60 * 1000

interface RangeQuery {
  range: StatisticsRange
  since?: string | undefined
  until?: string | undefined
  utcOffsetMinutes: number
}

type StatisticsDeps = Pick<Deps, 'store' | 'clock'>

export async function readStatistics(
  { store, clock }: StatisticsDeps,
  caller: Caller,
  query: RangeQuery & { instanceName?: string | undefined },
) {
  const steps = stepsOf(query, clock())
  const accountId = caller.account.id
  const instanceIds = await countedInstances({ store }, caller, query.instanceName)
  const counts = await readCounts(store.db, { accountId, instanceIds }, steps)
  const samples = instanceIds === null ? await readSamples(store.db, accountId, steps) : undefined
  return {
    ...toStatistics(counts, steps, samples),
    webhooks: seesPart(caller.walls) ? [] : webhookStatistics(counts),
  }
}

export async function readAllStatistics(
  { store, clock }: StatisticsDeps,
  query: RangeQuery & { accountId?: number | undefined },
) {
  const steps = stepsOf(query, clock())
  if (query.accountId !== undefined) await requireAccount(store.db, query.accountId)
  const accountId = query.accountId ?? 0
  const counts = await readCounts(store.db, { accountId, instanceIds: null }, steps)
  return toStatistics(counts, steps, await readSamples(store.db, accountId, steps))
}

/** Null: all instances of the account together, deleted ones included. */
async function countedInstances(
  { store }: Pick<Deps, 'store'>,
  { account, walls }: Caller,
  instanceName: string | undefined,
): Promise<number[] | null> {
  if (instanceName !== undefined) return [(await requireInstance({ store }, account.id, instanceName)).id]
  if (walls.instances === null) return null
  const instances = await listInstances(store.db, account.id)
  return instances.filter((row) => reachesInstance(walls, row.api_name)).map(({ id }) => id)
}

function stepsOf({ range, since, until, utcOffsetMinutes }: RangeQuery, now: number): Steps {
  const offsetMs = utcOffsetMinutes * 60_000
  if (since === undefined) {
    if (until !== undefined) throw invalidField('until', 'only together with since')
    return rangeSteps(range, now, offsetMs)
  }
  const [start, end] = [fromIso(since), until === undefined ? now : fromIso(until)]
  if (end <= start)
    throw invalidField(until === undefined ? 'since' : 'until', 'the range ends before it starts')
  if (end - start > MAX_RANGE_MS) throw invalidField('since', 'a range has at most 31 days')
  return stepsBetween(start, end, offsetMs)
}
