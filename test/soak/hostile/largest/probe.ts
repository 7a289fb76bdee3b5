// A gateway on the sandbox network that gets one large frame after the other, and what each costs: the store, events, and for a few of
// them together, the CPU time of one turn of the event loop and memory.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '../../../support/database.ts'
import type { Engine, StoreLocation } from '../../../support/engines.ts'
import type { Gauged, GaugeQuestion } from '../../../support/gauged-server.ts'
import { get, post } from '../../../support/started.ts'
import { startWebHost } from '../../../support/web-host.ts'
import { makeGroup, openStage, pairAll, type Stage } from '../../stage.ts'
import { type HostileFrame, personWith, type Scene } from '../scene.ts'
import { framesOf, type LargeCase } from './cases.ts'
import type { Stage as CaseStage } from './crafted.ts'

const GAUGED_SERVER = fileURLToPath(new URL('../../../support/gauged-server.ts', import.meta.url))
const TARGET = '5511972000001'
const ATTACKERS = ['5511992000001', '5511992000002']
const [ATTACKER, HONEST] = ATTACKERS as [string, string]
const SEED = 1
const STUCK_MS = 180_000
/** Collections follow each other closely then, and none of the memory between two of them is overlooked. */
const SMALL_YOUNG_GENERATION = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=1' }

export interface PostedEvent {
  event: string
  bytes: number
  data: { messageId?: string; type?: string; text?: string | null; content?: Record<string, unknown> }
}

export interface CaseCost {
  /** Of the content of its frames, before compression. */
  sentBytes: number
  storedBytes: number
  events: PostedEvent[]
}

export interface BatchCost extends Gauged {
  costs: CaseCost[]
}

export interface Probe {
  /** One after the other. With `exactMemory` the CPU time says nothing. */
  costOf(cases: readonly LargeCase[], options?: { exactMemory: boolean }): Promise<BatchCost>
  end(): Promise<void>
}

export async function openProbe(engine: Pick<Engine, 'createLocation'>): Promise<Probe> {
  const stage = await openStage(engine, [TARGET], SEED, {
    main: GAUGED_SERVER,
    environment: SMALL_YOUNG_GENERATION,
  })
  const receiver = await openReceiver()
  const end = async () => {
    await stage.end()
    await receiver.close()
  }
  try {
    for (const number of ATTACKERS) await stage.world.phone(number, `Phone ${number.slice(-4)}`)
    await pairAll(stage)
    const { gateway } = stage
    assert.ok(gateway)
    const made = await post(gateway, '/webhooks', { url: receiver.url })
    assert.equal(made.status, 200, await made.text())
    const scene: Scene = {
      target: personWith(TARGET),
      attackers: [personWith(ATTACKER)],
      groups: [await makeGroup(stage, TARGET, ATTACKERS)],
      mediaHost: new URL(stage.world.sandbox.url).host,
      sent: [],
    }
    const database = await openDatabase(stage.storeLocation)
    const probe = createProbe({ stage, scene, receiver, database })
    return {
      ...probe,
      async end() {
        await database.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

interface ProbeParts {
  stage: Stage
  scene: Scene
  receiver: Receiver
  database: Database
}

function createProbe({ stage, scene, receiver, database }: ProbeParts): Pick<Probe, 'costOf'> {
  const { storeLocation } = stage
  let markers = 0

  async function inject(frames: readonly HostileFrame[]): Promise<void> {
    for (const { bytes, ...frame } of frames)
      await stage.world.post('/injections', {
        number: TARGET,
        frames: [{ ...frame, bytes: bytes.toString('base64') }],
      })
  }
  /** An honest message after everything before it: once it is reported, the rest is too. */
  async function settle(): Promise<void> {
    const text = `marker ${(markers += 1)}`
    const seen = receiver.next(({ data }) => data.text === text)
    await stage.world.send(HONEST, { to: TARGET, text })
    await orDead(stage, seen, text)
  }
  const caseStage: CaseStage = {
    scene,
    inject,
    async sent(frame) {
      const reported = receiver.next(({ event, data }) => event === 'messages.upsert' && !isMarker(data.text))
      await inject([frame])
      const { data } = await orDead(stage, reported, 'the message that others refer to')
      return data.messageId ?? ''
    },
    get(path) {
      assert.ok(stage.gateway)
      return get(stage.gateway, `/api/v1${path}?instanceName=${stage.instanceNames.get(TARGET)}`)
    },
  }
  async function costOfCase(each: LargeCase, frames: readonly HostileFrame[]): Promise<CaseCost> {
    receiver.events.splice(0)
    const before = await storedBytes(database, storeLocation)
    await inject(frames)
    await settle()
    await each.follow?.(caseStage)
    return {
      sentBytes: each.sizeBytes ?? frames.reduce((sum, { bytes }) => sum + bytes.length, 0),
      storedBytes: Math.max(0, (await storedBytes(database, storeLocation)) - before),
      events: receiver.events.filter(({ data }) => !isMarker(data.text)),
    }
  }
  return {
    async costOf(cases, { exactMemory } = { exactMemory: false }) {
      const prepared: { each: LargeCase; frames: HostileFrame[] }[] = []
      for (const each of cases) prepared.push({ each, frames: await framesOf(each, caseStage) })
      await settle()
      await ask(stage, exactMemory ? 'begin-exactly' : 'begin')
      const costs: CaseCost[] = []
      for (const { each, frames } of prepared) costs.push(await costOfCase(each, frames))
      return { ...((await ask(stage, 'end')) as Gauged), costs }
    },
  }
}

/** The gateway has ended, or does not get on. */
export class LostGateway extends Error {}

const isMarker = (text: string | null | undefined): boolean => text?.startsWith('marker ') ?? false

async function orDead<T>({ gateway }: Stage, awaited: Promise<T>, what: string): Promise<T> {
  const late = new AbortController()
  const stuck = once(AbortSignal.any([AbortSignal.timeout(STUCK_MS), late.signal]), 'abort').then(() => {
    throw new LostGateway(`not reported in time: ${what}`)
  })
  stuck.catch(() => undefined)
  const died = gateway?.exited.then(({ code, signal }) => {
    throw new LostGateway(`the gateway ended with ${code ?? signal}: ${gateway.stderr().slice(-2000)}`)
  })
  died?.catch(() => undefined)
  try {
    return await Promise.race([awaited, stuck, ...(died ? [died] : [])])
  } finally {
    late.abort()
  }
}

async function ask(stage: Stage, question: GaugeQuestion): Promise<unknown> {
  const child = stage.gateway?.child
  assert.ok(child)
  const answer = once(child, 'message')
  child.send(question)
  const [said] = await orDead(stage, answer, 'what it has cost')
  return said
}

const SIZE_IN_SQLITE =
  'select (page_count - freelist_count) * page_size as size from pragma_page_count, pragma_freelist_count, pragma_page_size'
const SIZE_IN_POSTGRES = 'select pg_database_size(current_database())::float8 as size'

async function storedBytes(database: Database, { databaseUrl }: StoreLocation): Promise<number> {
  const [row] = await database.rows<{ size: number }>(
    databaseUrl === undefined ? SIZE_IN_SQLITE : SIZE_IN_POSTGRES,
  )
  return row?.size ?? 0
}

type Receiver = Awaited<ReturnType<typeof openReceiver>>

async function openReceiver() {
  const events: PostedEvent[] = []
  const waiting = new Set<(event: PostedEvent) => void>()
  const host = await startWebHost(
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.end('ok')
        const body = Buffer.concat(chunks)
        const { event, data } = JSON.parse(body.toString()) as Omit<PostedEvent, 'bytes'>
        const posted = { event, data, bytes: body.length }
        events.push(posted)
        for (const check of waiting) check(posted)
      })
    },
    { tls: 'trusted' },
  )
  return {
    events,
    url: `${host.url}/hook`,
    close: host.close,
    /** The next event that fits. */
    next: (fits: (event: PostedEvent) => boolean): Promise<PostedEvent> =>
      new Promise((resolve) => {
        const check = (event: PostedEvent) => {
          if (!fits(event)) return
          waiting.delete(check)
          resolve(event)
        }
        waiting.add(check)
      }),
  }
}
