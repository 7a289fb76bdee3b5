// Creates the HTTP server with all routes, binds its port, and stops it.
import { hostname } from 'node:os'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { findCaller, findCallerByHash } from '../accounts/api-keys.ts'
import { createAuditLog, type NotedCall } from '../accounts/audit.ts'
import { insertAudit } from '../accounts/audit-queries.ts'
import { createAuth } from '../accounts/authenticate.ts'
import { recordKeyUses } from '../accounts/key-queries.ts'
import type { SharedKeyUses } from '../accounts/key-rate-limit.ts'
import { createKeyUses } from '../accounts/key-uses.ts'
import { createSignIns, SIGN_IN_SCOPE } from '../accounts/sign-in.ts'
import { refusalOf } from '../accounts/walls.ts'
import type { Settings } from '../config.ts'
import type { Deps, PublishEvent } from '../context.ts'
import { routes as declared } from '../contract/routes.ts'
import { type ApiDeps, handledRoutes } from '../doors/api/api.ts'
import { openDashboard } from '../doors/api/dashboard.ts'
import { addReference } from '../doors/api/reference.ts'
import type { SandboxWorld } from '../doors/api/sandbox-proxy.ts'
import { type AddDialect, createServer } from '../doors/api/server.ts'
import { createChatwootBridges } from '../doors/chatwoot/bridges.ts'
import type { Outward } from '../doors/chatwoot/outward.ts'
import { chatwootHooks } from '../doors/chatwoot/serve.ts'
import { cloudDialect } from '../doors/cloud/serve.ts'
import { evolutionDialect } from '../doors/evolution/serve.ts'
import { mcpEndpoint } from '../doors/mcp/serve.ts'
import { agentSignIn } from '../doors/mcp/sign-in.ts'
import { createLiveEvents } from '../events/live-events.ts'
import { loginQr, waitForLogin } from '../instances/instances.ts'
import { createArrivingBodies } from '../kernel/http/bodies.ts'
import { trackConnections } from '../kernel/http/connections.ts'
import type { DrawQr } from '../kernel/http/qr-images.ts'
import { createTransfers } from '../kernel/http/transfers.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import { hostInUrl } from '../kernel/process/listener-url.ts'
import { programPath } from '../kernel/process/program-files.ts'
import { StoreError } from '../kernel/store-error.ts'
import type { Metrics } from '../metrics.ts'
import type { SandboxLink } from '../network/sandbox-link.ts'
import { createSending } from '../sending/accept.ts'
import type { ContentHold } from '../sending/held-content.ts'
import type { StatisticsDeps } from '../statistics/handlers.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryFormats } from '../webhooks/delivery-format.ts'
import { createDestinationTests } from '../webhooks/destination-tests.ts'
import { createWebhookTests } from '../webhooks/webhook-tests.ts'
import type { GatewayClock } from './clock.ts'
import type { NodeMembership } from './cluster.ts'

/** `npm run build` writes the dashboard here. */
const DASHBOARD = ['dashboard', 'dist']

export interface ListenDeps extends Deps {
  logger: FastifyBaseLogger
  metrics: Metrics
  outbound: Pick<Outbound, 'own' | 'post'>
  operatorKey: string
  /** Only with `NETWORK=sandbox`. */
  sandbox: SandboxLink | undefined
  /** Where events of all nodes are read. */
  events: Pick<Store, 'db' | 'onEvents'>
  /** This node among others; undefined: this is the only process. */
  node: NodeMembership | undefined
  sharedUses: SharedKeyUses | undefined
  clockStatus: GatewayClock['status']
  countLog: StatisticsDeps['countLog']
  drawQr: DrawQr
  contentHold: ContentHold
  chatwoot: Outward
  formats: DeliveryFormats
  publishEvent: PublishEvent
  reviewConnections: () => Promise<void>
  /** The best known time, for signatures that others make. */
  forSignatures(): number
}

export interface ListeningServer {
  url: string
  stop(): Promise<void>
}

