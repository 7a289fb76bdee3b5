// The network service: the network driver, the sessions on it, and the send worker.
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createBoundedMap } from '../async/bounded-map.ts'
import type { Settings } from '../config.ts'
import { markReadOnReply } from '../domain/mark-read.ts'
import type { Tracer } from '../domain/tracer.ts'
import type { UploadedFiles } from '../files/uploaded-files.ts'
import type { Images } from '../media/images.ts'
import { createMediaTools } from '../media/media-tools.ts'
import type { Metrics, NetworkInfo } from '../metrics.ts'
import type { FrameGate, LiveSessions, Network } from '../network/network.ts'
import type { NameOwner, SandboxLink } from '../network/sandbox-link.ts'
import type { DriverTimes } from '../network/whatsapp/settings.ts'
import type { Outbound } from '../outbound/client.ts'
import { createSessions, type OwnedSessions, type Sessions } from '../sessions/sessions.ts'
import { makeLanesDue } from '../store/queries/lanes.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { startScheduler } from '../workers/scheduler.ts'
import { createAddressBook } from '../workers/send/address-book.ts'
import { type SendWorker, type SendWorkerDeps, startSendWorker } from '../workers/send/send-worker.ts'
import { openCrashWatch } from './crash-watch.ts'
import { openDriver } from './driver.ts'
import { createLinkPreviews } from './link-previews.ts'
import { createMediaSource } from './media-source.ts'

/** Instances are created and deleted while the process runs, so the number of entries is bounded. */
const MAX_WAKE_COUNTS = 10_000

export interface NetworkService {
  /** The sessions of this process. */
  sessions: LiveSessions
  /** With several nodes: the instances that this one serves. */
  owned: OwnedSessions
  /** Only with `NETWORK=sandbox`. */
  sandbox: SandboxLink | undefined
  /** Makes the send worker and the scheduler look for messages at once. */
  wakeSending(): void
  /** Resumes the sessions, all or those that this node takes later, and starts sending. */
  start(instances: 'all' | 'none'): Promise<void>
  stopSending(): Promise<void>
  /** Stops the sandbox network, if this process started it. */
  stop(): Promise<void>
}

export interface NetworkServiceDeps {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  /** Where the uploaded files of messages are read. */
  uploads: Pick<UploadedFiles, 'read'>
  images: Images
  /** Downloads the files of messages. The sandbox's addresses are blocked in it before the first message is sent. */
  outbound: Pick<Outbound, 'download' | 'peek' | 'own' | 'openTunnel' | 'proxies' | 'readPage'>
  times: DriverTimes
  gate: FrameGate
  /** This node, if several may use the database. */
  nodeId: number | undefined
  /** False: another node reads the version of the client. */
  isLead(): boolean
  metrics: Pick<Metrics, 'observeSend'>
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
  /** Messages were received. */
  onReceived?: ((messages: number) => void) | undefined
  /** Something that the network delivered was set aside. */
  onSetAside?: ((reason: string) => void) | undefined
  /** A forged change was dropped. */
  onForged?: ((kind: string) => void) | undefined
  /** The network closed a connection, or the connection was lost, with this code. */
  onNetworkClose?: ((code: number | null) => void) | undefined
  /** Shows what the driver presents to the network. */
  describeNetwork?: ((read: () => NetworkInfo) => void) | undefined
  /** A write was refused because another node serves the instance. */
  onRefusedWrite?: ((write: string) => void) | undefined
  /** How long the workers that send sleep at most; absent: 5 s. */
  maxSleepMs?: (() => number) | undefined
  /** Names the owner of a call to the sandbox network. */
  nameOwner: NameOwner
  /** For tests: wraps the network, for example to make it fail. */
  wrapNetwork?: ((network: Network) => Network) | undefined
}

export async function createNetworkService(
  settings: Settings,
  deps: NetworkServiceDeps,
): Promise<NetworkService> {
  const driver = await openDriver(settings, deps)
  const crashWatch = await openCrashWatch(settings.DATA_DIR, deps)
  let outbox: Outbox | undefined
  const wakeCounts = createWakeCounts()
  const addresses = createAddressBook({
    ...deps,
    async lookUp(instanceId, number) {
      const { exists, jid } = await sessions.checkNumber(instanceId, number)
      return exists ? jid : null
    },
  })
  const sessions = createSessions({
    ...deps,
    crashWatch,
    network: deps.wrapNetwork?.(driver.network) ?? driver.network,
    onEvidence: addresses.recordEvidence,
    wakeSending: () => outbox?.wake(),
    onOpened(instanceId) {
      wakeCounts.increase(instanceId)
      void makeLanesDue(deps.store, instanceId, deps.clock())
        .catch((err: unknown) => deps.logger.warn({ err }, 'could not reschedule waiting sends'))
        .then(() => outbox?.wake())
    },
  })
  const media = outgoingMedia(settings, deps)
  const sending = {
    ...deps,
    ...media,
    perInstance: settings.SEND_CONCURRENCY,
    openSession: sessions.openSession,
    addresses,
    onRestricted: sessions.refreshRestriction,
    onSent: (instanceId: number, chat: string) => readOnReply(deps, sessions, instanceId, chat),
    observe: deps.metrics.observeSend,
    wakeCount: wakeCounts.of,
  }
  return {
    sessions,
    owned: sessions.owned,
    sandbox: driver.sandbox,
    wakeSending: () => outbox?.wake(),
    async start(instances) {
      await driver.start()
      // Sessions first: until they are resumed, the store still has the states of the previous run, and the worker would try
      // sends that cannot succeed.
      await sessions.resume(instances)
      outbox ??= startOutbox(sending)
    },
    async stopSending() {
      await outbox?.stop()
    },
    async stop() {
      crashWatch.marks.close()
      await media.close()
      await driver.stop()
    },
  }
}

/** Never rejects: the message is sent in any case. */
async function readOnReply(
  deps: Pick<NetworkServiceDeps, 'store' | 'clock' | 'logger'>,
  sessions: Pick<Sessions, 'settingsOf' | 'markRead'>,
  instanceId: number,
  chat: string,
): Promise<void> {
  if (!sessions.settingsOf(instanceId)?.readOnReply) return
  await markReadOnReply({ ...deps, sessions }, instanceId, chat).catch((err: unknown) =>
    deps.logger.warn({ err, instanceId }, 'send worker: chat not marked as read after a reply'),
  )
}

type Outbox = Pick<SendWorker, 'wake' | 'stop'>

/** The workers that send: due messages, and scheduled ones when their time has come. */
function startOutbox(sending: SendWorkerDeps): Outbox {
  const worker = startSendWorker(sending)
  const scheduler = startScheduler({ ...sending, onQueued: worker.wake })
  return {
    wake() {
      worker.wake()
      scheduler.wake()
    },
    async stop() {
      await scheduler.stop()
      await worker.stop()
    },
  }
}

/** By instance: a number that grows with every opened session and never repeats. Dropping an entry costs one extra poll. */
function createWakeCounts() {
  const counts = createBoundedMap<number, number>(MAX_WAKE_COUNTS)
  let last = 0
  return {
    of: (instanceId: number): number => counts.get(instanceId) ?? 0,
    increase(instanceId: number): void {
      last += 1
      counts.set(instanceId, last)
    },
  }
}

/** Files and link previews of messages. */
function outgoingMedia(settings: Settings, deps: NetworkServiceDeps) {
  const tools = createMediaTools(deps)
  return {
    ...createMediaSource({ ...deps, tools, directory: join(settings.DATA_DIR, 'media') }),
    previewOf: createLinkPreviews({ ...deps, tools }),
  }
}
