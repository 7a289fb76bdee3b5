// The stage of a kill test: a sandbox network in its own process as the judge, a gateway that is killed and restarted, and
// writers on both sides that record every message they wrote.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'
import { answers } from '../../src/contract/sandbox-world.ts'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { World } from '../sandbox/support/world.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { withDatabase } from '../support/database.ts'
import { type Engine, type StoreLocation, temporaryDirectory } from '../support/engines.ts'
import { programFile } from '../support/program.ts'
import { png } from '../support/sample-files.ts'
import { randomFrom } from '../support/seeded-random.ts'
import { get, newKey, post, type Started, startWithKey } from '../support/started.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'
import type { ExpectedMessages, FrameCursors, Remembered } from './history-check.ts'
import { openWebhookJudge, type WebhookJudge } from './webhook-judge.ts'

const FAILING_SERVER = programFile('failing-server')
const OPEN_MS = 600_000
const DRAIN_MS = 900_000
const QUERIED_AT_ONCE = 20
/**
 * With a receiver that comes and goes each life of the gateway begins so much later than the one before, as after an outage: what
 * has failed twice is due again at once. Events and sends are kept for far longer than all lives together.
 */
const OUTAGE_MS = 7 * 60_000
/** What pictures show, and what they are judged by. */
export const PICTURE = png(5, 5)

/** As the launcher of the package starts the program: without these, the allocator keeps memory that the program has returned. */
const LAUNCHED = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=4' }

export interface Stage {
  world: World
  sandboxPid: number
  /** The gateway's main file. */
  main: string
  storeLocation: StoreLocation
  random: () => number
  environment: Record<string, string>
  key: string
  /** The gateway that runs now; null between a kill and the next start. */
  gateway: Started | null
  instances: string[]
  /** By number. */
  instanceNames: Map<string, string>
  /** Groups of an instance with people, by their id. */
  groups: Map<string, { instance: string; people: string[] }>
  /** Where the gateway fetches pictures from. */
  files: WebHost
  /** The receiver of every event, where one was wanted. */
  judge: WebhookJudge | undefined
  lives: number
  expected: ExpectedMessages
  cursors: FrameCursors
  stopping: boolean
  end(): Promise<void>
}

export interface StageOptions {
  withReceiver?: boolean
  main?: string
  /** More of it, for the gateway. */
  environment?: Record<string, string>
}

export async function openStage(
  engine: Pick<Engine, 'createLocation'>,
  instances: string[],
  seed: number,
  { withReceiver = false, main = FAILING_SERVER, environment = {} }: StageOptions = {},
): Promise<Stage> {
  const storeLocation = await engine.createLocation()
  const sandboxes = new SandboxProcesses()
  const sandboxDirectory = await temporaryDirectory()
  // The sandbox does not outlive this process, however that ends.
  const { world: started, child } = await sandboxes.start({
    DATA_DIR: sandboxDirectory,
    SANDBOX_EXIT_WITH: 'stdin',
  })
  // A new connection for each call: a kept one may close during the call, and the outcome would be unknown.
  const world = new World(started.sandbox, new Agent({ pipelining: 0 }))
  const files = await startWebHost((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE)
  })
  const stage: Stage = {
    world,
    sandboxPid: child.pid as number,
    main,
    storeLocation,
    random: randomFrom(seed),
    environment: {
      ...LAUNCHED,
      SANDBOX_URL: world.sandbox.url,
      SANDBOX_KEY: World.apiKey,
      ALLOW_TARGETS: '127.0.0.1',
      EXTRA_CA_FILE: AUTHORITY_FILE,
      ...environment,
    },
    key: newKey(),
    gateway: null,
    instances,
    instanceNames: new Map(),
    groups: new Map(),
    files,
    judge: withReceiver ? await openWebhookJudge() : undefined,
    lives: 0,
    expected: { sent: [], written: [] },
    cursors: new Map(),
    stopping: false,
    async end() {
      stage.stopping = true
      await stage.gateway?.stop('SIGKILL')
      sandboxes.end()
      await files.close()
      await stage.judge?.down()
      await storeLocation.dispose()
      await rm(sandboxDirectory, { recursive: true, force: true })
    },
  }
  return stage
}

