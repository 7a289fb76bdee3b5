// Builds what speaks to the messaging network: the network itself, the sessions on it, and the worker that sends.
import type { Logger } from 'pino'
import type { Settings } from './config.ts'
import { createAddressBook } from './delivery/address-book.ts'
import { type SendWorker, startSendWorker } from './delivery/send-worker.ts'
import type { LiveSessions, MediaSource, Network } from './network/network.ts'
import { joinSandbox, type SandboxLink } from './network/sandbox-link.ts'
import { startSandboxProcess } from './network/sandbox-process.ts'
import { createWhatsAppNetwork, type DriverTimes } from './network/whatsapp/network.ts'
import { createSessions } from './sessions/sessions.ts'
import { hurryLanes } from './store/queries/lanes.ts'
import type { Store } from './store/store.ts'
import type { Vault } from './store/vault.ts'

export interface AttachedNetwork {
  sessions: LiveSessions
  /** Only with `NETWORK=sandbox`. */
  sandbox: SandboxLink | undefined
  /** A message was accepted: it may be due at once. */
  wakeSending(): void
  stop(): Promise<void>
}

export interface AttachDeps {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  media: MediaSource
  times: DriverTimes
  /** For tests: what happens when the network fails. */
  wrapNetwork?: ((network: Network) => Network) | undefined
}

export async function attachNetwork(settings: Settings, deps: AttachDeps): Promise<AttachedNetwork> {
  const { logger } = deps
  const sandbox = settings.NETWORK === 'sandbox' ? await openSandbox(settings, logger) : undefined
  let worker: SendWorker | undefined
  const hurries = new Map<number, number>()
  const sessions = createSessions({
    ...deps,
    network: (deps.wrapNetwork ?? ((network) => network))(createNetwork(sandbox, deps)),
    onOpened(instanceId) {
      hurries.set(instanceId, (hurries.get(instanceId) ?? 0) + 1)
      void hurryLanes(deps.store.db, instanceId, deps.clock())
        .catch((err: unknown) => logger.warn({ err }, 'what waits was not hurried'))
        .then(() => worker?.wake())
    },
  })
  // First the sessions: until they have begun, the store shows what was open in an earlier life, and sends would be tried
  // that cannot go.
  await sessions.resume()
  worker = startSendWorker({
    ...deps,
    perInstance: settings.SEND_CONCURRENCY,
    live: sessions.live,
    addressOf: createAddressBook({
      ...deps,
      async lookUp(instanceId, number) {
        const { exists, jid } = await sessions.checkNumber(instanceId, number)
        return exists ? jid : null
      },
    }),
    onRestricted: sessions.checkStanding,
    hurriesOf: (instanceId) => hurries.get(instanceId) ?? 0,
  })
  const { wake, stop } = worker
  return {
    sessions,
    sandbox,
    wakeSending: wake,
    async stop() {
      await stop()
      await sessions.close()
      await sandbox?.stop()
    },
  }
}

async function openSandbox(settings: Settings, logger: Logger): Promise<SandboxLink> {
  const { DATA_DIR, SANDBOX_URL: url, SANDBOX_KEY: key } = settings
  if (url !== undefined && key !== undefined) return joinSandbox(url, key)
  return startSandboxProcess({
    dataDirectory: DATA_DIR,
    tls: sandboxTls(settings),
    onTrouble: (words) => logger.error(words),
  })
}

const createNetwork = (
  sandbox: SandboxLink | undefined,
  { logger, times }: Pick<AttachDeps, 'logger' | 'times'>,
): Network =>
  createWhatsAppNetwork({
    wsUrl: sandbox?.wsUrl,
    rootPublicKey: sandbox?.rootPublicKey,
    socketAgent: sandbox?.socketAgent,
    uploadAgent: sandbox?.uploadAgent,
    downloadDispatcher: sandbox?.downloadDispatcher,
    times,
    log: { debug: (words) => logger.debug(words) },
  })

const sandboxTls = ({ SANDBOX_CERT_FILE: certFile, SANDBOX_KEY_FILE: keyFile }: Settings) =>
  certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined
