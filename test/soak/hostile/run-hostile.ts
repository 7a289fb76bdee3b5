// Sends malformed and forged frames at every layer to instances of a real gateway, while honest people and instances write to each
// other. In the end nothing honest is lost or doubled, the process has never ended, all instances are online, and no frame has held the
// event loop for longer than 200 ms.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { answers } from '../../../src/contract/sandbox-world.ts'
import type { Engine } from '../../support/engines.ts'
import { checkHonest } from '../history-check.ts'
import { judgeLevel, type Sample } from '../level.ts'
import { startWriters } from '../session-kills.ts'
import {
  drain,
  makeGroup,
  openStage,
  PICTURE,
  pairAll,
  type Stage,
  untilOpen,
  untilProcessed,
} from '../stage.ts'
import { type Generated, generate, type LayerName } from './layers.ts'
import { type Random, randomFrom } from './random.ts'
import { type HostileFrame, personWith, type Scene } from './scene.ts'
import { openStallWatch, type Stalls, type StallWatch } from './stalls.ts'

const WATCHED_SERVER = fileURLToPath(new URL('../../support/watched-server.ts', import.meta.url))
/** Of the instances: the last one is not attacked. */
const FIRST_INSTANCE = 5511971000001
const HONEST = ['5511981000001', '5511981000002']
const ATTACKERS = ['5511991000001', '5511991000002', '5511991000003']
const BATCH_FRAMES = 100
/** Of base64 text. */
const REQUEST_BYTES = 500_000
const WRITER_PAUSE_MS = 1500
/** The attacker does not run further ahead of the gateway than this. */
const MAX_QUEUED = 150
/** Longer than any request or answer may take. */
const STUCK_MS = 180_000
/** Longer than the longest pause between two attempts to connect. */
const OFFLINE_MS = 10 * 60_000
/** Receipts are acknowledged even if no message is: progress alone does not show that the instance receives. */
const SETTLE_MS = 20 * 60_000
export const MAX_STALL_MS = 200
/** A flood of large frames takes more memory than everyday use; a container with the limit of the chart, 1 GiB, must survive it. */
const MAX_RSS_MB = 800
const SAY_EVERY = 10_000
/** Below this count the memory of a run says nothing. */
const LEVEL_FRAMES = 50_000

export interface HostileRun {
  engine: Pick<Engine, 'createLocation'>
  frames: number
  seed: number
  /**
   * Instances that are attacked at the same time, one by default. A frame that breaks the connection costs seconds until the next
   * attempt to connect, so several fill the time that one spends waiting.
   */
  targets?: number | undefined
  /** All by default. */
  layers?: readonly LayerName[] | undefined
  say(line: string): void
}

export interface HostileOutcome {
  counts: Record<string, number>
  /** Batches in which the event loop worked for longer than `MAX_STALL_MS` in one piece. */
  stalls: string[]
  /** What was not level. */
  faults: string[]
}

interface Target {
  number: string
  scene: Scene
  random: Random
}

interface Attack {
  layers?: readonly LayerName[] | undefined
  stage: Stage
  targets: Target[]
  /** Frames that had a receiver. */
  sent: number
  watch: StallWatch
  outcome: HostileOutcome
  worst: Stalls
  samples: Sample[]
  startedAt: number
}

