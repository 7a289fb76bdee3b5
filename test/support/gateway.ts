// A real listening gateway for tests, one per engine and process; each test creates its own accounts.
import assert from 'node:assert/strict'
import { after, describe } from 'node:test'
import { pino } from 'pino'
import type { z } from 'zod'
import type { ReplacedParts } from '../../src/app/replaced-parts.ts'
import { type App, startApp } from '../../src/app/start.ts'
import { readSettings } from '../../src/config.ts'
import { type DeclaredReason, statusOf } from '../../src/contract/reasons.ts'
import {
  ErrorBody,
  fullPath,
  isFileAnswer,
  isStreamAnswer,
  type Route,
  reasonsOf,
} from '../../src/contract/route.ts'
import { type RouteId, routes } from '../../src/contract/routes.ts'
import type { Store } from '../../src/store/store.ts'
import { endpointEngines, everyEngine } from './behaviour-engines.ts'
import { AUTHORITY_FILE } from './certificates.ts'
import { coverage } from './contract-coverage.ts'
import type { Engine, StoreLocation } from './engines.ts'
import { RECEIVER_HOST } from './receiver.ts'
import { createScriptedSessions, type ScriptedSessions } from './scripted-sessions.ts'

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON body; undefined for files. */
  json: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
  bytes: Buffer
}

export interface CallInput {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: unknown
  /** Instead of `body`: the bytes of an upload. */
  upload?: Uint8Array
  headers?: Record<string, string>
  /** Null: no Authorization header. */
  key?: string | null
}

export interface Account {
  id: number
  planId: number
  key: string
  call(id: RouteId, input?: CallInput): Promise<Answer>
}

export interface Gateway {
  engine: Engine['name']
  app: App
  url: string
  store: Store
  sessions: ScriptedSessions
  clock: {
    now: () => number
    advance(ms: number): void
    /** From now on only `advance` moves it. */
    freeze(): void
    /** It runs again, and has the time that passed meanwhile. */
    thaw(): void
  }
  /** Calls any route with the operator's key by default, and checks the answer against the contract. */
  call(id: RouteId, input?: CallInput): Promise<Answer>
  account(plan?: Record<string, unknown>, subscription?: Record<string, unknown>): Promise<Account>
  /** An instance that is logged in and open; returns its API name and id. */
  openInstance(account: Account, number?: string): Promise<{ name: string; id: number }>
  stop(): Promise<void>
}

export async function startGateway(
  engine: Engine,
  environment: Record<string, string> = {},
  parts: Omit<ReplacedParts, 'createSessions' | 'clock'> = {},
  storeLocation?: StoreLocation,
): Promise<Gateway> {
  const at = storeLocation ?? (await engine.createLocation())
  let offset = 0
  let frozenAt: number | undefined
  const now = () => (frozenAt ?? Date.now()) + offset
  let sessions: ScriptedSessions | undefined
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: at.directory,
    DATABASE_URL: at.databaseUrl,
    RATE_LIMIT: '0',
    ALLOW_TARGETS: RECEIVER_HOST,
    EXTRA_CA_FILE: AUTHORITY_FILE,
    ...environment,
  })
  const app = await startApp(settings, pino({ level: 'silent' }), {
    resolver: resolveForTests,
    ...parts,
    clock: now,
    createSessions: (store) => {
      sessions = createScriptedSessions(store)
      return sessions
    },
  })
  const call = (id: RouteId, input: CallInput = {}) =>
    callRoute(app.url, id, { key: app.operatorKey, ...input })
  const gateway: Gateway = {
    engine: engine.name,
    app,
    url: app.url,
    store: app.store,
    sessions: sessions as unknown as ScriptedSessions,
    clock: {
      now,
      advance: (ms) => void (offset += ms),
      freeze: () => void (frozenAt = Date.now()),
      thaw: () => void (frozenAt = undefined),
    },
    call,
    account: (plan, subscription) => makeAccount(app.url, call, plan, subscription),
    openInstance: (account, number = randomNumber()) => makeOpenInstance(gateway, account, number),
    async stop() {
      await app.stop()
      await at.dispose()
    },
  }
  return gateway
}

/** Names lead nowhere but to our own receivers: nothing that a test makes up is ever posted to a real host. */
const resolveForTests = async (hostname: string): Promise<string[]> => {
  if (hostname === RECEIVER_HOST) return ['127.0.0.1']
  throw new Error('no such name')
}

const shared = new Map<string, Promise<Gateway>>()
after(async () => {
  for (const gateway of shared.values()) await (await gateway).stop()
})

/** Declares the tests of one endpoint, on the shared gateway of an engine. */
export function contract(
  name: string,
  declare: (gateway: () => Promise<Gateway>) => void,
  on: Engine[] = endpointEngines(name),
): void {
  for (const endpoint of name.split(', ')) coverage.declared.add(endpoint)
  for (const engine of on) {
    describe(`${name} on ${engine.name}`, () => {
      declare(() => {
        const running = shared.get(engine.name) ?? startGateway(engine)
        shared.set(engine.name, running)
        return running
      })
    })
  }
}

