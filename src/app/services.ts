// The services that run without requests: sessions, sending, webhooks, files, housekeeping. Starts them unless the gateway is
// held, and stops them in stages.
import type { Settings } from '../config.ts'
import type { Deps } from '../domain/deps.ts'
import { createUploadedFiles } from '../files/uploaded-files.ts'
import type { SharedKeyUses } from '../http/key-rate-limit.ts'
import { createImages } from '../media/images.ts'
import type { Metrics } from '../metrics.ts'
import type { LiveSessions } from '../network/network.ts'
import type { SandboxLink } from '../network/sandbox-link.ts'
import type { Outbound } from '../outbound/client.ts'
import { createHousekeeping } from '../workers/housekeeping.ts'
import type { NodeMembership } from './cluster.ts'
import { openFilePlaces } from './file-places.ts'
import { createFileService } from './files.ts'
import { type Hold, startOrHold } from './hold.ts'
import { createNetworkService, type NetworkService, type NetworkServiceDeps } from './network.ts'
import { isLead, type NodeService, portOf, startNodeService } from './node-service.ts'
import { createReadPicture } from './read-picture.ts'
import { gateSessions } from './session-gate.ts'
import { stopInStages } from './stop-in-stages.ts'
import { createWebhookService, type WebhookService } from './webhooks.ts'

/**
 * How long each stage of the stop may take. Together with the stage of the store they stay below the limit in serve.ts, and that
 * one below the 20 s that a stop may take.
 */
const STOP_MS = { services: 8000, sessions: 3000, network: 3000 }

/** A wake-up of another node may be lost, so that the workers that send look more often beside other nodes. */
const SLEEP_BESIDE_NODES_MS = 1000
const SLEEP_ALONE_MS = 5000

export interface ServiceDeps
  extends Omit<NetworkServiceDeps, 'uploads' | 'images' | 'isLead' | 'maxSleepMs'> {
  outbound: Outbound
  metrics: Metrics
  /** The true time as far as it is known, for signatures that others check. */
  forSignatures: () => number
  masterKey: Uint8Array
  /** This node among others; undefined: this is the only process. */
  node: NodeMembership | undefined
  /** Another node has appended events. */
  onRemoteEvents(): void
  /** For tests: sessions without a network. */
  sessions: LiveSessions | undefined
}

export interface RunningServices
  extends Pick<
    Deps,
    'sessions' | 'files' | 'uploads' | 'readPicture' | 'postEvent' | 'wakeSending' | 'wakeDeliveries'
  > {
  hold: Hold
  sandbox: SandboxLink | undefined
  /** Uses of keys on all nodes; undefined: there is only one process. */
  sharedUses: SharedKeyUses | undefined
  /** Stops requests and services together, then sessions and network, which both need. Never rejects. */
  stop(stopRequests: () => Promise<void>): Promise<void>
}

