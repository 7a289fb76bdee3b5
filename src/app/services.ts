// The services that run without requests: sessions, sending, webhooks, files, housekeeping. Starts them unless the gateway is
// held, and stops them in stages.
import type { Settings } from '../config.ts'
import type { Deps } from '../domain/deps.ts'
import type { Metrics } from '../metrics.ts'
import type { LiveSessions } from '../network/network.ts'
import type { SandboxLink } from '../network/sandbox-link.ts'
import type { Outbound } from '../outbound/client.ts'
import { createHousekeeping } from '../workers/housekeeping.ts'
import { createFileService } from './files.ts'
import { type Hold, startOrHold } from './hold.ts'
import { createNetworkService, type NetworkService, type NetworkServiceDeps } from './network.ts'
import { gateSessions } from './session-gate.ts'
import { stopInStages } from './stop-in-stages.ts'
import { createWebhookService } from './webhooks.ts'

/**
 * How long each stage of the stop may take. Together with the stage of the store they stay below the limit in serve.ts, and that
 * one below the 20 s that a stop may take.
 */
const STOP_MS = { services: 8000, sessions: 3000, network: 3000 }

export interface ServiceDeps extends NetworkServiceDeps {
  outbound: Outbound
  metrics: Metrics
  /** For tests: sessions without a network. */
  sessions: LiveSessions | undefined
}

export interface RunningServices
  extends Pick<Deps, 'sessions' | 'files' | 'postEvent' | 'wakeSending' | 'wakeDeliveries'> {
  hold: Hold
  sandbox: SandboxLink | undefined
  /** Stops requests and services together, then sessions and network, which both need. Never rejects. */
  stop(stopRequests: () => Promise<void>): Promise<void>
}

export async function startServices(settings: Settings, parts: ServiceDeps): Promise<RunningServices> {
  const { store, clock, logger } = parts
  const network = parts.sessions
    ? withoutNetwork(parts.sessions)
    : await createNetworkService(settings, parts)
  const webhooks = createWebhookService(parts)
  const stopping = new AbortController()
  // Undefined while the services start: there are no requests yet.
  let hold: Hold | undefined
  const isHeld = () => (hold?.heldBy() ?? null) !== null
  const sessions = gateSessions(network.sessions, { isHeld, stopping: stopping.signal })
  const files = createFileService(settings, parts, sessions)
  const housekeeping = createHousekeeping(store, clock, logger)
  async function start(): Promise<void> {
    await network.start()
    for (const part of [webhooks, files, housekeeping]) part.start()
  }
  async function stop(stopRequests: () => Promise<void>): Promise<void> {
    stopping.abort()
    const services = {
      requests: stopRequests,
      hold: async () => hold?.stop(),
      sending: network.stopSending,
      webhooks: webhooks.stop,
      files: files.stop,
    }
    const stages = [
      { limitMs: STOP_MS.services, parts: services },
      { limitMs: STOP_MS.sessions, parts: { sessions: network.sessions.close } },
      { limitMs: STOP_MS.network, parts: { network: network.stop, housekeeping: housekeeping.stop } },
    ]
    await stopInStages(stages, logger)
  }
  try {
    hold = await startOrHold({ store, clock, logger, start }, settings.SESSIONS)
  } catch (error) {
    await stop(async () => undefined)
    throw error
  }
  const { postEvent, wakeDeliveries } = webhooks
  const { wakeSending, sandbox } = network
  return { sessions, hold, files: files.files, postEvent, wakeDeliveries, wakeSending, sandbox, stop }
}

const withoutNetwork = (sessions: LiveSessions): NetworkService => ({
  sessions,
  sandbox: undefined,
  wakeSending: () => undefined,
  start: async () => undefined,
  stopSending: async () => undefined,
  stop: async () => undefined,
})
