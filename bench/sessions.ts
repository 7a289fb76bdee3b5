// What does the gateway add to a session? Memory of idle sessions, the time until all are open again after a restart, and CPU
// of a sent message, against the bare library on the same sandbox network, in one run (each at most 1.3 times).
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ClientError, createClient } from '../src/contract/client.ts'
import { temporaryDirectory } from '../test/support/engines.ts'
import { newKey } from '../test/support/started.ts'
import type { BareOrder, BareReport } from './bare-sessions.ts'
import type { Usage } from './probe.ts'
import { atMost, ratioOf, record } from './report.ts'

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1,50,200' },
    messages: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '4' },
    /** For both processes, such as `--exec-argv=--cpu-prof`. */
    'exec-argv': { type: 'string', default: '' },
  },
})
const SIZES = values.sessions.split(',').map(Number)
const MOST = Math.max(...SIZES)
const MESSAGES = Number(values.messages)
const ROUNDS = Number(values.rounds)
/** Messages a chat before the count begins: code that is compiled on the way costs more than what it replaces. */
const WARM_UP = 100
const SENDERS = Math.min(10, MOST)
const WANTED = 1.3
/** Pairings at the same time: more only wait for the processors. */
const PAIRINGS_AT_ONCE = 6
/** After it has opened, a session still uploads keys and asks for this and that. */
const REST_MS = 3000
const TEXT = 'Your order has left the house and will be with you tomorrow. 📦'
const PROBE = ['--expose-gc', '--import', new URL('./probe.ts', import.meta.url).href]

interface Sandbox {
  child: ChildProcess
  url: string
  wsUrl: string
  rootPublicKey: string
  key: string
  client: ReturnType<typeof createClient>
}

/** One side of the comparison: sessions that live in a process of their own. */
interface Side {
  name: string
  /** Starts the process with the sessions that are paired already; resolves when all are open. Gives the time that took. */
  start(count: number): Promise<number>
  pair(numbers: string[]): Promise<void>
  /** Each of the first sessions writes to its own person; resolves when the network has taken all. */
  send(count: number): Promise<void>
  usage(what: 'collected' | 'cpu'): Promise<Usage>
  stop(): Promise<void>
}

const numberOf = (side: number, index: number): string => String(5_511_900_000_000 + side * 1_000_000 + index)
const PEOPLE = Array.from({ length: SENDERS }, (_, index) => numberOf(9, index))

async function startSandbox(directory: string): Promise<Sandbox> {
  const key = newKey()
  const main = new URL('../src/network/sandbox/main.ts', import.meta.url)
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    API_KEY: key,
    SANDBOX_EXIT_WITH: 'ipc',
    DATA_DIR: directory,
  }
  const child = fork(main, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [address] = (await once(child, 'message')) as [{ url: string; wsUrl: string; rootPublicKey: string }]
  return { child, key, ...address, client: createClient({ baseUrl: address.url, key }) }
}

async function usageOf(child: ChildProcess, what: 'collected' | 'cpu'): Promise<Usage> {
  const answer = Promise.withResolvers<Usage>()
  const onMessage = (message: { usage?: Usage }) => {
    if (message.usage) answer.resolve(message.usage)
  }
  child.on('message', onMessage)
  child.send(what)
  return answer.promise.finally(() => child.off('message', onMessage))
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** Several at a time, in order. */
async function each<T>(items: readonly T[], atOnce: number, work: (item: T, index: number) => Promise<void>) {
  const queue = [...items.entries()]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await work(next[1], next[0])
    }),
  )
}

