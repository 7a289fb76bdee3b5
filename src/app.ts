// The only place that builds store, sessions, rules and server, and hands them to each other.
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import { attachFiles } from './attach-files.ts'
import { type AttachedNetwork, attachNetwork } from './attach-network.ts'
import { attachWebhooks } from './attach-webhooks.ts'
import { type Settings, SettingsError } from './config.ts'
import type { Route } from './contract/route.ts'
import { routes } from './contract/routes.ts'
import { sandboxRoutes } from './contract/sandbox.ts'
import { findCaller, findCallerByHash } from './domain/api-keys.ts'
import { bootstrap } from './domain/bootstrap.ts'
import type { Caller } from './domain/caller.ts'
import type { Deps, JudgeUrl } from './domain/deps.ts'
import { createEventFeed, type EventFeed } from './domain/event-feed.ts'
import { loginQr, untilLoggedIn } from './domain/instances.ts'
import { createOutcomeWatch } from './domain/outcome-watch.ts'
import { createSignIns, SIGN_IN_SCOPE } from './domain/sign-in.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createAuth } from './http/auth.ts'
import { openDashboard } from './http/dashboard.ts'
import type { Handlers } from './http/handler.ts'
import { accountHandlers } from './http/handlers/account.ts'
import { adminHandlers } from './http/handlers/admin.ts'
import { contactHandlers } from './http/handlers/contacts.ts'
import { eventHandlers } from './http/handlers/events.ts'
import { imageHandlers, instanceHandlers, instanceReadHandlers } from './http/handlers/instances.ts'
import { messageHandlers, sendingHandlers } from './http/handlers/sending.ts'
import { type SessionRouteId, sessionHandlers } from './http/handlers/session.ts'
import { systemHandlers } from './http/handlers/system.ts'
import { deliveryHandlers, webhookHandlers } from './http/handlers/webhooks.ts'
import { buildOpenApi } from './http/openapi.ts'
import { addReference } from './http/reference.ts'
import { addSandboxProxy, type SandboxProxyDeps } from './http/sandbox-proxy.ts'
import { createServer } from './http/server.ts'
import { FIRST_KEY_FILE, masterKey, operatorKey, prepareDirectory, writeSecret } from './key-files.ts'
import { createKeyUses } from './key-uses.ts'
import { createMediaSource } from './media-source.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import type { LiveSessions, Network } from './network/network.ts'
import type { SandboxLink } from './network/sandbox-link.ts'
import type { DriverTimes } from './network/whatsapp/network.ts'
import { createOutbound, type Outbound } from './outbound/client.ts'
import { readExtraCa } from './outbound/extra-ca.ts'
import type { Resolve } from './outbound/resolver.ts'
import { TargetRefused } from './outbound/target.ts'
import { openPostgresStore } from './store/postgres/postgres-store.ts'
import { touchApiKeys } from './store/queries/api-keys.ts'
import { countWaitingDeliveries } from './store/queries/deliveries.ts'
import { queueDepth } from './store/queries/messages.ts'
import { openSqliteStore } from './store/sqlite/sqlite-store.ts'
import type { Store } from './store/store.ts'
import { StoreError } from './store/store-error.ts'
import { hasMasterKeyMark, openVault, WrongMasterKeyError } from './store/vault.ts'

/** Requests that have not ended this long after the drain began are cut, so that the process ends in time. */
const CUT_MS = 15_000

/** Where `npm run build` puts the dashboard. */
const DASHBOARD_DIRECTORY = join(import.meta.dirname, '..', 'dashboard', 'dist')

export interface App {
  url: string
  store: Store
  operatorKey: string
  /** Whether this start made the operator's key. */
  operatorKeyIsNew: boolean
  /** The key made at the first start; it cannot be read again. */
  firstKey: string | undefined
  stop(): Promise<void>
}

export interface AppParts {
  /** Replaces the sessions that the settings ask for. */
  createSessions?: (store: Store) => LiveSessions
  /** Wraps the store, for instance to see what happens when it fails. */
  wrapStore?: (store: Store) => Store
  /** Wraps the network, likewise. */
  wrapNetwork?: (network: Network) => Network
  clock?: () => number
  /** Replaces the name servers of the guarded client. */
  resolver?: Resolve
  /** Replaces the times that the driver keeps by itself. */
  times?: DriverTimes
}

