// Light use for as long as wanted, with receivers that fail in every way: memory and descriptors of the gateway and of the sandbox
// must stay level.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Engine } from '../support/engines.ts'
import { get, post } from '../support/started.ts'
import { type FailingReceivers, startFailingReceivers } from './failing-receivers.ts'
import { judgeLevel, type Sample } from './level.ts'
import { openStage, pairAll, type Stage, sendFrom, writeFrom } from './stage.ts'

const MEASURED_SERVER = fileURLToPath(new URL('../support/measured-server.ts', import.meta.url))
const SAMPLE_MS = 10_000
const MINUTE_MS = 60_000
const INSTANCES = ['5511971000001', '5511971000002', '5511971000003']
const PEOPLE = ['5511981000001', '5511981000002']
/** Of each instance: together a send and a half in a second. */
const SEND_PAUSE_MS = 2000
const WRITE_PAUSE_MS = 2000
const READ_PAUSE_MS = 1000
/** A stream of events is followed for this many reads, and then left. */
const READS_PER_STREAM = 5
const PICTURE_EVERY = 10

export interface SteadyRun {
  engine: Engine
  minutes: number
  seed: number
  say(line: string): void
  /** Ends the run early. */
  signal: AbortSignal
}

/** Resolves with what was not level. */
export async function runSteadyUse({ engine, minutes, seed, say, signal }: SteadyRun): Promise<string[]> {
  const receivers = await startFailingReceivers()
  const stage = await openStage(engine, INSTANCES, seed, {
    main: MEASURED_SERVER,
    environment: { NAME_SERVER: receivers.nameServer.address },
  })
  let users: Promise<void>[] = []
  try {
    await prepare(stage, receivers)
    users = use(stage)
    const measured = measure(stage, minutes, say, signal)
    // An error of one user ends the run.
    await Promise.race([measured, Promise.all(users).then(() => measured)])
    const { gateway, sandbox } = await measured
    const verdicts = [judgeLevel('gateway', gateway), judgeLevel('sandbox', sandbox)]
    for (const { words } of verdicts) say(words)
    return verdicts.flatMap(({ faults }) => faults)
  } finally {
    stage.stopping = true
    await Promise.allSettled(users)
    await stage.end()
    await receivers.close()
  }
}

async function prepare(stage: Stage, { urls }: FailingReceivers): Promise<void> {
  for (const number of PEOPLE) await stage.world.phone(number, `Phone ${number.slice(-4)}`)
  await pairAll(stage)
  for (const url of urls) {
    const made = await post(gatewayOf(stage), '/webhooks', { url })
    assert.equal(made.status, 200, await made.text())
  }
}

function gatewayOf({ gateway }: Stage) {
  assert.ok(gateway, 'the gateway runs')
  return gateway
}

const use = (stage: Stage): Promise<void>[] => [
  ...INSTANCES.map((instance, index) => sends(stage, instance, PEOPLE[index % PEOPLE.length] as string)),
  ...PEOPLE.map((person, index) => writes(stage, INSTANCES[index % INSTANCES.length] as string, person)),
  reads(stage),
]

async function sends(stage: Stage, instance: string, person: string): Promise<void> {
  for (let count = 1; !stage.stopping; count += 1) {
    const kind = count % PICTURE_EVERY === 0 ? 'image' : 'text'
    const { status } = await sendFrom(stage, { instance, person, count, kind })
    assert.ok(stage.stopping || status === 200 || status === 503, `a send was answered with ${status}`)
    await pause(stage.random() * 2 * SEND_PAUSE_MS)
  }
}

async function writes(stage: Stage, instance: string, person: string): Promise<void> {
  for (let count = 1; !stage.stopping; count += 1) {
    await writeFrom(stage, { instance, person, count })
    await pause(stage.random() * 2 * WRITE_PAUSE_MS)
  }
}

/** As a page does that is open somewhere. */
async function reads(stage: Stage): Promise<void> {
  let stream = new AbortController()
  for (let count = 0; !stage.stopping; count += 1) {
    const gateway = gatewayOf(stage)
    if (count % READS_PER_STREAM === 0) {
      stream.abort()
      stream = new AbortController()
      const headers = { authorization: `Bearer ${gateway.key}` }
      // Left in the middle of it.
      await fetch(`${gateway.url}/api/v1/events/stream`, { headers, signal: stream.signal }).catch(
        () => undefined,
      )
    }
    for (const path of ['/api/v1/instance/list', '/api/v1/messages?limit=50', '/api/v1/webhooks'])
      await (await get(gateway, path)).arrayBuffer()
    await pause(READ_PAUSE_MS)
  }
  stream.abort()
}

interface Measured {
  gateway: Sample[]
  sandbox: Sample[]
}

const HEADINGS = ['  minute', 'RSS', 'heap', 'external', 'open', '| sandbox RSS', 'open', '| sent']
const columns = (cells: (string | number)[]): string =>
  cells.map((cell, index) => String(cell).padStart((HEADINGS[index] ?? '').length)).join('  ')

async function measure(
  stage: Stage,
  minutes: number,
  say: SteadyRun['say'],
  signal: AbortSignal,
): Promise<Measured> {
  const measured: Measured = { gateway: [], sandbox: [] }
  const startedAt = performance.now()
  const elapsedMs = () => performance.now() - startedAt
  say(HEADINGS.join('  '))
  for (let next = 0; next <= minutes * MINUTE_MS; next += SAMPLE_MS) {
    await pause(Math.max(0, next - elapsedMs()), undefined, { signal })
    const seconds = elapsedMs() / 1000
    const memory = await memoryOf(stage)
    const gateway = { seconds, ...(await sampleOf(gatewayOf(stage).child.pid as number)) }
    const sandbox = { seconds, ...(await sampleOf(stage.sandboxPid)) }
    measured.gateway.push(gateway)
    measured.sandbox.push(sandbox)
    const megabytes = [gateway.rssBytes, memory.heapUsed, memory.external].map(toMb)
    const rest = [
      gateway.descriptors,
      toMb(sandbox.rssBytes),
      sandbox.descriptors,
      stage.expected.sent.length,
    ]
    say(columns([(seconds / 60).toFixed(1), ...megabytes, ...rest]))
  }
  return measured
}

const toMb = (bytes: number): number => Math.round(bytes / 1024 / 1024)

async function memoryOf(stage: Stage): Promise<NodeJS.MemoryUsage> {
  const { child } = gatewayOf(stage)
  const answer = once(child, 'message')
  child.send('memory')
  const [memory] = (await answer) as [NodeJS.MemoryUsage]
  return memory
}

/** As the system counts it; there is no other way to see another process's descriptors. */
async function sampleOf(pid: number): Promise<Omit<Sample, 'seconds'>> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1])
  return { rssBytes: kilobytes * 1024, descriptors: (await readdir(`/proc/${pid}/fd`)).length }
}