/** On a busy machine a code may take longer than a request waits for it. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ClientError) || error.retryAfter === undefined) throw error
      await pause(error.retryAfter * 1000)
    }
  }
}

function gatewaySide(directory: string, sandbox: Sandbox): Side {
  const key = newKey()
  let child: ChildProcess
  let client: ReturnType<typeof createClient>
  const names: string[] = []

  async function spawn(): Promise<void> {
    child = fork(new URL('../src/main.ts', import.meta.url), {
      execArgv: [...PROBE, ...values['exec-argv'].split(' ').filter(Boolean)],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATA_DIR: directory,
        API_KEY: key,
        RATE_LIMIT: '0',
        SANDBOX_URL: sandbox.url,
        SANDBOX_KEY: sandbox.key,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    let log = ''
    const ready = Promise.withResolvers<string>()
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (log.length < 100_000) log += text
      const url = /"msg":"listening","url":"([^"]+)"/.exec(log)?.[1]
      if (url) ready.resolve(url)
    })
    client = createClient({ baseUrl: await ready.promise, key })
  }
  async function untilOpen(count: number): Promise<void> {
    for (;;) {
      const { instances } = await client.listInstances()
      if (instances.filter(({ state }) => state === 'open').length === count) return
      await pause(50)
    }
  }

  return {
    name: 'gateway',
    async start(count) {
      const startedAt = performance.now()
      await spawn()
      await untilOpen(count)
      return performance.now() - startedAt
    },
    async pair(numbers) {
      await each(numbers, PAIRINGS_AT_ONCE, async (number) => {
        await sandbox.client.sandboxCreatePhone({ body: { number, name: number } })
        const { instance } = await client.createInstance({ body: { instanceName: number } })
        const instanceName = instance.apiInstanceName
        await patiently(() => client.sandboxScan({ params: { number }, body: { instanceName } }))
        names.push(instanceName)
      })
    },
    async send(count) {
      await Promise.all(
        PEOPLE.map(async (number, index) => {
          let messageId = ''
          for (let sent = 0; sent < count; sent += 1) {
            const body = { instanceName: names[index] as string, number, message: TEXT, delay: 0 }
            messageId = (await client.sendText({ body })).messageId
          }
          await untilShown(sandbox, number, messageId)
          const isSent = async () =>
            !['queued', 'sending'].includes(
              (await client.getMessage({ params: { messageId } })).message.status,
            )
          while (!(await isSent())) await pause(20)
        }),
      )
    },
    usage: (what) => usageOf(child, what),
    stop: () => end(child),
  }
}

function bareSide(directory: string, sandbox: Sandbox): Side {
  let child: ChildProcess
  const numbers: string[] = []
  const opened = new Set<string>()

  async function spawn(): Promise<void> {
    const { wsUrl, rootPublicKey } = sandbox
    child = fork(new URL('./bare-sessions.ts', import.meta.url), [directory, wsUrl, rootPublicKey], {
      execArgv: [...PROBE, ...values['exec-argv'].split(' ').filter(Boolean)],
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    opened.clear()
    const ready = Promise.withResolvers<void>()
    // One listener for each session that is sending.
    child.setMaxListeners(0)
    child.on('message', (report: BareReport | { usage: Usage }) => {
      if ('ready' in report) ready.resolve()
      if ('opened' in report) opened.add(report.opened)
      if ('qr' in report) {
        void sandbox.client.sandboxScan({ params: { number: report.number }, body: { qr: report.qr } })
      }
    })
    await ready.promise
  }
  const order = (wanted: BareOrder): void => void child.send(wanted)
  async function untilOpen(wanted: readonly string[]): Promise<void> {
    while (!wanted.every((number) => opened.has(number))) await once(child, 'message')
  }

  return {
    name: 'bare library',
    async start(count) {
      const startedAt = performance.now()
      await spawn()
      const wanted = numbers.slice(0, count)
      order({ do: 'open', numbers: wanted })
      await untilOpen(wanted)
      return performance.now() - startedAt
    },
    async pair(more) {
      await each(more, PAIRINGS_AT_ONCE, async (number) => {
        await sandbox.client.sandboxCreatePhone({ body: { number, name: number } })
        order({ do: 'open', numbers: [number] })
        await untilOpen([number])
        numbers.push(number)
      })
    },
    async send(count) {
      await Promise.all(
        PEOPLE.map(async (to, index) => {
          const number = numbers[index] as string
          order({ do: 'send', number, to, texts: Array.from({ length: count }, () => TEXT) })
          const done = Promise.withResolvers<string>()
          const onMessage = (report: BareReport) => {
            if ('sent' in report && report.sent === number) done.resolve(report.lastId)
          }
          child.on('message', onMessage)
          await untilShown(sandbox, to, await done.promise)
          child.off('message', onMessage)
        }),
      )
    },
    usage: (what) => usageOf(child, what),
    stop: () => end(child),
  }
}

async function untilShown(sandbox: Sandbox, number: string, id: string): Promise<void> {
  for (;;) {
    const shown = await sandbox.client
      .sandboxGetMessage({ params: { number, id }, query: { waitMs: '30000' } })
      .catch(() => undefined)
    if (shown) return
  }
}

interface Idle {
  usage: Usage
  startMs: number
}

/** Pairs up to each size in turn, and looks at a process that has just brought that many back. */
async function idleSessions(side: Side, sideNumber: number): Promise<Map<number, Idle>> {
  const seen = new Map<number, Idle>()
  let paired = 0
  for (const size of SIZES) {
    await side.start(paired)
    await side.pair(Array.from({ length: size - paired }, (_, index) => numberOf(sideNumber, paired + index)))
    await pause(REST_MS)
    paired = size
    await side.stop()
    const startMs = await side.start(size)
    await pause(REST_MS)
    seen.set(size, { usage: await side.usage('collected'), startMs })
    if (size !== MOST) await side.stop()
    console.log(describeIdle(side.name, size, seen.get(size) as Idle))
  }
  return seen
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
const describeIdle = (name: string, size: number, { usage, startMs }: Idle): string =>
  `${name}: ${size} idle: rss ${megabytes(usage.rssBytes)}, heap ${megabytes(usage.heapBytes)}; open again after ${(startMs / 1000).toFixed(1)} s`

/** Rounds alternate, so that a machine that is busy for a while slows both alike. */
async function cpuPerMessage(sides: readonly Side[]): Promise<number[]> {
  for (const side of sides) await side.send(WARM_UP)
  const spentMs = sides.map(() => 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, side] of sides.entries()) {
      const before = (await side.usage('cpu')).cpuMs
      await side.send(MESSAGES)
      spentMs[index] = (spentMs[index] as number) + (await side.usage('cpu')).cpuMs - before
    }
  }
  return spentMs.map((ms) => ms / (ROUNDS * MESSAGES * PEOPLE.length))
}

