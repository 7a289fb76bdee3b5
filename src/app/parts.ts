// The parts of the gateway, in the order in which they are built, each with all that it gets: first what everything stands on, then
// the network, the services, and what the HTTP server uses. Starting and stopping them is in start.ts and services.ts.

import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from '../config.ts'
import { operatorKey, prepareDirectory } from '../data-dir/secrets.ts'
import { createOutward } from '../doors/chatwoot/outward.ts'
import { formatCloudEvent } from '../doors/cloud/deliver.ts'
import { createEvolutionFormat } from '../doors/evolution/deliver.ts'
import { createImages } from '../files/media/images.ts'
import { createMediaTools, type MediaTools } from '../files/media/media-tools.ts'
import { createReadPicture } from '../files/read-picture.ts'
import { createUploadedFiles, type UploadedFiles } from '../files/uploaded-files.ts'
import { monotonicClock } from '../kernel/async/clock.ts'
import { createQrImages } from '../kernel/http/qr-images.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import { createSearchIndex } from '../messages/search-index.ts'
import type { Metrics } from '../metrics.ts'
import type { NameOwner } from '../network/sandbox-link.ts'
import { createContentHold, createFetchMedia, type PreviewOf } from '../sending/held-content.ts'
import { createLinkPreviews } from '../sending/link-previews.ts'
import { createMediaSource } from '../sending/media-source.ts'
import { createSendOutcomes } from '../sending/outcomes.ts'
import { type AddressBook, createAddressBook } from '../sending/recipient.ts'
import { createSessions, type Sessions } from '../sessions/sessions.ts'
import { type CountLog, createCounts } from '../statistics/count-log.ts'
import { countedStore } from '../store/counted-store.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { Tracer } from '../tracer.ts'
import { createDestinations } from '../webhooks/transports/destinations.ts'
import { findEnabled } from '../webhooks/webhook-queries.ts'
import { sentMedia } from '../whatsapp/sending/sent-media.ts'
import type { GatewayClock } from './clock.ts'
import { joinCluster, type Membership } from './cluster.ts'
import { openCrashWatch } from './crash-watch.ts'
import { type Driver, openDriver } from './driver.ts'
import { openFileLocations } from './file-locations.ts'
import { createFileService } from './files.ts'
import type { Hold } from './hold.ts'
import { createHousekeeping } from './housekeeping.ts'
import type { ListenDeps } from './listen.ts'
import { measureGateway } from './measure-gateway.ts'
import { measureNode } from './measure-node.ts'
import { createNetworkService, createOutbox, type NetworkService, withoutNetwork } from './network.ts'
import { isLead, joinNodes } from './node-service.ts'
import { openClock } from './open-clock.ts'
import { openStore, prepareAccount, unlockStore } from './open-store.ts'
import { createCheckUrl, createReadClientDocument, createReadReceiver, openOutbound } from './outbound.ts'
import { withRemoteEvents } from './remote-events.ts'
import type { ReplacedParts } from './replaced-parts.ts'
import { gateSessions, type SessionGate } from './session-gate.ts'
import type { LastStages } from './stop-in-stages.ts'
import { openTracing } from './tracing.ts'
import { createWebhookService } from './webhooks.ts'

/** A wake-up of another node may be lost, so that the workers that send look more often beside other nodes. */
const SLEEP_BESIDE_NODES_MS = 1000
const SLEEP_ALONE_MS = 5000

export interface StartParts {
  settings: Settings
  logger: Logger
  /** For tests. */
  replaced: ReplacedParts
  /** Another process has taken over: this one must end without writing anything. Or the schema is too new for it: it must stop. */
  onOver(why: 'taken_over' | 'outdated'): void
  /** Each part that is opened here is added to the stage that closes it. */
  last: LastStages
}

/** What everything else stands on. */
export interface Foundation {
  settings: Settings
  logger: Logger
  replaced: ReplacedParts
  clock: () => number
  /** The best known time, for signatures that others check. */
  forSignatures: () => number
  clockStatus: GatewayClock['status']
  outbound: Outbound
  metrics: Metrics
  operator: { text: string; isNew: boolean }
  /** Counts what it commits. */
  store: Store
  /** The store as it was opened, without counts and what a test wraps around it. */
  opened: Store
  counts: CountLog
  vault: Vault
  masterKey: Uint8Array
  nameOwner: NameOwner
  membership: Membership
  /** Undefined while tracing is off. */
  trace: Tracer | undefined
  /** The account key that this start created; undefined on later starts. */
  firstKey: string | undefined
  /** Where events of all nodes are read. */
  events: Pick<Store, 'db' | 'onEvents'>
  /** Another node has appended events. */
  onRemoteEvents(): void
}

