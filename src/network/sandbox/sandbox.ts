/** Builds the sandbox network and hands its parts to each other. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'
import { type Certificates, createCertificates } from './certificates.ts'
import { createChanges } from './changes.ts'
import { acceptConnection } from './connection.ts'
import { DEFAULT_LIMITS, type Exchange, type Limits } from './exchange.ts'
import { noFaults } from './fault-state.ts'
import type { Log } from './log.ts'
import { serveMedia } from './media-routes.ts'
import { openMediaStore } from './media-store.ts'
import { createPhone } from './phone/phone.ts'
import { type Database, openDatabase } from './store/database.ts'
import { readSetting, writeSetting } from './store/documents.ts'
import { loadWorld } from './world.ts'
import { serveWorldApi } from './world-api/server.ts'

export type SandboxOptions = {
  host: string
  port: number
  /** Where the world lives on; without it the world ends with the process. */
  dataDir: string | undefined
  apiKey: string
  tls: { certFile: string; keyFile: string } | undefined
  log: Log
  limits?: Partial<Limits>
}

export type Sandbox = {
  /** Where clients of the protocol connect. */
  wsUrl: string
  /** Where `/sandbox/v1` is. */
  url: string
  /** Hexadecimal, as clients are told to trust it. */
  rootPublicKey: string
  stop(): Promise<void>
}

const SOCKET_PATH = '/ws/chat'
const MAX_JSON_BYTES = 150 * 1024 * 1024

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const directory = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'sandbox-')))
  await mkdir(directory, { recursive: true })
  const database = openDatabase(options.dataDir === undefined ? ':memory:' : join(directory, 'sandbox.db'))
  const exchange = await createExchange(options, database, join(directory, 'media'))
  const app = await createServer(options)
  const sockets = serveSockets(app, exchange)
  const address = () => addressOf(app, options.host)
  const scheme = options.tls ? 's' : ''
  const wsUrl = () => `ws${scheme}://${address()}${SOCKET_PATH}`
  serveMedia(app, exchange.media)
  serveWorldApi(app, exchange, { apiKey: options.apiKey, wsUrl, mediaHost: address })
  await app.listen({ host: options.host, port: options.port })
  for (const phone of exchange.phones.values()) phone.wake()
  return {
    wsUrl: wsUrl(),
    url: `http${scheme}://${address()}`,
    rootPublicKey: exchange.certificates.rootPublicKey.toString('hex'),
    async stop() {
      for (const socket of sockets.clients) socket.close(1001)
      sockets.close()
      await app.close()
      for (const socket of sockets.clients) socket.terminate()
      // What phones are at is finished and kept; what they had not begun waits in their queues.
      await Promise.all([...exchange.phones.values()].map((phone) => phone.rest()))
      await exchange.database.committed()
      database.close()
      if (options.dataDir === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

async function createExchange(
  options: SandboxOptions,
  database: Database,
  mediaDirectory: string,
): Promise<Exchange> {
  const certificates = persisted<Certificates>(database, 'certificates', () => createCertificates(Date.now()))
  const uploadToken = persisted(database, 'uploadToken', () => randomBytes(24).toString('base64url'))
  await database.committed()
  const exchange: Exchange = {
    log: options.log,
    database,
    world: loadWorld(database),
    certificates,
    media: await openMediaStore(mediaDirectory, uploadToken),
    faults: noFaults(),
    changes: createChanges(),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    phones: new Map(),
    online: new Map(),
    qrReferences: new Map(),
    codeRequests: new Map(),
  }
  for (const account of exchange.world.accounts.values())
    exchange.phones.set(account.number, createPhone(exchange, account))
  return exchange
}

/** Clients that trust the root today must trust it after a restart. */
function persisted<T>(database: Database, name: string, create: () => T): T {
  const known = readSetting(database, name) as T | undefined
  if (known !== undefined) return known
  const created = create()
  writeSetting(database, name, created)
  return created
}

async function createServer({ tls }: SandboxOptions): Promise<FastifyInstance> {
  const common = { bodyLimit: MAX_JSON_BYTES, forceCloseConnections: true } as const
  if (!tls) return fastify(common)
  const https = { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) }
  return fastify({ ...common, https })
}

function serveSockets(app: FastifyInstance, exchange: Exchange): WebSocketServer {
  const server = new WebSocketServer({ server: app.server, path: SOCKET_PATH, perMessageDeflate: false })
  server.on('connection', (socket, request) =>
    acceptConnection(exchange, socket, request.headers.host ?? 'localhost'),
  )
  return server
}

function addressOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo
  const everywhere = host === '0.0.0.0' || host === '::'
  return `${everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
}