export async function startApp(
  settings: Settings,
  logger: FastifyBaseLogger,
  parts: AppParts = {},
): Promise<App> {
  const clock = parts.clock ?? Date.now
  await prepareDirectory(settings.DATA_DIR)
  const outbound = await openOutbound(settings, parts.resolver)
  const operator = await operatorKey(settings.DATA_DIR, settings.OPERATOR_KEY)
  const metrics: Metrics = createMetrics({
    queued: () => queueDepth(store.db),
    waitingDeliveries: () => countWaitingDeliveries(store.db),
  })
  const opened = await openStore(settings, metrics, logger)
  const store = parts.wrapStore?.(opened) ?? opened
  const started: { stop(): Promise<void> }[] = []
  try {
    const { vault, newKey } = await unlock(settings, opened, clock)
    const common = { store, vault, clock, logger: logger as Logger }
    const { times = {}, wrapNetwork } = parts
    const attached: AttachedNetwork | undefined = parts.createSessions
      ? undefined
      : await attachNetwork(settings, { ...common, media: createMediaSource(outbound), times, wrapNetwork })
    if (attached) started.push(attached)
    const webhooks = attachWebhooks({ ...common, outbound, metrics })
    const sessions = attached?.sessions ?? (parts.createSessions as (store: Store) => LiveSessions)(store)
    const keeping = attachFiles(settings, common, sessions)
    started.push(webhooks, keeping)
    const deps: Deps = {
      ...common,
      ...webhooks,
      sessions,
      files: keeping.files,
      judgeUrl: judgeBy(outbound),
      wakeSending: attached?.wakeSending ?? (() => undefined),
      outcomes: createOutcomeWatch({ store }),
    }
    const listening = await listen(settings, logger, deps, metrics, operator.text, attached?.sandbox)
    const network = attached ?? { stop: sessions.close }
    const housekeeping = startHousekeeping(store, clock, logger)
    const stop = once(async () => {
      await Promise.all([listening, webhooks, keeping].map((part) => part.stop()))
      for (const part of [network, housekeeping]) await part.stop()
      for (const part of [outbound, opened]) await part.close()
    })
    return {
      url: listening.url,
      store: opened,
      operatorKey: operator.text,
      operatorKeyIsNew: operator.isNew,
      firstKey: newKey,
      stop,
    }
  } catch (error) {
    for (const part of started.toReversed()) await part.stop()
    await opened.close()
    throw error
  }
}

/** Opens the vault, and makes the first account and its key where there is none. */
async function unlock(settings: Settings, store: Store, clock: () => number) {
  const sealedBefore = await hasMasterKeyMark(store.db)
  const master = await masterKey(settings.DATA_DIR, settings.MASTER_KEY, sealedBefore)
  const vault = await openVault(store.db, master).catch(refuseWrongMasterKey)
  const { newKey } = await bootstrap({ store, clock }, settings.API_KEY, (key) =>
    writeSecret(join(settings.DATA_DIR, FIRST_KEY_FILE), key, 'replace'),
  )
  return { vault, newKey }
}

async function openStore(settings: Settings, metrics: Metrics, logger: FastifyBaseLogger): Promise<Store> {
  const hooks = {
    onCommit: metrics.observeCommit,
    onFatal: (err: Error) => logger.fatal({ err }, 'the store is gone'),
  }
  return settings.DATABASE_URL === undefined
    ? openSqliteStore(settings.DATA_DIR, hooks)
    : openPostgresStore(settings.DATABASE_URL, hooks).catch(nameDatabaseUrl)
}

/** No server there, no such database, or not for this user: all are answered by looking at one setting. */
function nameDatabaseUrl(error: unknown): never {
  const code = error instanceof StoreError ? (error.cause as { code?: string } | undefined)?.code : undefined
  if (error instanceof StoreError && (error.kind === 'unavailable' || /^(28|3D)/.test(code ?? ''))) {
    throw new StoreError(error.kind, `DATABASE_URL: the database cannot be reached: ${error.message}`, error)
  }
  throw error
}

async function openOutbound(settings: Settings, resolver: Resolve | undefined): Promise<Outbound> {
  const extraCa =
    settings.EXTRA_CA_FILE === undefined ? [] : await readExtraCa(settings.EXTRA_CA_FILE).catch(refuseCa)
  return createOutbound({
    allowTargets: settings.ALLOW_TARGETS ?? [],
    extraCa,
    directory: join(settings.DATA_DIR, 'media'),
    ...(resolver ? { resolver } : {}),
    ownUrls: settings.PUBLIC_URL === undefined ? [] : [settings.PUBLIC_URL],
  })
}

function refuseCa(error: Error): never {
  throw new SettingsError([`EXTRA_CA_FILE: ${error.message}`])
}

