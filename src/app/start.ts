// Starts the gateway: opens what it stands on, starts services and server, and stops all of them. parts.ts lists the parts.
import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import type { Settings } from '../config.ts'
import type { HeldBy } from '../contract/system.ts'
import type { Store } from '../store/store.ts'
import { type Hold, startOrHold } from './hold.ts'
import { listen } from './listen.ts'
import {
  buildServices,
  type Foundation,
  openFoundation,
  type Services,
  type StartParts,
  serverParts,
} from './parts.ts'
import type { ReplacedParts } from './replaced-parts.ts'
import { lastStages, type Stage, stopInStages } from './stop-in-stages.ts'

export interface App {
  url: string
  store: Store
  operatorKey: string
  /** Whether this start created the operator's key. */
  operatorKeyIsNew: boolean
  /** The account key that the first start created; it cannot be read again. */
  firstKey: string | undefined
  /** Why sessions, sending and webhooks were held at the start; null: not held. */
  heldBy: HeldBy | null
  stop(): Promise<void>
}

export async function startApp(
  settings: Settings,
  logger: FastifyBaseLogger,
  replaced: ReplacedParts = {},
  onOver: StartParts['onOver'] = () => undefined,
): Promise<App> {
  const last = lastStages()
  const close = () => stopInStages([last.store, last.cluster, last.clock], logger)
  let running: RunningServices | undefined
  try {
    const foundation = await openFoundation({ settings, logger: logger as Logger, replaced, onOver, last })
    running = await startServices(foundation)
    const { services, hold, stop } = running
    const server = await listen(settings, serverParts(foundation, services, hold))
    return {
      url: server.url,
      store: foundation.opened,
      operatorKey: foundation.operator.text,
      operatorKeyIsNew: foundation.operator.isNew,
      firstKey: foundation.firstKey,
      heldBy: hold.heldBy(),
      stop: once(() => stop(server.stop).then(close)),
    }
  } catch (error) {
    await running?.stop(async () => undefined)
    await close()
    throw error
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

// The services that run without requests: sessions, sending, webhooks, files, housekeeping. Starts them unless the gateway is
// held, and stops them in stages. parts.ts lists them.

/**
 * How long each stage of the stop may take. Together with the stage of the store they stay below the limit in serve.ts, and that
 * one below the 20 s that a stop may take.
 */
const STOP_MS = { services: 8000, sessions: 3000, network: 3000 }

interface RunningServices {
  services: Services
  hold: Hold
  /** Stops requests and services together, then sessions and network, which both need. Never rejects. */
  stop(stopRequests: () => Promise<void>): Promise<void>
}

async function startServices(base: Foundation): Promise<RunningServices> {
  const { store, clock, logger } = base
  const stopping = new AbortController()
  // Undefined while the services start: there are no requests yet.
  let hold: Hold | undefined
  let isStarting = false
  const isHeld = () => (hold?.heldBy() ?? null) !== null
  const services = await buildServices(base, { isHeld, stopping: stopping.signal })
  const { network, node, webhooks, files, housekeeping, searchIndex } = services
  async function start(): Promise<void> {
    await network.start(base.membership.node?.url ? 'none' : 'all')
    isStarting = true
    await node?.start()
    webhooks.start(services.formats, {
      chatwoot: services.chatwoot.deliver,
      ...services.destinations.bridges,
    })
    for (const part of [files, housekeeping, searchIndex, base.counts]) part.start()
  }
  async function stop(stopRequests: () => Promise<void>): Promise<void> {
    stopping.abort()
    const first = { requests: stopRequests, hold: async () => hold?.stop() }
    await stopInStages(stagesOf(services, first, base.counts), logger)
  }
  try {
    hold = await startOrHold({ store, clock, logger, start }, base.settings.SESSIONS)
    await drainWhileHeld(base, () => isHeld() && !isStarting)
  } catch (error) {
    await stop(async () => undefined)
    throw error
  }
  return { services, hold, stop }
}

const stagesOf = (
  { network, node, webhooks, destinations, files, housekeeping, searchIndex }: Services,
  first: Stage['parts'],
  counts: Foundation['counts'],
): Stage[] => [
  {
    limitMs: STOP_MS.services,
    parts: {
      ...first,
      // Instances are handed over when the messages under way are acknowledged.
      sending: () => network.stopSending().then(() => node?.handOver()),
      // Deliveries under way use the connections.
      webhooks: () => webhooks.stop().finally(destinations.close),
      files: files.stop,
      search: searchIndex.stop,
    },
  },
  { limitMs: STOP_MS.sessions, parts: { sessions: network.sessions.close } },
  {
    limitMs: STOP_MS.network,
    parts: {
      network: network.stop,
      housekeeping: housekeeping.stop,
      node: async () => node?.stop(),
      // Nothing is counted any more.
      counts: counts.stop,
    },
  },
]

/** A held node serves no instance, so the others must not leave any to it. Neither does it when the operator resumes it. */
async function drainWhileHeld(
  { membership: { node }, logger }: Pick<Foundation, 'membership' | 'logger'>,
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