export async function runHostile({ engine, seed, say, ...run }: HostileRun): Promise<HostileOutcome> {
  say(`HOSTILE_SEED=${seed}`)
  const { frames, layers, targets: count = 1 } = run
  const numbers = Array.from({ length: count + 1 }, (_, index) => String(FIRST_INSTANCE + index))
  const stage = await openStage(engine, numbers, seed, { main: WATCHED_SERVER })
  const watch = openStallWatch()
  let writers: Promise<void>[] = []
  try {
    for (const number of [...HONEST, ...ATTACKERS])
      await stage.world.phone(number, `Phone ${number.slice(-4)}`)
    await pairAll(stage)
    const targets: Target[] = []
    for (const [index, number] of numbers.slice(0, count).entries())
      targets.push(await targetFor(stage, number, seed + index))
    const attack = { ...prepare(stage, targets, watch), layers }
    await watch.read(gatewayOf(stage).child)
    writers = startWriters(stage, HONEST, WRITER_PAUSE_MS * count)
    const attacks = targets.map((target) => attackUntil(attack, target, frames, say))
    // A writer that fails ends the run.
    await Promise.race([Promise.all(attacks), Promise.all(writers), died(stage)])
    stage.stopping = true
    await Promise.all(writers)
    await untilOpen(stage)
    await drain(stage)
    // Phones answer requests to repeat a message after the last honest one.
    await untilProcessed(stage)
    const honest = await checkHonest(
      stage.storeLocation,
      stage.world,
      stage.expected,
      new Set(HONEST),
      PICTURE,
    )
    report(attack, say)
    say(`${honest.received} honest messages received and ${honest.sent} sent`)
    return attack.outcome
  } finally {
    stage.stopping = true
    await Promise.allSettled(writers)
    watch.end()
    await stage.end()
  }
}

function gatewayOf({ gateway }: Stage) {
  assert.ok(gateway, 'the gateway runs')
  return gateway
}

async function died(stage: Stage): Promise<never> {
  const gateway = gatewayOf(stage)
  const { code, signal } = await gateway.exited
  if (stage.stopping) return new Promise(() => undefined)
  throw new Error(
    `the gateway ended with ${code ?? signal}:\n${gateway.stdout().slice(-1500)}\n${gateway.stderr().slice(-3000)}`,
  )
}

async function targetFor(stage: Stage, number: string, seed: number): Promise<Target> {
  const group = await makeGroup(stage, number, HONEST)
  const scene = {
    target: personWith(number),
    attackers: ATTACKERS.map(personWith),
    groups: [group, '120363000000000001@g.us'],
    mediaHost: new URL(stage.world.sandbox.url).host,
    sent: [],
  }
  return { number, scene, random: randomFrom(seed) }
}

function prepare(stage: Stage, targets: Target[], watch: StallWatch): Attack {
  const none = { wallMs: 0, cpuMs: 0, rssBytes: 0 }
  return {
    stage,
    targets,
    sent: 0,
    watch,
    outcome: { counts: {}, stalls: [], faults: [] },
    worst: { gateway: none, idle: none },
    samples: [],
    startedAt: performance.now(),
  }
}

async function attackUntil(
  attack: Attack,
  target: Target,
  frames: number,
  say: HostileRun['say'],
): Promise<void> {
  for (let batch = 1; attack.sent < frames; batch += 1) {
    const generated = nextBatch(attack, target)
    const injected = await inject(attack, target, generated)
    const before = attack.sent
    attack.sent += injected
    const isNextLine = Math.floor(before / SAY_EVERY) < Math.floor(attack.sent / SAY_EVERY)
    await settle(attack, target)
    await observe(attack, `batch ${batch} for ${target.number}`, generated)
    if (isNextLine)
      say(
        `${attack.sent} frames, ${attack.stage.expected.sent.length} honest sends, worst stall ${wordsOf(attack.worst)}`,
      )
  }
}

function nextBatch({ layers }: Attack, { random, scene }: Target): Generated[] {
  const generated: Generated[] = []
  for (let count = 0; count < BATCH_FRAMES; count += generated.at(-1)?.frames.length ?? 0)
    generated.push(generate(random, scene, layers))
  return generated
}

/** Returns how many frames had a receiver. */
async function inject(
  { stage, outcome }: Attack,
  { number }: Target,
  generated: Generated[],
): Promise<number> {
  for (const { layer, frames } of generated)
    outcome.counts[layer] = (outcome.counts[layer] ?? 0) + frames.length
  let sent = 0
  for (const frames of requestsOf(generated.flatMap((each) => each.frames.map(toJson)))) {
    const { status, body } = await stage.world.ask('POST', '/injections', { number, frames })
    // A mutation can make a patch that the sandbox itself cannot read. The rest of the request is not sent then.
    assert.ok(status === 200 || status === 400, JSON.stringify(body))
    if (status === 200) sent += answers.injected.parse(body).sent
  }
  return sent
}

