// Starts the gateway: creates store, services and server, and passes them to each other. Only src/app does this.

import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import type { Timers } from '../async/timers.ts'
import type { Settings } from '../config.ts'
import type { HeldBy } from '../contract/system.ts'
import { operatorKey, prepareDirectory } from '../data-dir/secrets.ts'
import type { Deps } from '../domain/deps.ts'
import { createSendOutcomes } from '../domain/send-outcomes.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import type { LiveSessions, Network } from '../network/network.ts'
import type { DriverTimes } from '../network/whatsapp/settings.ts'
import type { Resolve } from '../outbound/resolver.ts'
import { countWaitingDeliveries } from '../store/queries/deliveries.ts'
import { queueDepth } from '../store/queries/messages.ts'
import type { Store } from '../store/store.ts'
import { ALONE, joinCluster, type Membership } from './cluster.ts'
import { listen } from './listen.ts'
import { openStore, prepareAccount, unlockStore } from './open-store.ts'
import { createCheckUrl, openOutbound } from './outbound.ts'
import { type RunningServices, startServices } from './services.ts'
import { stopInStages } from './stop-in-stages.ts'

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
  /** Another process has taken over: this one must end without writing anything. */
  onOver: () => void = () => undefined,
): Promise<App> {
  const clock = parts.clock ?? Date.now
  await prepareDirectory(settings.DATA_DIR)
  const outbound = await openOutbound(settings, parts)
  const operator = await operatorKey(settings.DATA_DIR, settings)
  const metrics: Metrics = createMetrics({
    queued: () => queueDepth(store.db),
    waitingDeliveries: () => countWaitingDeliveries(store.db),
  })
  const opened = await openStore(settings, metrics, logger)
  const store = parts.wrapStore?.(opened) ?? opened
  let services: RunningServices | undefined
  let membership: Membership = ALONE
  const close = () => closeStore(outbound.close, opened.close, () => membership.leave(), logger)
  try {
    const { vault, nameOwner } = await unlockStore(settings, opened)
    const { leaseSeconds } = parts
    membership = await joinCluster(settings, { logger: logger as Logger, leaseSeconds, onOver })
    const newKey = await prepareAccount(settings, opened, operator.text, clock)
    const common = { store, vault, clock, logger: logger as Logger }
    const sessions = parts.createSessions?.(store)
    const { gate, requireLive } = membership
    const driver = {
      gate,
      requireLive,
      times: parts.times ?? {},
      wrapNetwork: parts.wrapNetwork,
      onForged: metrics.countForged,
    }
    services = await startServices(settings, { ...common, ...driver, outbound, metrics, nameOwner, sessions })
    const deps: Deps = {
      ...common,
      ...services,
      checkUrl: createCheckUrl(outbound),
      outcomes: createSendOutcomes({ store }),
    }
    const { hold, sandbox, stop } = services
    const operation = { logger, metrics, outbound, sandbox, operatorKey: operator.text }
    const server = await listen(settings, { ...deps, ...operation })
    return {
      url: server.url,
      store: opened,
      operatorKey: operator.text,
      operatorKeyIsNew: operator.isNew,
      firstKey: newKey,
      heldBy: hold.heldBy(),
      stop: once(() => stop(server.stop).then(close)),
    }
  } catch (error) {
    await services?.stop(async () => undefined)
    await close()
    throw error
  }
}

/** The node leaves last: from then on another process may use the database. */
const closeStore = (
  closeOutbound: () => Promise<unknown>,
  closeOpened: () => Promise<unknown>,
  leave: () => Promise<unknown>,
  logger: FastifyBaseLogger,
): Promise<void> =>
  stopInStages(
    [
      { limitMs: STORE_STOP_MS, parts: { outbound: closeOutbound, store: closeOpened } },
      { limitMs: LEAVE_MS, parts: { cluster: leave } },
    ],
    logger,
  )

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