/** For an endpoint with concurrent calls for the same rows, or with nodes: there the engines differ. */
export const contractOnEachEngine = (
  name: string,
  declare: (gateway: () => Promise<Gateway>) => void,
): void => contract(name, declare, everyEngine)

let numbers = 0
export const randomNumber = (): string => `55119${String(10_000_000 + ((numbers += 1) % 90_000_000))}`

async function makeAccount(
  url: string,
  call: Gateway['call'],
  plan: Record<string, unknown> = {},
  subscription: Record<string, unknown> = {},
): Promise<Account> {
  const made = await call('adminCreatePlan', { body: { name: 'Test', ...plan } })
  const planId: number = made.json.plan.id
  const created = await call('adminCreateAccount', { body: { name: 'Test', planId, ...subscription } })
  assert.equal(created.status, 200, JSON.stringify(created.json))
  const key: string = created.json.key
  return {
    id: created.json.account.id,
    planId,
    key,
    call: (id, input = {}) => callRoute(url, id, { key, ...input }),
  }
}

async function makeOpenInstance(gateway: Gateway, account: Account, number: string) {
  const created = await account.call('createInstance', { body: { instanceName: 'Support' } })
  assert.equal(created.status, 200, JSON.stringify(created.json))
  const { id, apiInstanceName } = created.json.instance
  await gateway.sessions.open(id, number)
  return { name: apiInstanceName as string, id: id as number }
}

/** Calls a route as a client would, records the status, and checks the answer against the contract. */
export async function callRoute(baseUrl: string, id: RouteId, input: CallInput): Promise<Answer> {
  const answer = await requestRoute(baseUrl, id, input)
  noteAnswer(id, answer)
  return answer
}

/** Calls a route without recording its status: a status that only a random request has shown is not covered. */
export async function callUnrecorded(baseUrl: string, id: RouteId, input: CallInput): Promise<Answer> {
  const answer = await requestRoute(baseUrl, id, input)
  checkAnswer(routes[id], answer)
  return answer
}

async function requestRoute(baseUrl: string, id: RouteId, input: CallInput): Promise<Answer> {
  const route: Route = routes[id]
  const path = fullPath(route).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  )
  const url = new URL(path, baseUrl)
  for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, String(value))
  const response = await fetch(url, {
    method: route.method,
    headers: {
      ...(input.key ? { authorization: `Bearer ${input.key}` } : {}),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(input.upload ? { 'content-type': 'image/png' } : {}),
      ...input.headers,
    },
    ...(input.body === undefined ? {} : { body: bodyOf(input.body) }),
    ...(input.upload ? { body: new Uint8Array(input.upload) } : {}),
  })
  const bytes =
    isStreamAnswer(route.answer) && response.status === 200
      ? await firstChunk(response)
      : Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
    bytes,
  }
}

/** Text and bytes are sent as they are. */
const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body)

/** A stream has no end of its own: its beginning is enough to judge it. */
async function firstChunk(response: Response): Promise<Buffer> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? [])
}

/** Notes what was seen of a route and holds it against the contract; for answers that came over a bare socket. */
export function noteAnswer(id: RouteId, answer: Answer): void {
  coverage.seen.add(`${id} ${answer.status}`)
  if (answer.status !== 200) coverage.seen.add(`${id} ${answer.status} ${answer.json?.reason}`)
  checkAnswer(routes[id], answer)
}

/** The answer's status is declared, its body fits the schema, and no field stands in it that the schema does not know. */
function checkAnswer(route: Route, answer: Answer): void {
  if (answer.status === 200) {
    if (isFileAnswer(route.answer) || isStreamAnswer(route.answer)) {
      const type = answer.headers.get('content-type')?.split(';')[0]
      const isDeclared = route.answer.contentTypes.some((each) => each === '*/*' || each === type)
      assert.ok(isDeclared, `${route.id} answered with ${type}`)
      return
    }
    checkSchema(route.id, route.answer, answer.json)
    return
  }
  checkSchema(route.id, ErrorBody, answer.json)
  const reason: DeclaredReason = answer.json.reason
  assert.ok(reasonsOf(route).includes(reason), `${route.id} does not declare ${answer.status} ${reason}`)
  assert.equal(statusOf(reason), answer.status)
}

function checkSchema(id: string, schema: z.ZodType, value: unknown): void {
  const parsed = schema.safeParse(value)
  assert.ok(parsed.success, `${id}: ${JSON.stringify(parsed.error?.issues)} in ${JSON.stringify(value)}`)
  assert.deepEqual(parsed.data, value, `${id} answered with a field that its schema does not know`)
}