/** Requests that the API accepts: none is larger than its limit. */
function requestsOf(frames: ReturnType<typeof toJson>[]): ReturnType<typeof toJson>[][] {
  const requests: ReturnType<typeof toJson>[][] = []
  let size = 0
  for (const frame of frames) {
    size += frame.bytes.length
    if (requests.length === 0 || size > REQUEST_BYTES) {
      requests.push([])
      size = frame.bytes.length
    }
    requests.at(-1)?.push(frame)
  }
  return requests
}

const toJson = ({ bytes, ...frame }: HostileFrame) => ({ ...frame, bytes: bytes.toString('base64') })

/** Waits until the gateway is online again and has taken most of what the network holds for it, while it makes progress. */
async function settle({ stage }: Attack, { number }: Target): Promise<void> {
  let before = { online: false, queued: Number.POSITIVE_INFINITY }
  let deadline = Date.now() + OFFLINE_MS
  const last = Date.now() + SETTLE_MS
  for (;;) {
    const { devices } = (await stage.world.get(`/phones/${number}`, answers.phone)).phone
    const [device] = devices
    assert.ok(device, 'the instance is still linked')
    if (device.online && device.queued <= MAX_QUEUED) return
    // Only an acknowledgement makes the queue shorter, while writers and attackers make it longer.
    if (device.online !== before.online || device.queued < before.queued)
      deadline = Date.now() + (device.online ? STUCK_MS : OFFLINE_MS)
    before = device
    assert.ok(
      Date.now() < Math.min(deadline, last),
      `no progress with ${device.queued} frames at the network, online: ${device.online}\n${lastLines(stage)}`,
    )
    await pause(50)
  }
}

const lastLines = (stage: Stage): string =>
  gatewayOf(stage)
    .stdout()
    .split('\n')
    .filter((line) => !line.includes('"msg":"request"'))
    .slice(-10)
    .join('\n')

async function observe(attack: Attack, batch: string, generated: Generated[]): Promise<void> {
  const { watch, stage, outcome, samples } = attack
  const stalls = await watch.read(gatewayOf(stage).child).catch((error: unknown) => {
    throw new Error(`the event loop of the gateway stands still after ${batch}`, { cause: error })
  })
  attack.worst = {
    gateway: worseOf(attack.worst.gateway, stalls.gateway),
    idle: worseOf(attack.worst.idle, stalls.idle),
  }
  samples.push({
    seconds: (performance.now() - attack.startedAt) / 1000,
    rssBytes: stalls.gateway.rssBytes,
    descriptors: 0,
  })
  if (stalls.gateway.cpuMs > MAX_STALL_MS)
    outcome.stalls.push(`${batch}: ${wordsOf(stalls)} (${layersOf(generated).join(', ')})`)
}

const worseOf = (a: Stalls['idle'], b: Stalls['idle']): Stalls['idle'] => ({
  wallMs: Math.max(a.wallMs, b.wallMs),
  cpuMs: Math.max(a.cpuMs, b.cpuMs),
  rssBytes: b.rssBytes,
})

const layersOf = (generated: Generated[]): LayerName[] => [...new Set(generated.map(({ layer }) => layer))]

const wordsOf = ({ gateway, idle }: Stalls): string =>
  `${Math.round(gateway.cpuMs)} ms of CPU, ${Math.round(gateway.wallMs)} ms in all (an idle process: ${Math.round(idle.wallMs)} ms)`

function report({ outcome, worst, samples }: Attack, say: HostileRun['say']): void {
  const total = Object.values(outcome.counts).reduce((sum, count) => sum + count, 0)
  say(
    `${total} frames: ${Object.entries(outcome.counts)
      .map(([layer, count]) => `${layer} ${count}`)
      .join(', ')}`,
  )
  say(`worst stall of the event loop: ${wordsOf(worst)}`)
  for (const stall of outcome.stalls) say(stall)
  if (total < LEVEL_FRAMES) return
  const { faults, words } = judgeLevel('gateway', samples, MAX_RSS_MB)
  say(words)
  outcome.faults.push(...faults)
}