/** The rules know the guarded client by this one question. */
const judgeBy =
  (outbound: Outbound): JudgeUrl =>
  (text, purpose) => {
    const target = outbound.check(text, purpose)
    return target instanceof TargetRefused ? { refused: target.message } : { href: target.url.href }
  }

function refuseWrongMasterKey(error: unknown): never {
  if (error instanceof WrongMasterKeyError) {
    throw new SettingsError([`MASTER_KEY: ${error.message}; set the key that was used before`])
  }
  throw error
}

async function listen(
  settings: Settings,
  logger: FastifyBaseLogger,
  deps: Deps,
  metrics: Metrics,
  operator: string,
  sandbox: SandboxLink | undefined,
): Promise<{ url: string; stop(): Promise<void> }> {
  const table: Route[] = Object.values(routes)
  const keyUses = createKeyUses(
    (uses) => touchApiKeys(deps.store.db, uses),
    deps.clock,
    (err) => logger.warn({ err }, 'the last use of keys was not written'),
  )
  const signIns = createSignIns(await deps.vault.box(deps.store.db, SIGN_IN_SCOPE), deps.clock)
  const auth = createAuth({
    findCaller: (key) => findCaller(deps, key),
    findCallerByHash: (hash) => findCallerByHash(deps, hash),
    operatorKey: operator,
    signIns,
    clock: deps.clock,
    onUse: keyUses.note,
  })
  const dashboard = openDashboard(DASHBOARD_DIRECTORY)
  const feed = createEventFeed(deps.store)
  const session = sessionHandlers({
    auth,
    signIns,
    network: settings.NETWORK,
    publicUrl: settings.PUBLIC_URL,
  })
  const server = createServer({
    routes: table,
    handlers: { ...handlersOf(deps, feed, metrics, sandbox), ...session },
    auth,
    clock: deps.clock,
    requestsPerSecond: settings.RATE_LIMIT,
    sendPage: dashboard.sendPage,
    logger,
    onRequestDone: metrics.observeRequest,
  })
  if (sandbox) addSandboxProxy(server, { auth, ...worldOf(deps, sandbox) })
  await dashboard.addTo(server)
  const documented = sandbox ? [...table, ...Object.values<Route>(sandboxRoutes)] : table
  await addReference(server, buildOpenApi(documented, settings.PUBLIC_URL ?? '/'))
  const url = await server.listen({ host: settings.HOST, port: settings.PORT }).catch((error: unknown) => {
    throw nameAddress(settings, error)
  })
  return {
    url,
    async stop() {
      deps.outcomes.stop()
      const cut = setTimeout(() => server.server.closeAllConnections(), CUT_MS)
      await server.close().finally(() => clearTimeout(cut))
      feed.stop()
      await keyUses.stop()
    },
  }
}

function handlersOf(
  deps: Deps,
  feed: EventFeed,
  metrics: Metrics,
  sandbox: SandboxLink | undefined,
): Omit<Handlers, SessionRouteId> {
  return {
    ...sendingHandlers(deps),
    ...messageHandlers(deps),
    ...instanceReadHandlers(deps),
    ...instanceHandlers(deps),
    ...imageHandlers(deps),
    ...contactHandlers(deps),
    ...accountHandlers(deps),
    ...webhookHandlers(deps),
    ...deliveryHandlers(deps),
    ...eventHandlers(deps, feed),
    ...adminHandlers(deps),
    ...systemHandlers({ checks: checksOf(deps, sandbox), readMetrics: metrics.read }),
  }
}

const worldOf = (deps: Deps, sandbox: SandboxLink): Omit<SandboxProxyDeps, 'auth'> => ({
  forward: sandbox.forward,
  loginCode: async (request, name) => (await loginQr(deps, request.caller as Caller, name)).code,
  untilLoggedIn: (request, name) => untilLoggedIn(deps, request.caller as Caller, name),
})

const checksOf = ({ store }: Deps, sandbox: SandboxLink | undefined) => ({
  store: () => store.check(),
  ...(sandbox ? { sandbox: sandbox.check } : {}),
})

const LISTEN_FAULTS: Record<string, (settings: Settings) => string> = {
  EADDRINUSE: ({ HOST, PORT }) => `PORT: ${HOST}:${PORT} is in use by another process`,
  EACCES: ({ HOST, PORT }) => `PORT: this user may not listen on ${HOST}:${PORT}`,
  EADDRNOTAVAIL: ({ HOST }) => `HOST: ${HOST} is no address of this machine`,
  ENOTFOUND: ({ HOST }) => `HOST: ${HOST} is unknown`,
}

function nameAddress(settings: Settings, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException
  return new Error(LISTEN_FAULTS[code ?? '']?.(settings) ?? message, { cause })
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
