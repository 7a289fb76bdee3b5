// The part of this node in the cluster: routes calls to the node that serves an instance, answers those of others, takes and hands
// over instances, and wakes other nodes.
import type { Logger } from 'pino'
import { type Settings, SettingsError } from '../config.ts'
import { settledWithin } from '../kernel/async/waiting.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import { hostInUrl } from '../kernel/process/listener-url.ts'
import type { Metrics } from '../metrics.ts'
import type { FrameGate, LiveSessions } from '../network/network.ts'
import { createBalancer } from '../nodes/balancer.ts'
import type { NodeCall, WakeUp } from '../nodes/calls.ts'
import { countCalls } from '../nodes/count-calls.ts'
import { createNodeClient, type NodeClient } from '../nodes/node-client.ts'
import { type NodeServer, type NodeServerParts, startNodeServer } from '../nodes/node-server.ts'
import { type NodeTlsSettings, readNodeTls } from '../nodes/node-tls.ts'
import { callLocalSession, type RoutedSessionsParts, routeSessions } from '../nodes/routed-sessions.ts'
import { createSharedUses, type SharedUses } from '../nodes/shared-uses.ts'
import { nodeKey } from '../nodes/signing.ts'
import { createWakeUps } from '../nodes/wake-ups.ts'
import type { OwnedSessions } from '../sessions/sessions.ts'
import type { PeerNode } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import type { NodeMembership } from './cluster.ts'

/** A node that does not answer by then looks at its next renewal. */
const WAKE_MS = 1000
/** Calls to its own address when a node starts. Behind a load balancer, some of them would reach other nodes. */
const SELF_CALLS = 4

export interface NodeServiceParts {
  node: NodeMembership
  gate: FrameGate
  masterKey: Uint8Array
  store: Store
  clock: () => number
  logger: Logger
  local: LiveSessions
  owned: OwnedSessions
  /** What this node does when another one wakes it. */
  onWake: Record<Exclude<WakeUp, 'nodes'>, () => void>
  /** For the metrics: a call of this node, or of another one. */
  onCall: Metrics['node']['countCall']
  /** A node stopped responding: what it had locked is free. */
  onNodeGone(): void
}

export interface NodeService {
  sessions: LiveSessions
  /** Uses of keys on all nodes, for the rate limit. */
  keyUses: SharedUses
  /** Wakes the node that serves an instance with a new send. */
  wakeSending(nodeId: number | undefined): void
  /** Begins to take instances. */
  start(): Promise<void>
  /** Hands over all instances. */
  handOver(): Promise<void>
  stop(): Promise<void>
}

export interface JoinNodesParts extends Omit<NodeServiceParts, 'node'> {
  /** Undefined: this is the only process. */
  node: NodeMembership | undefined
  outbound: Pick<Outbound, 'own'>
}

/** Undefined: this is the only process. */
export async function joinNodes(
  settings: Pick<Settings, 'HOST'> & NodeTlsSettings,
  { node, outbound, ...parts }: JoinNodesParts,
): Promise<NodeService | undefined> {
  if (!node) return undefined
  if (node.url !== null) outbound.own.add(settings.HOST, portOf(node.url))
  return startNodeService(settings, { node, ...parts })
}

async function startNodeService(
  settings: Pick<Settings, 'HOST'> & NodeTlsSettings,
  parts: NodeServiceParts,
): Promise<NodeService> {
  const { node, store, clock, logger, owned } = parts
  const key = nodeKey(parts.masterKey)
  const tls = await readNodeTls(settings).catch(refuseFile)
  const client = countCalls(createNodeClient(key, clock, tls), (method, outcome) =>
    parts.onCall('out', method, outcome),
  )
  const wakeUps = createWakeUps({ client, peers: node.peers })
  const routing = routingOf(parts, client)
  const keyUses = createSharedUses((uses) => tellPeers(node, client, { call: 'uses', uses }))
  const balancer = createBalancer({
    clock,
    logger,
    sessions: owned,
    startedAt: node.startedAt,
    settleMs: node.times.settleMs,
    onTaken: node.poll,
    onReleased: () => settledWithin(wakeUps.wakeNow('nodes'), WAKE_MS),
  })
  const server = await listenToNodes(
    settings,
    parts,
    { key, tls },
    { ...routing, receiveUses: keyUses.receive },
  )
  const close = () => Promise.all([server?.close(), client.close()])
  if (node.url !== null) await checkAddress(node.url, node.id, client).catch(failAfter(close))
  watchNodes(parts)
  node.countInstances(() => owned.count().sessions)
  node.onRenewed(balancer.observe)
  const unsubscribe = store.onEvents(() => wakeUps.wake('events'))
  return {
    sessions: routeSessions(routing),
    keyUses,
    wakeSending(nodeId) {
      if (nodeId !== undefined && nodeId !== node.id) wakeUps.wake('sends', nodeId)
    },
    async start() {
      if (node.url !== null) await node.setDraining(false)
      balancer.start()
    },
    async handOver() {
      if (node.url === null) return
      await node.setDraining(true).catch(() => undefined)
      await balancer.handOver()
    },
    async stop() {
      unsubscribe()
      wakeUps.stop()
      keyUses.stop()
      await close()
    },
  }
}

