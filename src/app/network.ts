// The network service: the network driver, the sessions on it, and the send worker.
import type { Logger } from 'pino'
import type { Settings } from '../config.ts'
import type { FrameGate, LiveSessions, Network } from '../network/network.ts'
import { joinSandbox, type NameOwner, type SandboxLink } from '../network/sandbox-link.ts'
import { startSandboxProcess } from '../network/sandbox-process.ts'
import { createWhatsAppNetwork } from '../network/whatsapp/network.ts'
import type { DriverTimes } from '../network/whatsapp/settings.ts'
import type { Outbound } from '../outbound/client.ts'
import { createSessions } from '../sessions/sessions.ts'
import type { SaveDeps } from '../sessions/wanted-state.ts'
import { makeLanesDue } from '../store/queries/lanes.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { createAddressBook } from '../workers/send/address-book.ts'
import { type SendWorker, startSendWorker } from '../workers/send/send-worker.ts'
import { createMediaSource } from './media-source.ts'

/** Instances are created and deleted while the process runs, so the number of entries is bounded. */
const MAX_WAKE_COUNTS = 10_000

export interface NetworkService {
  sessions: LiveSessions
  /** Only with `NETWORK=sandbox`. */
  sandbox: SandboxLink | undefined
  /** Makes the send worker look for queued messages at once. */
  wakeSending(): void
  /** Resumes the sessions and starts sending. */
  start(): Promise<void>
  stopSending(): Promise<void>
  /** Stops the sandbox network, if this process started it. */
  stop(): Promise<void>
}

export interface NetworkServiceDeps {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  /** Downloads the files of messages. The sandbox's addresses are blocked in it before the first message is sent. */
  outbound: Pick<Outbound, 'download' | 'own'>
  times: DriverTimes
  gate: FrameGate
  requireLive: SaveDeps['requireLive']
  /** A forged change was dropped. */
  onForged?: ((kind: string) => void) | undefined
  /** Names the owner of a call to the sandbox network. */
  nameOwner: NameOwner
  /** For tests: wraps the network, for example to make it fail. */
  wrapNetwork?: ((network: Network) => Network) | undefined
}

export async function createNetworkService(
  settings: Settings,
  deps: NetworkServiceDeps,
): Promise<NetworkService> {
  const { logger } = deps
  const sandbox = settings.NETWORK === 'sandbox' ? await openSandbox(settings, deps) : undefined
  for (const { hostname, port, protocol } of sandbox?.urls.map((url) => new URL(url)) ?? [])
    deps.outbound.own.add(hostname, Number(port) || (protocol.endsWith('s:') ? 443 : 80))
  let worker: SendWorker | undefined
  /** By instance: a number that grows with every opened session and never repeats. Dropping an entry costs one extra poll. */
  const wakeCounts = new Map<number, number>()
  let opened = 0
  const addresses = createAddressBook({
    ...deps,
    async lookUp(instanceId, number) {
      const { exists, jid } = await sessions.checkNumber(instanceId, number)
      return exists ? jid : null
    },
  })
  const sessions = createSessions({
    ...deps,
    network: (deps.wrapNetwork ?? ((network) => network))(createDriver(sandbox, deps)),
    onEvidence: addresses.recordEvidence,
    onOpened(instanceId) {
      if (wakeCounts.size >= MAX_WAKE_COUNTS) wakeCounts.clear()
      opened += 1
      wakeCounts.set(instanceId, opened)
      void makeLanesDue(deps.store, instanceId, deps.clock())
        .catch((err: unknown) => logger.warn({ err }, 'could not reschedule waiting sends'))
        .then(() => worker?.wake())
    },
  })
  const startSending = () =>
    startSendWorker({
      ...deps,
      media: createMediaSource(deps.outbound),
      perInstance: settings.SEND_CONCURRENCY,
      openSession: sessions.openSession,
      addresses,
      onRestricted: sessions.refreshRestriction,
      wakeCount: (instanceId) => wakeCounts.get(instanceId) ?? 0,
    })
  return {
    sessions,
    sandbox,
    wakeSending: () => worker?.wake(),
    async start() {
      // Sessions first: until they are resumed, the store still has the states of the previous run, and the worker would try
      // sends that cannot succeed.
      await sessions.resume()
      worker ??= startSending()
    },
    async stopSending() {
      await worker?.stop()
    },
    async stop() {
      await sandbox?.stop()
    },
  }
}

async function openSandbox(
  settings: Settings,
  { logger, nameOwner }: Pick<NetworkServiceDeps, 'logger' | 'nameOwner'>,
): Promise<SandboxLink> {
  const { DATA_DIR, SANDBOX_URL: url, SANDBOX_KEY: key } = settings
  if (url !== undefined && key !== undefined) return joinSandbox(url, key, nameOwner)
  return startSandboxProcess({
    dataDirectory: DATA_DIR,
    tls: sandboxTls(settings),
    nameOwner,
    onTrouble: (text) => logger.error(text),
  })
}

const createDriver = (
  sandbox: SandboxLink | undefined,
  { logger, times, gate }: Pick<NetworkServiceDeps, 'logger' | 'times' | 'gate'>,
): Network =>
  createWhatsAppNetwork({
    wsUrl: sandbox?.wsUrl,
    rootPublicKey: sandbox?.rootPublicKey,
    socketAgent: sandbox?.socketAgent,
    uploadAgent: sandbox?.uploadAgent,
    downloadDispatcher: sandbox?.downloadDispatcher,
    times,
    gate,
    log: { debug: (text) => logger.debug(text) },
  })

const sandboxTls = ({ SANDBOX_CERT_FILE: certFile, SANDBOX_KEY_FILE: keyFile }: Settings) =>
  certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined
