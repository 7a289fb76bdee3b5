// What does it cost to accept a send for good? Requests a second of `POST /send/text`, committed with fsync, against an
// authenticated and validated echo of the same body on the same server (at least 50 % on SQLite, 30 % on PostgreSQL).
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { pino } from 'pino'
import { z } from 'zod'
import { createApiKey, findCaller } from '../src/accounts/api-keys.ts'
import { createAuth } from '../src/accounts/authenticate.ts'
import { createSignIns, SIGN_IN_SCOPE } from '../src/accounts/sign-in.ts'
import type { Deps } from '../src/context.ts'
import { type Route, route } from '../src/contract/route.ts'
import { routes } from '../src/contract/routes.ts'
import { createServer } from '../src/doors/api/server.ts'
import { createMetrics } from '../src/metrics.ts'
import { createSending } from '../src/sending/accept.ts'
import { sendingHandlers } from '../src/sending/handlers.ts'
import type { ContentHold } from '../src/sending/held-content.ts'
import { createSendOutcomes } from '../src/sending/outcomes.ts'
import { makeAccount, makeInstance, times } from '../src/store/conformance/tenant.ts'
import type { Store } from '../src/store/store.ts'
import { openVault } from '../src/store/vault.ts'
import { type Engine, engines } from '../test/support/engines.ts'
import { NO_SOURCES } from '../test/support/metric-sources.ts'
import { openStore } from '../test/support/open-store.ts'
import { createScriptedSessions } from '../test/support/scripted-sessions.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { atLeast, ratioOf, record } from './report.ts'

const CONNECTIONS = 64
const WARM_UP_SECONDS = 2
const ROUND_SECONDS = 3
const ROUNDS = 2
/** Enough that none meets the cap of its queue. */
const INSTANCES = 100
const WANTED = { sqlite: 0.5, postgres: 0.3 }

const echo = route({
  ...routes.sendText,
  id: 'echo',
  path: '/echo',
  answer: z.unknown(),
}) satisfies Route

async function serve(store: Store) {
  const deps: Deps = {
    store,
    vault: await openVault(store.db, new Uint8Array(32)),
    sessions: createScriptedSessions(store),
    clock: Date.now,
    wakeSending: () => undefined,
    outcomes: createSendOutcomes({ store }),
    checkUrl: (text) => ({ href: text }),
    readReceiver: async () => '',
    readClientDocument: async () => '',
    postEvent: () => Promise.reject(new Error('nothing is posted here')),
    wakeDeliveries: () => undefined,
    files: { open: async () => null, forget: async () => undefined },
    sentMedia: () => null,
    uploads: {
      write: async () => ({ sizeBytes: 1, sha256: '' }),
      read: () => {
        throw new Error('nothing is read here')
      },
      remove: async () => undefined,
    },
    readPicture: () => Promise.reject(new Error('no picture is read here')),
    hold: { heldBy: () => null, resume: async () => false },
  }
  /** The key of this bench needs no approval. */
  const contentHold: ContentHold = {
    hold: () => Promise.reject(new Error('nothing is approved here')),
    discard: async () => undefined,
  }
  const metrics = createMetrics(NO_SOURCES)
  const { sendText } = sendingHandlers({ ...deps, sending: createSending({ ...deps, contentHold }) })
  const server = createServer({
    routes: [
      { route: routes.sendText, handle: sendText },
      { route: echo, handle: async (_context: unknown, { body }: { body: unknown }) => body },
    ],
    auth: createAuth({
      findCaller: (key) => findCaller(deps, key),
      findCallerByHash: async () => undefined,
      operatorKey: 'not used here, and long enough for one',
      signIns: createSignIns(await deps.vault.box(deps.store.db, SIGN_IN_SCOPE), deps.clock),
      clock: deps.clock,
      onUse: () => undefined,
    }),
    clock: deps.clock,
    trustedProxies: [],
    refusalOf: async () => undefined,
    noteCall: () => undefined,
    isHeld: () => false,
    requestsPerSecond: 0,
    sendPage: (reply) => reply.code(404).send(),
    logger: pino({ level: 'info', base: null }, pino.destination('/dev/null')),
    onRequestDone: metrics.observeRequest,
  })
  return { server, url: await server.listen({ host: '127.0.0.1', port: 0 }), deps }
}

async function seed(store: Store): Promise<{ accountId: number; bodies: string[] }> {
  const accountId = await makeAccount(store)
  const ids = await Promise.all(times(INSTANCES, () => makeInstance(store, accountId)))
  const rows = await store.db.selectFrom('instances').select('api_name').where('id', 'in', ids).execute()
  const bodies = rows.map(({ api_name }, index) =>
    JSON.stringify({
      instanceName: api_name,
      number: `55119${10_000_000 + index}`,
      type: 'text',
      message: 'Your order has left the house and will be with you tomorrow. 📦',
      delay: 0,
    }),
  )
  return { accountId, bodies }
}

async function order(load: ChildProcess, wanted: LoadOrder): Promise<LoadReport> {
  load.send(wanted)
  const [report] = (await once(load, 'message')) as [LoadReport]
  if (report.notOk > 0)
    throw new Error(`${report.notOk} requests to ${wanted.path} were not answered with 2xx`)
  return report
}

/** Rounds alternate, so that a machine that is busy for a while slows both alike. */
async function compare(load: ChildProcess, base: Omit<LoadOrder, 'path' | 'seconds'>) {
  const run = (path: string, seconds: number) => order(load, { ...base, path: `/api/v1${path}`, seconds })
  const reports = { echo: [] as LoadReport[], accept: [] as LoadReport[] }
  await run('/echo', WARM_UP_SECONDS)
  await run('/send/text', WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round += 1) {
    reports.echo.push(await run('/echo', ROUND_SECONDS))
    reports.accept.push(await run('/send/text', ROUND_SECONDS))
  }
  return reports
}

const mean = (reports: LoadReport[]): number =>
  reports.reduce((sum, report) => sum + report.requestsPerSecond, 0) / reports.length

async function bench(engine: Engine): Promise<boolean> {
  const storeLocation = await engine.createLocation()
  const store = await openStore(storeLocation)
  const load = fork(new URL('./load.ts', import.meta.url))
  try {
    const { server, url, deps } = await serve(store)
    const { accountId, bodies } = await seed(store)
    const { key } = await createApiKey(deps, accountId, { name: 'Bench', scopes: [], expiresAt: null })
    const reports = await compare(load, { url, key, bodies, connections: CONNECTIONS })
    await server.close()
    const ratio = mean(reports.accept) / mean(reports.echo)
    const p99Ms = Math.max(...reports.accept.map((report) => report.p99Ms))
    console.log(
      `${engine.name}: echo ${mean(reports.echo).toFixed(0)}/s, accept ${mean(reports.accept).toFixed(0)}/s ` +
        `(p99 ${p99Ms} ms), ratio ${(ratio * 100).toFixed(0)} % (wanted: ${WANTED[engine.name] * 100} %)`,
    )
    record({
      question: `requests to send accepted, ${engine.name}`,
      value: mean(reports.accept),
      unit: '/s',
      beside: { name: 'bare echo', value: mean(reports.echo) },
      ratio,
      wanted: ratioOf(atLeast(ratio, WANTED[engine.name])),
    })
    return ratio >= WANTED[engine.name]
  } finally {
    load.kill()
    await store.close()
    await storeLocation.dispose()
  }
}

const held: boolean[] = []
for (const engine of engines) held.push(await bench(engine))
process.exitCode = held.every(Boolean) ? 0 : 1
