// The nodes on the database, for the operator: which there are, and which of them take instances.

import type { Deps } from '../context.ts'
import type { ClusterNode } from '../contract/nodes.ts'
import { PRODUCT_VERSION } from '../contract/version.ts'
import { GatewayError } from '../errors.ts'
import { hasRestoreMark } from '../instances/restore-queries.ts'
import { iso } from '../kernel/time.ts'
import type { Db } from '../store/tables.ts'
import {
  countServed,
  countUntaken,
  listNodes as listRows,
  lockWorkingNodes,
  type NodeRow,
  setNodeStatus,
} from './node-queries.ts'
import { leadOf, refusalToDrain, refusalToResume } from './rules.ts'

export interface NodeDeps extends Pick<Deps, 'store' | 'hold'> {
  thisNode: ThisNode
}

/** The process that answers. */
export interface ThisNode {
  /** Of its row; on SQLite, where there is none, any number. */
  id: number
  name: string
  startedAt: number
}

/** On SQLite the lease of the only process is the lock of its directory, which does not run out. */
type ShownNode = Omit<NodeRow, 'leaseMsLeft'> & { leaseMsLeft: number | null }

export async function listNodes(deps: NodeDeps): Promise<{ untaken: number; nodes: ClusterNode[] }> {
  const { store, thisNode } = deps
  const nodes = await readNodes(deps, store.db)
  const untaken = store.engine === 'postgres' ? await countUntaken(store.db) : 0
  return { untaken, nodes: nodes.map((node) => toNode(node, thisNode, leadOf(nodes))) }
}

export const drainNode = (deps: NodeDeps, id: number): Promise<ClusterNode> =>
  change(deps, id, 'draining', async (nodes) => refusalToDrain(nodes, id))

/** A held node takes no instances. Of other nodes only the hold of the whole database is known: they stay draining themselves. */
export const resumeNode = (deps: NodeDeps, id: number): Promise<ClusterNode> =>
  change(deps, id, 'live', async (nodes, tx) => {
    const isHeldItself = id === deps.thisNode.id && deps.hold.heldBy() !== null
    return refusalToResume(nodes, id, isHeldItself || (await hasRestoreMark(tx)))
  })

type FindRefusal = (nodes: ShownNode[], tx: Db) => Promise<ReturnType<typeof refusalToDrain>>

/** Under a lock, so that the last two nodes that take instances are not drained by two requests. */
async function change(
  deps: NodeDeps,
  id: number,
  status: 'live' | 'draining',
  findRefusal: FindRefusal,
): Promise<ClusterNode> {
  const { nodes, node } = await deps.store.transaction(async (tx) => {
    if (deps.store.engine === 'postgres') await lockWorkingNodes(tx)
    const found = await readNodes(deps, tx)
    const refusal = await findRefusal(found, tx)
    if (refusal) throw new GatewayError(refusal)
    await setNodeStatus(tx, id, status)
    return { nodes: found, node: found.find((each) => each.id === id) as ShownNode }
  })
  return toNode({ ...node, status }, deps.thisNode, leadOf(nodes))
}

async function readNodes({ store, thisNode }: NodeDeps, db: Db): Promise<ShownNode[]> {
  if (store.engine === 'postgres') return listRows(db)
  const only = { url: null, status: 'live', leaseMsLeft: null, endedAt: null, endedBy: null } as const
  return [{ ...thisNode, ...only, version: PRODUCT_VERSION, instances: await countServed(db) }]
}

const toNode = (node: ShownNode, thisNode: ThisNode, lead: number | undefined): ClusterNode => ({
  id: String(node.id),
  name: node.name,
  url: node.url,
  status: node.status,
  version: node.version,
  instances: node.instances,
  startedAt: iso(node.startedAt),
  leaseSecondsLeft:
    node.leaseMsLeft === null || node.status === 'dead' ? null : Math.round(node.leaseMsLeft / 100) / 10,
  endedAt: node.endedAt === null ? null : iso(node.endedAt),
  endedBy: node.endedBy,
  isThis: node.id === thisNode.id,
  isLead: node.id === lead,
})