export async function startServices(settings: Settings, parts: ServiceDeps): Promise<RunningServices> {
  const { store, clock, logger } = parts
  const places = await openFilePlaces(settings, store, parts.forSignatures)
  const uploads = createUploadedFiles({ ...parts, places: places.uploadPlaces })
  // All that decode pictures share one limit.
  const images = createImages()
  const network = parts.sessions
    ? withoutNetwork(parts.sessions)
    : await createNetworkService(settings, {
        ...parts,
        uploads,
        images,
        isLead: () => isLead(parts.node),
        maxSleepMs: () => (parts.node?.peers().length ? SLEEP_BESIDE_NODES_MS : SLEEP_ALONE_MS),
      })
  const webhooks = createWebhookService(parts)
  const node = parts.sessions ? undefined : await joinNodes(settings, parts, network, webhooks)
  const stopping = new AbortController()
  // Undefined while the services start: there are no requests yet.
  let hold: Hold | undefined
  let isStarting = false
  const isHeld = () => (hold?.heldBy() ?? null) !== null
  const sessions = gateSessions(node?.sessions ?? network.sessions, { isHeld, stopping: stopping.signal })
  const files = createFileService(places, { ...parts, uploads }, sessions)
  const housekeeping = createHousekeeping(store, clock, logger, () => isLead(parts.node))
  async function start(): Promise<void> {
    await network.start(parts.node?.url ? 'none' : 'all')
    isStarting = true
    await node?.start()
    for (const part of [webhooks, files, housekeeping]) part.start()
  }
  async function stop(stopRequests: () => Promise<void>): Promise<void> {
    stopping.abort()
    const services = {
      requests: stopRequests,
      hold: async () => hold?.stop(),
      // Instances are handed over when the messages under way are acknowledged.
      sending: () => network.stopSending().then(() => node?.handOver()),
      webhooks: webhooks.stop,
      files: files.stop,
    }
    const rest = { network: network.stop, housekeeping: housekeeping.stop, node: async () => node?.stop() }
    const stages = [
      { limitMs: STOP_MS.services, parts: services },
      { limitMs: STOP_MS.sessions, parts: { sessions: network.sessions.close } },
      { limitMs: STOP_MS.network, parts: rest },
    ]
    await stopInStages(stages, logger)
  }
  try {
    hold = await startOrHold({ store, clock, logger, start }, settings.SESSIONS)
    await drainWhileHeld(parts, () => isHeld() && !isStarting)
  } catch (error) {
    await stop(async () => undefined)
    throw error
  }
  const { postEvent, wakeDeliveries } = webhooks
  const readPicture = createReadPicture({ ...parts, uploads, images })
  const used = { sessions, hold, files: files.files, uploads, readPicture, postEvent, wakeDeliveries }
  const { sandbox } = network
  return { ...used, wakeSending: wakeAll(network, node), sandbox, sharedUses: node?.keyUses, stop }
}

/** Wakes the sending of this node, and of the node that serves the instance. */
const wakeAll =
  (network: Pick<NetworkService, 'wakeSending'>, node: Pick<NodeService, 'wakeSending'> | undefined) =>
  (nodeId: number | undefined): void => {
    network.wakeSending()
    node?.wakeSending(nodeId)
  }

/** A held node serves no instance, so that the others must not leave any to it. Neither does it when the operator resumes it. */
async function drainWhileHeld(
  { node, logger }: Pick<ServiceDeps, 'node' | 'logger'>,
  isHeld: () => boolean,
): Promise<void> {
  if (!node?.url || !isHeld()) return
  await node.setDraining(true)
  node.onRenewed(({ isDraining }) => {
    if (isDraining || !isHeld()) return
    logger.warn('cluster: this node was resumed, but it is held; it goes on draining')
    node.setDraining(true).catch(() => undefined)
  })
}

/** Undefined: this is the only process. */
async function joinNodes(
  settings: Settings,
  parts: ServiceDeps,
  network: NetworkService,
  webhooks: WebhookService,
): Promise<NodeService | undefined> {
  const { node } = parts
  if (!node) return undefined
  if (node.url !== null) parts.outbound.own.add(settings.HOST, portOf(node.url))
  return startNodeService(settings, {
    ...parts,
    node,
    local: network.sessions,
    owned: network.owned,
    onWake: { sends: network.wakeSending, events: parts.onRemoteEvents },
    onNodeGone: webhooks.freeLocks,
    onCall: parts.metrics.node.countCall,
  })
}

const withoutNetwork = (sessions: LiveSessions): NetworkService => ({
  sessions,
  owned: {
    take: async () => 0,
    takeOne: async () => true,
    release: async () => 0,
    count: () => ({ sessions: 0, waitingHandshakes: 0 }),
  },
  sandbox: undefined,
  wakeSending: () => undefined,
  start: async () => undefined,
  stopSending: async () => undefined,
  stop: async () => undefined,
})
