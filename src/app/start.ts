// Starts the gateway: opens what it stands on, starts services and server, and stops all of them. parts.ts lists the parts.
import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import type { Settings } from '../config.ts'
import type { HeldBy } from '../contract/system.ts'
import type { Store } from '../store/store.ts'
import { listen } from './listen.ts'
import { openFoundation, type StartParts, serverParts } from './parts.ts'
import type { ReplacedParts } from './replaced-parts.ts'
import { type RunningServices, startServices } from './services.ts'
import { lastStages, stopInStages } from './stop-in-stages.ts'

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