const held: boolean[] = []
function judge(what: string, ours: number, theirs: number, unit: string): void {
  const ratio = ours / theirs
  held.push(ratio <= WANTED)
  console.log(
    `${what}: gateway ${ours.toFixed(2)} ${unit}, bare ${theirs.toFixed(2)} ${unit}, ` +
      `ratio ${ratio.toFixed(2)} (wanted: at most ${WANTED})`,
  )
  const beside = { name: 'bare library', value: theirs }
  record({ question: what, value: ours, unit, beside, ratio, wanted: ratioOf(atMost(ratio, WANTED)) })
}

const startedAt = performance.now()
const root = await temporaryDirectory()
const directoryFor = async (name: string): Promise<string> => {
  await mkdir(join(root, name))
  return join(root, name)
}
const sandbox = await startSandbox(await directoryFor('sandbox'))
for (const number of PEOPLE) await sandbox.client.sandboxCreatePhone({ body: { number, name: number } })
const bare = bareSide(await directoryFor('bare'), sandbox)
const gateway = gatewaySide(await directoryFor('gateway'), sandbox)
try {
  const idleBare = await idleSessions(bare, 1)
  const idleGateway = await idleSessions(gateway, 2)
  const [least = 1, ...more] = SIZES
  const perSession = (idle: Map<number, Idle>, size: number, part: 'rssBytes' | 'heapBytes'): number => {
    const [few, many] = [idle.get(least), idle.get(size)]
    assert.ok(few && many)
    return (many.usage[part] - few.usage[part]) / (size - least) / 1e6
  }
  for (const size of more) {
    for (const part of ['rssBytes', 'heapBytes'] as const) {
      judge(
        `${part === 'rssBytes' ? 'memory' : 'heap'} per added session at ${size}`,
        perSession(idleGateway, size, part),
        perSession(idleBare, size, part),
        'MB',
      )
    }
  }
  const startSeconds = (idle: Map<number, Idle>): number => (idle.get(MOST)?.startMs ?? 0) / 1000
  judge(`${MOST} sessions open again`, startSeconds(idleGateway), startSeconds(idleBare), 's')
  const [gatewayMs = 0, bareMs = 0] = await cpuPerMessage([gateway, bare])
  judge('CPU per sent message', gatewayMs, bareMs, 'ms')
  console.log(
    `${SENDERS} chats, ${ROUNDS} rounds of ${MESSAGES} messages each; ${Math.round((performance.now() - startedAt) / 1000)} s in all`,
  )
} finally {
  await Promise.all([gateway.stop(), bare.stop()])
  await end(sandbox.child)
  await rm(root, { recursive: true })
}
process.exitCode = held.every(Boolean) ? 0 : 1
