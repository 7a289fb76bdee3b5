// How nodes on one PostgreSQL divide instances among each other: simulated nodes with real leases on a real server, without
// sessions. Measures what renewals cost at rest, how long it takes until every instance is served and the shares are even, and how
// long after the death of 1, 10 and 50 nodes. Run: node bench/nodes.ts [--nodes 100] [--instances 1000] [--lease 12]
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { releaseInstances, takeInstances } from '../src/instances/owner-queries.ts'
import { realTimers } from '../src/kernel/async/timers.ts'
import { type Balancer, createBalancer } from '../src/nodes/balancer.ts'
import { type RunningNode, startNode } from '../src/nodes/node.ts'
import { fairShare, leaseTimes, maxDifference } from '../src/nodes/rules.ts'
import { makeTenant } from '../src/store/conformance/tenant.ts'
import { openPostgresLeases } from '../src/store/engines/postgres/leases.ts'
import type { Leases } from '../src/store/leases.ts'
import type { Store } from '../src/store/store.ts'
import { startOwnPostgres } from '../test/cluster/support/own-postgres.ts'
import { type Database, openDatabase } from '../test/support/database.ts'
import { openStore } from '../test/support/open-store.ts'
import { report } from './report.ts'

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100' },
    instances: { type: 'string', default: '1000' },
    lease: { type: 'string', default: '12' },
  },
})
const NODES = Number(values.nodes)
const INSTANCES = NODES * Number(values.instances)
const times = leaseTimes(Number(values.lease))
/** How long statements are counted while nothing happens. */
const REST_MS = 15_000
const GIVE_UP_MS = 600_000
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface SimulatedNode {
  id: number
  own: Set<number>
  balancer: Balancer
  node: RunningNode
  /** From then on it renews nothing, as a process that was killed. */
  die(): void
}

/** Fails every call once the node is dead. */
function mortal(leases: Leases): { leases: Leases; die(): void } {
  let isDead = false
  const calls = Object.entries(leases) as [string, (...args: unknown[]) => Promise<unknown>][]
  const wrapped = calls.map(([name, call]) => [
    name,
    (...args: unknown[]) => (isDead ? Promise.reject(new Error('dead')) : call(...args)),
  ])
  return { leases: Object.fromEntries(wrapped) as Leases, die: () => void (isDead = true) }
}

async function startSimulated(id: number, store: Store, url: string): Promise<SimulatedNode> {
  const own = new Set<number>()
  const { leases, die } = mortal(openPostgresLeases(url))
  let balancer: Balancer | undefined
  const node = await startNode({
    leases,
    times,
    node: { id, name: `node ${id}`, url: `http://node-${id}:7000`, version: 'bench' },
    ended: [],
    now: () => ({ monotonicMs: performance.now(), suspendedMs: 0 }),
    timers: realTimers,
    random: Math.random,
    logger: silent,
    countInstances: () => own.size,
    onRenewed: (view) => balancer?.observe(view),
    onOver: die,
  })
  balancer = createBalancer({
    sessions: {
      async take(limit) {
        const taken = await takeInstances(store.db, id, limit)
        for (const instance of taken) own.add(instance)
        return taken.length
      },
      async release(limit = own.size) {
        const released = [...own].slice(0, limit)
        for (const instance of released) own.delete(instance)
        await releaseInstances(store.db, id, released)
        return released.length
      },
      count: () => ({ sessions: own.size, waitingHandshakes: 0 }),
    },
    startedAt: node.startedAt,
    settleMs: times.settleMs,
    clock: Date.now,
    logger: silent,
    onTaken: node.poll,
    onReleased: async () => undefined,
  })
  balancer.start()
  return { id, own, balancer, node, die }
}

/** Copies of one instance. */
async function insertInstances(store: Store, database: Database): Promise<void> {
  const { instanceId } = await makeTenant(store)
  await database.rows(`
    insert into instances (account_id, display_name, api_name, integration, state, logged_in, created_at, updated_at)
    select account_id, display_name, api_name || '-' || number, integration, state, logged_in, created_at, updated_at
    from instances, generate_series(2, ${INSTANCES}) as number where id = ${instanceId} returning id`)
}

async function until(what: string, isThere: () => boolean): Promise<number> {
  const startedAt = performance.now()
  while (!isThere()) {
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error(`not seen: ${what}`)
    await pause(50)
  }
  return (performance.now() - startedAt) / 1000
}

async function statementsPerSecond(database: Database): Promise<number> {
  const count = async () =>
    Number(
      (
        await database.rows<{ count: string }>(
          `select xact_commit as count from pg_stat_database where datname = current_database()`,
        )
      )[0]?.count,
    )
  const before = await count()
  await pause(REST_MS)
  return ((await count()) - before) / (REST_MS / 1000)
}

async function run(store: Store, database: Database, url: string): Promise<void> {
  await insertInstances(store, database)
  let alive: SimulatedNode[] = []
  for (let id = 1; id <= NODES; id += 1) alive.push(await startSimulated(id, store, url))
  const counts = () => alive.map(({ own }) => own.size)
  const areServed = () => counts().reduce((sum, count) => sum + count, 0) === INSTANCES
  const areEven = () => {
    const fair = fairShare({
      own: 0,
      untaken: INSTANCES,
      others: counts()
        .slice(1)
        .map(() => ({ instances: 0, ageMs: 0 })),
    })
    return areServed() && Math.max(...counts()) - Math.min(...counts()) <= Math.max(maxDifference(fair), 2)
  }
  const size = `${NODES} nodes, ${INSTANCES} instances`
  report({
    question: `${size}: until every instance is served`,
    value: await until('served', areServed),
    unit: 's',
  })
  report({
    question: `${size}: after that, until the shares are even`,
    value: await until('even', areEven),
    unit: 's',
  })
  report({
    question: `${size}: transactions at rest`,
    value: await statementsPerSecond(database),
    unit: '/s',
  })
  for (const deaths of [1, 10, 50].filter((count) => count < NODES)) {
    const dying = alive.slice(0, Math.min(deaths, alive.length - 1))
    alive = alive.slice(dying.length)
    for (const { die } of dying) die()
    const what = `${size}: after the death of ${dying.length} nodes, until every instance is served`
    report({ question: what, value: await until(what, areServed), unit: 's' })
  }
}

const postgres = await startOwnPostgres({ max_connections: NODES + 50, shared_buffers: '256MB' })
const store = await openStore(postgres.storeLocation)
const database = await openDatabase(postgres.storeLocation)
await run(store, database, postgres.storeLocation.databaseUrl as string).catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
await postgres.stop()
// The simulated nodes would go on renewing.
process.exit()