export async function listen(settings: Settings, deps: ListenDeps): Promise<ListeningServer> {
  const { store, clock, logger, metrics, sandbox } = deps
  const { PUBLIC_URL: publicUrl } = settings
  const checks = readinessChecks(deps)
  metrics.showChecks(checks)
  const keyUses = startKeyUses(deps)
  const auditLog = startAuditLog(deps)
  const signIns = createSignIns(await deps.vault.box(store.db, SIGN_IN_SCOPE), clock)
  const auth = createAuth({
    findCaller: (key) => findCaller(deps, key),
    findCallerByHash: (hash) => findCallerByHash(deps, hash),
    operatorKey: deps.operatorKey,
    signIns,
    clock,
    publicUrl,
    onUse: keyUses.note,
  })
  const dashboard = openDashboard(programPath(...DASHBOARD))
  const liveEvents = createLiveEvents(deps.events)
  const parts = apiParts(settings, deps, { checks, auth, signIns, liveEvents, auditLog })
  const routes = handledRoutes(parts)
  const server = createServer({
    routes,
    dialects: dialectsIn(settings, deps, { parts, routes, auth, publicUrl }),
    auth,
    clock,
    isHeld: () => deps.hold.heldBy() !== null,
    noteCall: auditLog.note,
    refusalOf: (caller, route, input) => refusalOf(store.db, caller, route, input),
    requestsPerSecond: settings.RATE_LIMIT,
    sharedUses: deps.sharedUses,
    trustedProxies: settings.TRUST_PROXY ?? [],
    sandbox: sandbox && sandboxWorld(deps, sandbox),
    publicUrl,
    sendPage: dashboard.sendPage,
    logger,
    onRequestDone: metrics.observeRequest,
    trace: deps.trace,
  })
  const connections = trackConnections(server.server)
  await dashboard.addTo(server)
  await addReference(server, { serverUrl: publicUrl ?? '/', hasSandbox: sandbox !== undefined })
  return {
    url: await bind(server, settings, deps.outbound),
    async stop() {
      deps.outcomes.stop()
      await server.close().finally(connections.drain())
      liveEvents.stop()
      await keyUses.stop()
      await auditLog.stop()
    },
  }
}

/** What is served beside the routes of this API. */
function dialectsIn(
  { COMPAT: names = [] }: Pick<Settings, 'COMPAT'>,
  deps: ListenDeps,
  served: Parameters<typeof cloudDialect>[0] & { parts: ApiDeps },
): AddDialect[] {
  const { auth, publicUrl, parts } = served
  const { post } = deps.outbound
  const bodies = createArrivingBodies()
  const dialects = {
    evolution: () => evolutionDialect({ ...served, bodies, transfers: parts.transfers }),
    cloud: () => cloudDialect(served),
  }
  return [
    chatwootHooks({ ...deps, auth, bodies, publicUrl, post, sendRoute: declared.sendText }),
    mcpEndpoint,
    agentSignIn(deps),
    ...[...new Set(names)].map((name) => dialects[name]()),
  ]
}

/** What the handlers get. */
const apiParts = (
  { PUBLIC_URL: publicUrl, NETWORK: network }: Pick<Settings, 'PUBLIC_URL' | 'NETWORK'>,
  deps: ListenDeps,
  own: Pick<ApiDeps, 'checks' | 'auth' | 'signIns' | 'liveEvents' | 'auditLog'>,
): ApiDeps => ({
  store: deps.store,
  vault: deps.vault,
  clock: deps.clock,
  clockStatus: deps.clockStatus,
  trace: deps.trace,
  sessions: deps.sessions,
  hold: deps.hold,
  heldBy: deps.hold.heldBy,
  files: deps.files,
  sentMedia: deps.sentMedia,
  uploads: deps.uploads,
  readPicture: deps.readPicture,
  checkUrl: deps.checkUrl,
  readReceiver: deps.readReceiver,
  readClientDocument: deps.readClientDocument,
  postEvent: deps.postEvent,
  outcomes: deps.outcomes,
  wakeSending: deps.wakeSending,
  wakeDeliveries: deps.wakeDeliveries,
  readMetrics: deps.metrics.read,
  thisNode: thisNode(deps),
  // State that belongs to the process and is shared by all requests.
  sending: createSending(deps),
  webhookTests: createWebhookTests({ ...deps, bridgeTests: { chatwoot: deps.chatwoot.test } }),
  destinationTests: createDestinationTests(deps),
  reviewConnections: deps.reviewConnections,
  drawQr: deps.drawQr,
  countLog: deps.countLog,
  chatwoot: createChatwootBridges({ ...deps, post: deps.outbound.post, publicUrl }, deps.chatwoot),
  transfers: createTransfers(),
  ...own,
  publicUrl,
  network,
})

