// Composes the sandbox: state, servers and API.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveApi } from './api/serve-api.ts'
import { createCalls } from './model/calls.ts'
import { createChanges } from './model/changes.ts'
import type { Log } from './model/log.ts'
import { noFaults } from './network/fault-state.ts'
import { noCeremonies } from './network/passkey-ceremonies.ts'
import { DEFAULT_LIMITS, type SandboxLimits } from './network/sandbox-state.ts'
import { createPhone } from './phones/create-phone.ts'
import type { StateWithPhones } from './phones/phone.ts'
import { addressOf, createHttpServer, type TlsFiles } from './server/http-server.ts'
import { serveMedia } from './server/media-routes.ts'
import { SOCKET_PATH, serveSockets } from './server/serve-sockets.ts'
import { serveVersionPage } from './server/version-page.ts'
import { type Database, openDatabase } from './store/database.ts'
import { readSetting, writeSetting } from './store/documents.ts'
import { loadWorld, reloadWorld } from './store/load-world.ts'
import { openMediaStore } from './store/media-store.ts'
import { type Certificates, createCertificates } from './wire/certificates.ts'

export interface SandboxOptions {
  host: string
  port: number
  /** Without it the world is kept in memory and ends with the process. */
  dataDir: string | undefined
  apiKey: string
  tls: TlsFiles | undefined
  log: Log
  limits?: Partial<SandboxLimits>
  /** For tests that simulate a full disk. */
  wrapDatabase?: (database: Database) => Database
}

export interface Sandbox {
  /** The URL that clients of the protocol connect to. */
  wsUrl: string
  /** The base URL of `/sandbox/v1`. */
  url: string
  /** The key that clients have to trust, in hexadecimal. */
  rootPublicKey: string
  stop(): Promise<void>
}

/** The delay after which phones read their queues again when a write has failed. */
const RETRY_MS = 1000

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const directory = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'sandbox-')))
  await mkdir(directory, { recursive: true })
  const opened = openDatabase(options.dataDir === undefined ? ':memory:' : join(directory, 'sandbox.db'))
  const database = options.wrapDatabase?.(opened) ?? opened
  const state = await createState(options, database, join(directory, 'media'))
  const recovery = recoverAfterFailures(state)
  const app = await createHttpServer(options.tls)
  const sockets = serveSockets(app, state)
  const address = () => addressOf(app, options.host)
  const scheme = options.tls ? 's' : ''
  const wsUrl = () => `ws${scheme}://${address()}${SOCKET_PATH}`
  serveMedia(app, state.media)
  serveVersionPage(app, state.world)
  serveApi(app, state, { apiKey: options.apiKey, wsUrl, mediaHost: address })
  await app.listen({ host: options.host, port: options.port })
  for (const phone of state.phones.values()) phone.receiveQueued()
  return {
    wsUrl: wsUrl(),
    url: `http${scheme}://${address()}`,
    rootPublicKey: state.certificates.rootPublicKey.toString('hex'),
    async stop() {
      recovery.stop()
      state.calls.stop()
      for (const socket of sockets.clients) socket.close(1001)
      sockets.close()
      await app.close()
      for (const socket of sockets.clients) socket.terminate()
      // Phones finish the work in progress. Stanzas that they have not started stay in their queues.
      await Promise.all([...state.phones.values()].map((phone) => phone.stop()))
      await state.database.committed().catch(() => undefined)
      database.close()
      if (options.dataDir === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

async function createState(
  options: SandboxOptions,
  database: Database,
  mediaDirectory: string,
): Promise<StateWithPhones> {
  const certificates = persisted<Certificates>(database, 'certificates', () => createCertificates(Date.now()))
  const uploadToken = persisted(database, 'uploadToken', () => randomBytes(24).toString('base64url'))
  await database.committed()
  const state: StateWithPhones = {
    log: options.log,
    database,
    world: loadWorld(database),
    certificates,
    media: await openMediaStore(mediaDirectory, uploadToken),
    faults: noFaults(),
    changes: createChanges(),
    calls: createCalls(),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    phones: new Map(),
    online: new Map(),
    qrReferences: new Map(),
    codeRequests: new Map(),
    ceremonies: noCeremonies(),
    groupQueries: new Map(),
  }
  for (const account of state.world.accounts.values())
    state.phones.set(account.number, createPhone(state, account))
  return state
}

/** After a rollback the world is read again from the database, and phones process their queues again. */
function recoverAfterFailures(state: StateWithPhones): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  state.database.onRollback(() => {
    reloadWorld(state.world, state.database)
    for (const [number, phone] of state.phones) {
      if (state.world.accounts.has(number)) phone.signal.keys.invalidate()
      else state.phones.delete(number)
    }
    timer ??= setTimeout(() => {
      timer = undefined
      for (const phone of state.phones.values()) phone.receiveQueued()
    }, RETRY_MS)
  })
  return { stop: () => clearTimeout(timer) }
}

/** Returns the stored setting, or creates and stores it. Clients must be able to trust the same root after a restart. */
function persisted<T>(database: Database, name: string, create: () => T): T {
  const known = readSetting(database, name) as T | undefined
  if (known !== undefined) return known
  const created = create()
  writeSetting(database, name, created)
  return created
}