/** A running gateway whose instances are open. */
export async function pairAll(stage: Stage): Promise<void> {
  const gateway = stage.gateway ?? (await start(stage))
  await stage.judge?.register(gateway)
  for (const number of stage.instances) {
    await stage.world.phone(number, `Phone ${number.slice(-4)}`)
    const created = await post(gateway, '/instance/create', { instanceName: `Kill ${number.slice(-4)}` })
    const { instance } = (await created.json()) as { instance: { apiInstanceName: string } }
    const scanned = await fetch(`${gateway.url}/sandbox/v1/phones/${number}/scan`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ instanceName: instance.apiInstanceName }),
    })
    assert.equal(scanned.status, 200, await scanned.text())
    stage.instanceNames.set(number, instance.apiInstanceName)
  }
  await untilOpen(stage)
}

/** A group of an instance and people; returns its id. */
export async function makeGroup(stage: Stage, instance: string, people: string[]): Promise<string> {
  const { group } = answers.group.parse(
    await stage.world.post('/groups', { subject: 'Group', members: [instance, ...people], admin: people[0] }),
  )
  stage.groups.set(group.jid, { instance, people })
  return group.jid
}

export async function start(stage: Stage): Promise<Started> {
  const aheadMs = stage.judge ? OUTAGE_MS * stage.lives : 0
  const environment = { ...stage.environment, CLOCK_AHEAD_MS: String(aheadMs) }
  stage.lives += 1
  stage.gateway = await startWithKey(stage.storeLocation, stage.key, environment, stage.main)
  return stage.gateway
}