export async function openFoundation(start: StartParts): Promise<Foundation> {
  const { settings, logger, replaced, onOver, last } = start
  const { steady, clock, forSignatures } = openClock(replaced, logger, () => metrics)
  last.clock.parts.clock = async () => steady.stop()
  await prepareDirectory(settings.DATA_DIR)
  const outbound = await openOutbound(settings, replaced)
  last.store.parts.outbound = outbound.close
  const operator = await operatorKey(settings.DATA_DIR, settings)
  const metrics: Metrics = measureGateway(() => store, clock, settings, steady.status)
  const opened = await openStore(settings, metrics, logger, () => onOver('outdated'))
  last.store.parts.store = opened.close
  const counts = createCounts(opened, { clock, logger, isLead: () => isLead(membership.node) })
  const store = countedStore(replaced.wrapStore?.(opened) ?? opened, counts.count)
  const { vault, nameOwner, masterKey } = await unlockStore(settings, opened)
  const membership = await joinCluster(settings, {
    store: opened,
    logger,
    clock: steady,
    leaseSeconds: replaced.leaseSeconds,
    onOver: () => onOver('taken_over'),
    metrics: metrics.node,
  })
  last.cluster.parts.cluster = membership.leave
  measureNode(metrics.node, membership)
  const tracing = await openTracing(settings, { clock, metrics, logger, nodeId: membership.node?.id })
  if (tracing) last.store.parts.traces = tracing.stop
  const hasPeers = (membership.node?.peers().length ?? 0) > 0
  const firstKey = await prepareAccount(settings, opened, operator.text, clock, hasPeers)
  const { events, notify: onRemoteEvents } = withRemoteEvents(store)
  return {
    settings,
    logger,
    replaced,
    clock,
    forSignatures,
    clockStatus: steady.status,
    outbound,
    metrics,
    operator,
    store,
    opened,
    counts,
    vault,
    masterKey,
    nameOwner,
    membership,
    trace: tracing?.trace,
    firstKey,
    events,
    onRemoteEvents,
  }
}

/** The driver, the sessions on it, and the workers that send. */
async function buildNetwork(
  base: Foundation,
  uploads: UploadedFiles,
  tools: MediaTools,
  previewOf: PreviewOf,
): Promise<NetworkService> {
  const { settings, replaced, store, vault, clock, logger, outbound, metrics, trace } = base
  const { gate, node } = base.membership
  const driver = await openDriver(settings, {
    store,
    clock,
    logger,
    outbound,
    times: replaced.times ?? {},
    gate,
    nameOwner: base.nameOwner,
    isLead: () => isLead(node),
    onNetworkClose: metrics.network.countClose,
    describeNetwork: metrics.network.describe,
  })
  const crashWatch = await openCrashWatch(settings.DATA_DIR, { store, clock, logger })
  const addresses = createAddressBook({
    store,
    clock,
    lookUp: (instanceId, number) => sessions.checkNumber(instanceId, number),
  })
  const sessions = createSessions({
    store,
    vault,
    clock,
    logger,
    trace,
    crashWatch,
    nodeId: node?.id,
    network: replaced.wrapNetwork?.(driver.network) ?? driver.network,
    onEvidence: addresses.recordEvidence,
    wakeSending: () => outbox.wake(),
    onOpened: (instanceId) => outbox.resumeSending(instanceId),
    onForged: metrics.countForged,
    onReceived: metrics.countReceived,
    onSetAside: metrics.countSetAside,
    onRefusedWrite: metrics.node.countRefusedWrite,
  })
  const { outbox, media } = buildOutbox(base, {
    driver,
    sessions,
    addresses,
    uploads,
    tools,
    previewOf,
  })
  return createNetworkService({ driver, crashWatch, sessions, media, outbox })
}

/** The workers that send, and the files of their messages. */
function buildOutbox(
  base: Foundation,
  used: {
    driver: Driver
    sessions: Sessions
    addresses: AddressBook
    uploads: UploadedFiles
    tools: MediaTools
    previewOf: PreviewOf
  },
) {
  const { settings, store, clock, logger, outbound, metrics, trace } = base
  const { driver, sessions, addresses, uploads, tools, previewOf } = used
  const { node } = base.membership
  const directory = join(settings.DATA_DIR, 'media')
  const media = createMediaSource({ outbound, uploads, store, tools, directory })
  const outbox = createOutbox({
    store,
    clock,
    logger,
    trace,
    nodeId: node?.id,
    perInstance: settings.SEND_CONCURRENCY,
    maxSleepMs: () => (node?.peers().length ? SLEEP_BESIDE_NODES_MS : SLEEP_ALONE_MS),
    sessions,
    addresses,
    restrictedCode: driver.restrictedCode,
    media: media.media,
    previewOf,
    observe: metrics.observeSend,
  })
  return { outbox, media }
}

