// Joins the nodes on one PostgreSQL database. On SQLite the lock of the data directory has already made sure that there is one
// process.
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from '../config.ts'
import { PRODUCT_VERSION } from '../contract/version.ts'
import { writeSecret } from '../data-dir/secrets.ts'
import { startStandbyServer } from '../doors/api/standby-server.ts'
import { realTimers } from '../kernel/async/timers.ts'
import type { NodeMetrics } from '../metrics.ts'
import type { FrameGate } from '../network/network.ts'
import { type ClusterView, type RunningNode, startNode } from '../nodes/node.ts'
import { type LeaseTimes, leaseTimes } from '../nodes/rules.ts'
import { lockDirectory } from '../store/engines/sqlite/directory-lock.ts'
import type { PeerNode } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import type { GatewayClock } from './clock.ts'

/** The nodes of earlier processes on this data directory. The next one holds its lock, so it need not wait for their leases. */
const NODE_FILE = 'node-id'
/** Ids are exact as numbers. A sequence could repeat one after a failover of the database. */
const MAX_ID = 2 ** 48 - 1

export interface Membership {
  gate: FrameGate
  /** Undefined: this is the only process. */
  node: NodeMembership | undefined
  leave(): Promise<void>
}

export interface NodeMembership
  extends Pick<RunningNode, 'startedAt' | 'poll' | 'setDraining' | 'renewedMsAgo'> {
  id: number
  /** Where other nodes reach this one; null: it works alone. */
  url: string | null
  times: LeaseTimes
  /** The other nodes that work, as of the last renewal. */
  peers(): readonly PeerNode[]
  /** How many instances this node serves. */
  instances(): number
  /** Counts the instances of this node for its row. */
  countInstances(count: () => number): void
  /** Runs after each renewal. */
  onRenewed(listener: (view: ClusterView) => void): void
}

/** A process without others. */
export const ALONE: Membership = {
  gate: { isOpen: () => true, onShut: () => () => undefined },
  node: undefined,
  leave: async () => undefined,
}

interface JoinParts {
  store: Pick<Store, 'openLeases'>
  logger: Logger
  clock: Pick<GatewayClock, 'moment' | 'followDatabase'>
  leaseSeconds: number | undefined
  onOver(): void
  metrics: Pick<NodeMetrics, 'countTakeovers' | 'countCommitsLost'>
}

export async function joinCluster(
  settings: Settings,
  { store, logger, clock, leaseSeconds = settings.LEASE_SECONDS, onOver, metrics }: JoinParts,
): Promise<Membership> {
  const leases = store.openLeases?.()
  if (!leases) return ALONE
  const unlock = lockDirectory(settings.DATA_DIR)
  const id = randomInt(1, MAX_ID)
  const url = settings.NODE_URL ?? null
  const times = leaseTimes(leaseSeconds)
  const views = createViews(clock.followDatabase)
  try {
    const file = join(settings.DATA_DIR, NODE_FILE)
    const ended = await readNodeIds(file)
    await writeSecret(file, [...ended, id].join(' '), 'replace')
    const node = await startNode({
      leases,
      times,
      node: { id, name: hostname(), url, version: PRODUCT_VERSION },
      ended,
      now: clock.moment,
      timers: realTimers,
      random: Math.random,
      logger,
      countInstances: views.count,
      onRenewed: views.renewed,
      onOver,
      onTakeovers: metrics.countTakeovers,
      onCommitsLost: metrics.countCommitsLost,
    })
    await waitUntilLive(node, settings, logger)
    await writeSecret(file, String(id), 'replace')
    return {
      gate: node.gate,
      node: { ...node, id, url, times, ...views.membership },
      leave: () => node.leave().finally(unlock),
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** What renewals have found, for parts that start later than the node. */
function createViews(followDatabase: GatewayClock['followDatabase']) {
  const listeners: ((view: ClusterView) => void)[] = []
  let latest: ClusterView | undefined
  let countInstances = () => 0
  return {
    count: () => countInstances(),
    renewed(view: ClusterView): void {
      latest = view
      followDatabase(view.time)
      for (const listener of listeners) listener(view)
    },
    membership: {
      peers: () => latest?.others ?? [],
      instances: () => countInstances(),
      countInstances(count: () => number): void {
        countInstances = count
      },
      onRenewed(listener: (view: ClusterView) => void): void {
        listeners.push(listener)
        if (latest) listener(latest)
      },
    },
  }
}

async function waitUntilLive(
  { live }: RunningNode,
  { HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>,
  logger: Logger,
): Promise<void> {
  const isLive = await Promise.race([live.then(() => true), Promise.resolve().then(() => false)])
  if (isLive) return
  const server = await startStandbyServer(HOST, PORT)
  logger.info({ url: server.url }, 'standby: another process is live on this database; waiting until it ends')
  await live
  await server.close()
}

async function readNodeIds(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split(/\s+/)
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
}
