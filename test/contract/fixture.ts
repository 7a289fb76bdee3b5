// Fixtures of contract tests: an account with an open instance, created once per engine and file.
import { sql } from 'kysely'
import type { Account, Gateway } from '../support/gateway.ts'

export interface Fixture extends Gateway {
  mine: Account
  instance: { name: string; id: number }
}

/** Runs `make` once and always returns its result. */
export function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** One account with one open instance, for tests that do not affect each other. */
export const withInstance = (
  gateway: () => Promise<Gateway>,
  plan?: Record<string, unknown>,
): (() => Promise<Fixture>) =>
  shared(async () => {
    const running = await gateway()
    const mine = await running.account(plan)
    return { ...running, mine, instance: await running.openInstance(mine) }
  })

export const UNLIMITED_PLAN = {
  users: 'Unlimited',
  contacts: 'Unlimited',
  instances: 'Unlimited',
  messages: 'Unlimited',
} as const

/** Round trips after which earlier requests have reached the lock, if the engine does not show who waits for it. */
const ROUND_TRIPS = 200

/** How many transactions wait for a lock. On SQLite they wait inside this process, where they cannot be counted. */
const countWaiting = async ({ store }: Gateway): Promise<number> => {
  if (store.engine === 'sqlite') return 0
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db)
  return rows[0]?.count ?? 0
}

/** Starts all calls before the first one can write: a transaction holds the row lock that they need. */
export async function atOnce<T>(
  gateway: Gateway,
  lock: (tx: Gateway['store']['db']) => Promise<unknown>,
  calls: (() => Promise<T>)[],
): Promise<T[]> {
  const begun: Promise<T>[] = []
  await gateway.store.transaction(async (tx) => {
    await lock(tx)
    begun.push(...calls.map((each) => each()))
    for (let trip = 0; trip < ROUND_TRIPS && (await countWaiting(gateway)) < calls.length; trip += 1)
      await gateway.call('healthz', { key: null })
  })
  return Promise.all(begun)
}

/** Changes the answers of the scripted network while `work` runs. */
export async function scripted<T>(
  { sessions }: Gateway,
  answers: Partial<Gateway['sessions']['script']>,
  work: () => Promise<T>,
): Promise<T> {
  const before = { ...sessions.script }
  Object.assign(sessions.script, answers)
  try {
    return await work()
  } finally {
    Object.assign(sessions.script, before)
  }
}

/** The paths in the details of a 400, sorted. */
export const faultPaths = (answer: { json: { details: { path: string }[] } }): string[] =>
  [...new Set(answer.json.details.map((detail) => detail.path))].sort()
