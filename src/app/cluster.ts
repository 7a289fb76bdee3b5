// Joins the processes on one PostgreSQL database: waits until no other one is live. On SQLite the lock of the data directory has
// already made sure of that.
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { realTimers } from '../async/timers.ts'
import { type ClusterNode, startNode } from '../cluster/node.ts'
import type { Settings } from '../config.ts'
import { writeSecret } from '../data-dir/secrets.ts'
import { startStandbyServer } from '../http/standby-server.ts'
import type { FrameGate } from '../network/network.ts'
import { leaseTimes } from '../rules/lease.ts'
import { openPostgresLeases } from '../store/engines/postgres/leases.ts'
import { lockDirectory } from '../store/engines/sqlite/directory-lock.ts'
import { isNodeLive } from '../store/queries/nodes.ts'
import { StoreError } from '../store/store-error.ts'
import type { Db } from '../store/tables.ts'

/** The nodes of earlier processes on this data directory. The next one holds its lock, so it need not wait for their leases. */
const NODE_FILE = 'node-id'
/** Ids are exact as numbers. A sequence could repeat one after a failover of the database. */
const MAX_ID = 2 ** 48 - 1

export interface Membership {
  gate: FrameGate
  /** Rejects in a transaction of a process that is no longer live. */
  requireLive(tx: Db): Promise<void>
  leave(): Promise<void>
}

/** A process without others. */
export const ALONE: Membership = {
  gate: { isOpen: () => true, onShut: () => () => undefined },
  requireLive: async () => undefined,
  leave: async () => undefined,
}

interface JoinParts {
  logger: Logger
  leaseSeconds: number | undefined
  onOver(): void
}

export async function joinCluster(
  settings: Settings,
  { logger, leaseSeconds = settings.LEASE_SECONDS, onOver }: JoinParts,
): Promise<Membership> {
  if (settings.DATABASE_URL === undefined) return ALONE
  const unlock = lockDirectory(settings.DATA_DIR)
  const id = randomInt(1, MAX_ID)
  try {
    const file = join(settings.DATA_DIR, NODE_FILE)
    const ended = await readNodeIds(file)
    await writeSecret(file, [...ended, id].join(' '), 'replace')
    const node = await startNode({
      leases: openPostgresLeases(settings.DATABASE_URL),
      times: leaseTimes(leaseSeconds),
      node: { id, name: hostname(), startedAt: Date.now() },
      ended,
      now: () => ({ monotonicMs: performance.now(), wallMs: Date.now() }),
      timers: realTimers,
      random: Math.random,
      logger,
      onOver,
    })
    await waitUntilLive(node, settings, logger)
    await writeSecret(file, String(id), 'replace')
    return {
      gate: node.gate,
      async requireLive(tx) {
        if (!(await isNodeLive(tx, id))) throw new StoreError('failed', 'another node has taken over')
      },
      leave: () => node.leave().finally(unlock),
    }
  } catch (error) {
    unlock()
    throw error
  }
}

async function waitUntilLive(
  { live }: ClusterNode,
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