/** Lines of the log that speak of a fault. */
export const fatalLines = (gateway: Started | null): string[] =>
  (gateway?.stdout() ?? '').split('\n').filter((line) => /^\{"level":[56]0/.test(line))

async function states(gateway: Started): Promise<string[]> {
  const answer = await get(gateway, '/api/v1/instance/list')
  const { instances } = (await answer.json()) as {
    instances: { apiInstanceName: string; state: string; stateReason: string | null }[]
  }
  return instances.map(({ apiInstanceName, state, stateReason }) =>
    [apiInstanceName, state, ...(stateReason ? [stateReason] : [])].join(' '),
  )
}

/** Resolves when all instances are open again with the login they had, without a scan. */
export async function untilOpen(stage: Stage): Promise<void> {
  const { gateway } = stage
  assert.ok(gateway)
  const deadline = Date.now() + OPEN_MS
  for (;;) {
    const seen = await states(gateway)
    if (seen.length === stage.instances.length && seen.every((line) => line.endsWith(' open'))) return
    assert.ok(Date.now() < deadline, `not open again: ${seen.join(', ')}\n${gateway.stdout().slice(-3000)}`)
    await pause(20)
  }
}

/** What is written, and where: to the person unless a group is named. */
export type Written = Pick<Remembered, 'instance' | 'person' | 'count'> &
  Partial<Pick<Remembered, 'chat' | 'kind'>>

const isGroup = (chat: string): boolean => chat.endsWith('@g.us')

export interface SendAnswer {
  /** Undefined: killed before it answered. */
  status: number | undefined
  id?: string
}

/** Sends over the API; what was answered with 200 is remembered. */
export async function sendFrom(
  stage: Stage,
  { delayMs = 0, ...message }: Written & { delayMs?: number },
): Promise<SendAnswer> {
  const { instance, person, count, chat = person, kind = 'text' } = message
  const { gateway } = stage
  if (!gateway) return { status: undefined }
  const answer = await post(gateway, ...sendCall(stage, { instance, chat, kind, count, delayMs }))
    .then(async (response) => ({ status: response.status, json: await response.json() }))
    .catch(() => undefined)
  if (answer?.status !== 200) return { status: answer?.status }
  const { messageId: id } = answer.json as { messageId: string }
  const people = stage.groups.get(chat)?.people ?? [person]
  stage.expected.sent.push(...people.map((each) => ({ id, instance, person: each, chat, kind, count })))
  return { status: 200, id }
}

/** Resolves when the message is on the person's phone, or when the writers are stopping. */
export async function untilArrived(stage: Stage, person: string, id: string): Promise<void> {
  const isThere = async () =>
    (await stage.world.ask('GET', `/phones/${person}/messages/${id}?waitMs=2000`)).status === 200
  while (!stage.stopping && !(await isThere()));
}

function sendCall(
  { instanceNames, files }: Stage,
  message: Pick<Remembered, 'instance' | 'chat' | 'kind' | 'count'> & { delayMs: number },
): [path: string, body: unknown] {
  const { instance, chat, kind, count, delayMs } = message
  const common = { instanceName: instanceNames.get(instance), message: `out ${count}`, delay: delayMs }
  if (isGroup(chat)) return ['/send-group', { ...common, groupJid: chat }]
  if (kind === 'text') return ['/send/text', { ...common, number: chat }]
  return ['/send/media', { ...common, number: chat, type: kind, mediaUrl: `${files.url}/picture.png` }]
}

export async function writeFrom(stage: Stage, message: Written): Promise<void> {
  const { instance, person, count, chat = person, kind = 'text' } = message
  const to = isGroup(chat) ? chat : instance
  const text = `in ${count}`
  const media = { type: 'image', base64: PICTURE.toString('base64'), caption: text }
  const id = await stage.world.send(person, kind === 'text' ? { to, text } : { to, media })
  stage.expected.written.push({ id, instance, person, chat, kind, count })
}

/** Resolves when every message has reached the other side. The writers have stopped by then. */
export async function drain(stage: Stage, from = 0): Promise<void> {
  const { world } = stage
  const deadline = Date.now() + DRAIN_MS
  await untilNone(() => undelivered(stage), deadline, 'not taken in')
  await untilNone(() => unprocessed(stage.storeLocation), deadline, 'not made messages')
  const sent = stage.expected.sent.slice(from)
  for (let next = 0; next < sent.length; next += QUERIED_AT_ONCE) {
    await Promise.all(
      sent.slice(next, next + QUERIED_AT_ONCE).map(async ({ id, person, count, instance }) => {
        // A message whose try has failed waits for the next one, which can take longer than a request to the sandbox.
        const isThere = async () =>
          (await world.ask('GET', `/phones/${person}/messages/${id}?waitMs=20000`)).status === 200
        while (!(await isThere()))
          assert.ok(
            Date.now() < deadline,
            `${instance}'s "out ${count}" (${id}) is on the phone of ${person}`,
          )
      }),
    )
  }
  await untilNone(() => underWay(stage.storeLocation), deadline, 'still under way')
}

/** Resolves when every arrival was processed, also those that came after a drain. */
export const untilProcessed = ({ storeLocation }: Stage): Promise<void> =>
  untilNone(() => unprocessed(storeLocation), Date.now() + DRAIN_MS, 'not made messages')

async function untilNone(read: () => Promise<string[]>, deadline: number, what: string): Promise<void> {
  for (let left = await read(); left.length > 0; left = await read()) {
    assert.ok(Date.now() < deadline, `${what}: ${left.slice(0, 5).join(', ')}`)
    await pause(50)
  }
}

/** How much still waits at the network for each instance. The phones' own ticks say nothing about the gateway's device. */
async function undelivered({ world, instances }: Stage): Promise<string[]> {
  const waiting = await Promise.all(
    instances.map(async (number) => {
      const { devices } = (await world.get(`/phones/${number}`, answers.phone)).phone
      const queued = devices.reduce((sum, device) => sum + device.queued, 0)
      return queued === 0 ? [] : [`${queued} for ${number}`]
    }),
  )
  return waiting.flat()
}

const unprocessed = (storeLocation: StoreLocation): Promise<string[]> =>
  namesIn(storeLocation, 'select name from inbox where processed_at is null')

/** Receipts have come for all: the next check of the histories finds them at rest. */
const underWay = (storeLocation: StoreLocation): Promise<string[]> =>
  namesIn(
    storeLocation,
    `select id as name from messages where direction = 'outgoing' and status in ('queued', 'sending', 'sent')`,
  )

const namesIn = (storeLocation: StoreLocation, sql: string): Promise<string[]> =>
  withDatabase(storeLocation, async (database) => {
    const rows = await database.rows<{ name: string }>(sql)
    return rows.map(({ name }) => name)
  })
