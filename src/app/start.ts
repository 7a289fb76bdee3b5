// Starts the gateway: creates store, services and server, and passes them to each other. Only src/app does this.

import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import type { MachineClocks } from '../async/clock.ts'
import type { Timers } from '../async/timers.ts'
import type { Settings } from '../config.ts'
import type { HeldBy } from '../contract/system.ts'
import { operatorKey, prepareDirectory } from '../data-dir/secrets.ts'
import { createSendOutcomes } from '../domain/send-outcomes.ts'
import type { Metrics } from '../metrics.ts'
import type { LiveSessions, Network } from '../network/network.ts'
import type { DriverTimes } from '../network/whatsapp/settings.ts'
import type { Resolve } from '../outbound/resolver.ts'
import { createEventSignal } from '../store/engines/event-signal.ts'
import type { Store } from '../store/store.ts'
import { startClock } from './clock.ts'
import { ALONE, joinCluster, type Membership } from './cluster.ts'
import { listen } from './listen.ts'
import { measureGateway } from './measure-gateway.ts'
import { measureNode } from './measure-node.ts'
import { openStore, prepareAccount, unlockStore } from './open-store.ts'
import { createCheckUrl, openOutbound } from './outbound.ts'
import { type RunningServices, startServices } from './services.ts'
import { stopInStages } from './stop-in-stages.ts'
import { openTracing } from './tracing.ts'

/** The last stages of the stop. */
const STORE_STOP_MS = 1500
const LEAVE_MS = 500

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

/** Parts that tests replace. */
export interface AppParts {
  /** Replaces the sessions that the settings select. */
  createSessions?: (store: Store) => LiveSessions
  /** Wraps the store, for example to make it fail. */
  wrapStore?: (store: Store) => Store
  /** Wraps the network, for example to make it fail. */
  wrapNetwork?: (network: Network) => Network
  clock?: () => number
  /** Replaces the clocks of the machine. */
  machine?: MachineClocks
  /** Replaces the name servers of the outbound client. */
  resolver?: Resolve
  /** Replaces the timers of the outbound client. */
  outboundTimers?: Timers
  /** Replaces timeouts and intervals of the network driver. */
  times?: DriverTimes
  /** Replaces `LEASE_SECONDS`, which has a lower limit. */
  leaseSeconds?: number
}

export async function startApp(
  settings: Settings,
  logger: FastifyBaseLogger,
  parts: AppParts = {},
  /** Another process has taken over: this one must end without writing anything. Or the schema is too new for it: it must stop. */
  onOver: (why: 'taken_over' | 'outdated') => void = () => undefined,
): Promise<App> {
  let membership: Membership = ALONE
  const { steady, clock, forSignatures } = openClock(parts, logger, () => metrics)
  await prepareDirectory(settings.DATA_DIR)
  const outbound = await openOutbound(settings, parts)
  const operator = await operatorKey(settings.DATA_DIR, settings)
  const metrics: Metrics = measureGateway(() => store, clock, settings, steady.status)
  const opened = await openStore(settings, metrics, logger, () => onOver('outdated'))
  const store = parts.wrapStore?.(opened) ?? opened
  let services: RunningServices | undefined
  let tracing: Awaited<ReturnType<typeof openTracing>>
  const last = { outbound: outbound.close, store: opened.close, traces: async () => tracing?.stop() }
  const close = () => closeStore(last, () => membership.leave(), logger).finally(steady.stop)
  try {
    const { vault, nameOwner, masterKey } = await unlockStore(settings, opened)
    membership = await joinCluster(settings, {
      store: opened,
      logger: logger as Logger,
      clock: steady,
      leaseSeconds: parts.leaseSeconds,
      onOver: () => onOver('taken_over'),
      metrics: metrics.node,
    })
    measureNode(metrics.node, membership)
    const { node } = membership
    tracing = await openTracing(settings, { clock, metrics, logger, nodeId: node?.id })
    const firstKey = await prepareAccount(settings, opened, operator.text, clock, hasPeers(membership))
    const common = { store, vault, clock, forSignatures, logger: logger as Logger, trace: tracing?.trace }
    const { events, notify: onRemoteEvents } = withRemoteEvents(store)
    const inputs = { masterKey, outbound, metrics, nameOwner, onRemoteEvents }
    const driver = driverParts(parts, membership, metrics, store)
    services = await startServices(settings, { ...common, ...driver, ...inputs })
    const { hold, stop } = services
    const served = { metrics, outbound, events, node, operatorKey: operator.text, clockStatus: steady.status }
    const calls = { checkUrl: createCheckUrl(outbound), outcomes: createSendOutcomes({ store: events }) }
    const server = await listen(settings, { ...common, ...services, ...served, ...calls })
    return {
      url: server.url,
      store: opened,
      operatorKey: operator.text,
      operatorKeyIsNew: operator.isNew,
      firstKey,
      heldBy: hold.heldBy(),
      stop: once(() => stop(server.stop).then(close)),
    }
  } catch (error) {
    await services?.stop(async () => undefined)
    await close()
    throw error
  }
}

const hasPeers = ({ node }: Membership): boolean => (node?.peers().length ?? 0) > 0

/** Tests replace the clock as a whole, or the clocks of the machine. */
function openClock({ clock, machine }: AppParts, logger: FastifyBaseLogger, metrics: () => Metrics) {
  const steady = startClock({ logger, machine, onStep: (reference) => metrics().clock.countStep(reference) })
  return { steady, clock: clock ?? steady.now, forSignatures: clock ?? steady.forSignatures }
}

const driverParts = (parts: AppParts, { gate, node }: Membership, metrics: Metrics, store: Store) => ({
  sessions: parts.createSessions?.(store),
  gate,
  node,
  nodeId: node?.id,
  times: parts.times ?? {},
  wrapNetwork: parts.wrapNetwork,
  onForged: metrics.countForged,
  onNetworkClose: metrics.network.countClose,
  describeNetwork: metrics.network.describe,
  onReceived: metrics.countReceived,
  onSetAside: metrics.countSetAside,
  onRefusedWrite: metrics.node.countRefusedWrite,
})

/** Readers of events hear of those that other nodes append too. */
function withRemoteEvents({ db, onEvents }: Store) {
  const { notify, subscribe } = createEventSignal()
  const events: Pick<Store, 'db' | 'onEvents'> = {
    db,
    onEvents(listener) {
      const ends = [onEvents(listener), subscribe(listener)]
      return () => ends.forEach((end) => end())
    },
  }
  return { events, notify }
}

/** The node leaves last: from then on another process may use the database. */
const closeStore = (
  last: Record<string, () => Promise<unknown>>,
  leave: () => Promise<unknown>,
  logger: FastifyBaseLogger,
): Promise<void> =>
  stopInStages(
    [
      { limitMs: STORE_STOP_MS, parts: last },
      { limitMs: LEAVE_MS, parts: { cluster: leave } },
    ],
    logger,
  )

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