/** A single process on SQLite has no row among the nodes. */
const thisNode = ({ node, clock }: Pick<ListenDeps, 'node' | 'clock'>) => ({
  id: node?.id ?? 1,
  name: hostname(),
  startedAt: node?.startedAt ?? clock(),
})

const readinessChecks = ({ store, sessions, sandbox, node }: ListenDeps) => ({
  store: () => store.check(),
  sessions: () => sessions.check(),
  ...(node ? { cluster: async () => checkRenewal(node) } : {}),
  ...(sandbox ? { sandbox: sandbox.check } : {}),
})

/** Two renewals may be missed before the node counts as not ready; its sessions stay connected for longer. */
function checkRenewal({ renewedMsAgo, times }: NodeMembership): void {
  const agoMs = renewedMsAgo()
  if (agoMs === undefined || agoMs > 2 * times.renewMs)
    throw new StoreError('unavailable', 'the lease of this node could not be renewed')
}

const sandboxWorld = (deps: Pick<Deps, 'store' | 'sessions'>, { forward }: SandboxLink): SandboxWorld => ({
  forward,
  loginCode: async (caller, name) => (await loginQr(deps, caller, name)).code,
  waitForLogin: (caller, name) => waitForLogin(deps, caller, name),
})

const startAuditLog = ({ store, logger }: Pick<ListenDeps, 'store' | 'logger'>) =>
  createAuditLog<NotedCall>(
    (entries) => insertAudit(store.db, entries),
    (err, lost) => logger.warn({ err, lost }, 'could not store calls in the audit list'),
  )

const startKeyUses = ({ store, clock, logger }: Pick<ListenDeps, 'store' | 'clock' | 'logger'>) =>
  createKeyUses(
    (uses) => recordKeyUses(store.db, uses),
    clock,
    (err) => logger.warn({ err }, 'could not save when API keys were last used'),
  )

async function bind(
  server: FastifyInstance,
  settings: Pick<Settings, 'HOST' | 'PORT'>,
  { own }: Pick<Outbound, 'own'>,
): Promise<string> {
  const { level } = server.log
  // The framework would repeat the ready line, behind the notice with the keys.
  if (level === 'info') server.log.level = 'warn'
  const url = await server.listen({ host: settings.HOST, port: settings.PORT }).catch((error: unknown) => {
    throw namePort(settings, error)
  })
  server.log.level = level
  for (const bound of server.addresses()) if (typeof bound === 'object') own.add(bound.address, bound.port)
  // Fastify names the unspecified address of IPv6, which not every client connects to.
  return url.replace('//[::]:', '//[::1]:')
}

const LISTEN_FAULTS: Record<string, (settings: Pick<Settings, 'HOST' | 'PORT'>) => string> = {
  EADDRINUSE: ({ HOST, PORT }) => `PORT: ${hostInUrl(HOST)}:${PORT} is in use by another process`,
  EACCES: ({ HOST, PORT }) => `PORT: this user may not listen on ${hostInUrl(HOST)}:${PORT}`,
  EADDRNOTAVAIL: ({ HOST }) => `HOST: ${HOST} is not an address of this machine`,
  ENOTFOUND: ({ HOST }) => `HOST: ${HOST} cannot be resolved`,
}

/** Names the setting that has to be corrected. */
function namePort(settings: Pick<Settings, 'HOST' | 'PORT'>, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException
  return new Error(LISTEN_FAULTS[code ?? '']?.(settings) ?? message, { cause })
}