/** The services that run without requests. None of them is started here. */
export async function buildServices(base: Foundation, gate: SessionGate) {
  const { settings, replaced, store, vault, clock, forSignatures, logger, outbound, metrics, trace } = base
  const { node: membership } = base.membership
  const nodeId = membership?.id
  const locations = await openFileLocations(settings, store, forSignatures)
  const uploads = createUploadedFiles({ store, vault, locations: locations.uploadLocations })
  // All that decode pictures share one limit.
  const images = createImages()
  const tools = createMediaTools({ images, logger })
  const previewOf = createLinkPreviews({ outbound, tools, clock })
  const replacement = replaced.createSessions?.(store)
  const network = replacement
    ? withoutNetwork(replacement)
    : await buildNetwork(base, uploads, tools, previewOf)
  const webhooks = createWebhookService({
    store,
    vault,
    clock,
    forSignatures,
    logger,
    trace,
    nodeId,
    outbound,
    metrics,
    counts: base.counts,
  })
  const node = replacement
    ? undefined
    : await joinNodes(settings, {
        node: membership,
        gate: base.membership.gate,
        masterKey: base.masterKey,
        store,
        clock,
        logger,
        outbound,
        local: network.sessions,
        owned: network.owned,
        onWake: { sends: network.wakeSending, events: base.onRemoteEvents },
        onNodeGone: webhooks.freeLocks,
        onCall: metrics.node.countCall,
      })
  const sessions = gateSessions(node?.sessions ?? network.sessions, gate)
  const files = createFileService({ locations, store, vault, clock, logger, uploads, nodeId, sessions })
  const housekeeping = createHousekeeping(store, clock, logger, () => isLead(membership))
  const readPicture = createReadPicture({ outbound, uploads, store, images, clock })
  const drawQr = createQrImages()
  const evolution = { store, sessions, files: files.files, drawQr, forSignatures }
  const formats = {
    evolution: createEvolutionFormat({ ...evolution, publicUrl: settings.PUBLIC_URL }),
    cloud: formatCloudEvent,
  }
  const chatwoot = createOutward({ store, clock, sessions, files: files.files, post: outbound.post })
  const findOwners = (ids: readonly number[]) => findEnabled(store.db, ids)
  const destinations = createDestinations({ outbound, clock, forSignatures, findOwners })
  const apart = { formats, drawQr, chatwoot, destinations, searchIndex: buildSearchIndex(base) }
  const contentHold = buildContentHold(base, uploads, previewOf)
  const ofFiles = { uploads, files, readPicture, contentHold }
  return { network, webhooks, ...apart, node, sessions, ...ofFiles, housekeeping }
}

const buildContentHold = (
  { store, clock, outbound }: Foundation,
  uploads: UploadedFiles,
  previewOf: PreviewOf,
) => createContentHold({ store, clock, uploads, fetchMedia: createFetchMedia(outbound), previewOf })

const buildSearchIndex = ({ store, logger, membership }: Foundation) =>
  createSearchIndex({ store, log: logger, isLead: () => isLead(membership.node), elapsed: monotonicClock })

export type Services = Awaited<ReturnType<typeof buildServices>>

/** What the HTTP server and its handlers get. */
export function serverParts(base: Foundation, services: Services, hold: Hold): ListenDeps {
  const { network, node, webhooks, files } = services
  return {
    store: base.store,
    vault: base.vault,
    clock: base.clock,
    clockStatus: base.clockStatus,
    logger: base.logger,
    trace: base.trace,
    metrics: base.metrics,
    outbound: base.outbound,
    checkUrl: createCheckUrl(base.outbound),
    readReceiver: createReadReceiver(base.outbound),
    readClientDocument: createReadClientDocument(base.outbound),
    events: base.events,
    outcomes: createSendOutcomes({ store: base.events }),
    operatorKey: base.operator.text,
    node: base.membership.node,
    hold,
    sessions: services.sessions,
    files: files.files,
    sentMedia,
    uploads: services.uploads,
    readPicture: services.readPicture,
    contentHold: services.contentHold,
    drawQr: services.drawQr,
    countLog: base.counts,
    chatwoot: services.chatwoot,
    formats: services.formats,
    forSignatures: base.forSignatures,
    postEvent: webhooks.postEvent,
    publishEvent: services.destinations.publishEvent,
    reviewConnections: services.destinations.review,
    wakeDeliveries: webhooks.wakeDeliveries,
    // Of this node, and of the node that serves the instance.
    wakeSending(nodeId, accepted) {
      network.wakeSending(accepted)
      node?.wakeSending(nodeId)
    },
    sandbox: network.sandbox,
    sharedUses: node?.keyUses,
  }
}