function refuseFile(error: unknown): never {
  throw new SettingsError([(error as Error).message])
}

/** A node that does not answer misses it: the limit is then higher for a second. */
function tellPeers({ peers }: NodeMembership, client: NodeClient, call: NodeCall): void {
  for (const { id, url } of peers()) {
    if (url !== null) void client.call({ id, url }, call).catch(() => undefined)
  }
}

const routingOf = (
  { node, store, clock, local, owned }: NodeServiceParts,
  client: NodeClient,
): RoutedSessionsParts => ({
  store,
  nodeId: node.id,
  local,
  takeOne: owned.takeOne,
  targetNode() {
    const peer = node.peers().find(({ isDraining, url }) => !isDraining && url !== null)
    return peer && { nodeId: peer.id, url: peer.url }
  },
  client,
  clock,
})

const portOf = (url: string): number => Number(new URL(url).port || 80)

/** One node does what need not be done twice: the one that has been running the longest. */
export function isLead(node: NodeMembership | undefined): boolean {
  if (!node) return true
  const isEarlier = (other: PeerNode) =>
    other.startedAt < node.startedAt || (other.startedAt === node.startedAt && other.id < node.id)
  return !node.peers().some(isEarlier)
}

/** Undefined: this node works alone. While its lease is not renewed it answers as if it served nothing. */
async function listenToNodes(
  { HOST }: Pick<Settings, 'HOST'>,
  { node, clock, gate, onWake, onCall }: NodeServiceParts,
  security: Pick<NodeServerParts, 'key' | 'tls'>,
  { receiveUses, ...routing }: RoutedSessionsParts & { receiveUses: SharedUses['receive'] },
): Promise<NodeServer | undefined> {
  if (node.url === null) return undefined
  const port = portOf(node.url)
  return startNodeServer(HOST, port, {
    nodeId: node.id,
    ...security,
    clock,
    callSession: async (method, args) =>
      gate.isOpen() ? callLocalSession(routing, method, args) : undefined,
    wake: (what) => (what === 'nodes' ? node.poll() : onWake[what]()),
    receiveUses,
    onCall: (method, outcome) => onCall('in', method, outcome),
  }).catch((error: unknown) => {
    throw new SettingsError([
      `NODE_URL: cannot listen on ${hostInUrl(HOST)}:${port} (${(error as NodeJS.ErrnoException).code})`,
    ])
  })
}

/** The address must lead to this process, and to no other: another node would be called in its place. */
async function checkAddress(url: string, nodeId: number, client: NodeClient): Promise<void> {
  for (let count = 0; count < SELF_CALLS; count += 1) {
    const answer = await client.call({ id: nodeId, url }, { call: 'hello' }).catch((error: unknown) => {
      throw new SettingsError([
        `NODE_URL: this node does not reach itself there: ${(error as Error).message}`,
      ])
    })
    if (answer.status !== 'done')
      throw new SettingsError(['NODE_URL: another node answers there; each node needs an address of its own'])
  }
}

function watchNodes({ node, onNodeGone }: NodeServiceParts): void {
  let before: ReadonlySet<number> = new Set()
  node.onRenewed(({ others }) => {
    const now = new Set(others.map(({ id }) => id))
    if ([...before].some((id) => !now.has(id))) onNodeGone()
    before = now
  })
}

const failAfter = (close: () => Promise<unknown>) => async (error: unknown) => {
  await close()
  throw error
}
