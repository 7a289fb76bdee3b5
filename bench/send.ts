// What does a send cost from the request to the network's answer? Sends a second through the gateway (HTTP in, `sent` out) against
// the bare library doing the same sends on the same sandbox (wanted: 75 %), and the gateway's CPU for one message, which must not
// change with instances or grow with stored messages (wanted: within 1.3 times from 1 to 100, and from 1,000 to 1,000,000).
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { SandboxProcesses } from '../test/sandbox/support/process.ts'
import { World } from '../test/sandbox/support/world.ts'
import { openDatabase, withDatabase } from '../test/support/database.ts'
import { engines, type StoreLocation, temporaryDirectory } from '../test/support/engines.ts'
import { newKey, post, type Started, startWithKey } from '../test/support/started.ts'
import { type BareSide, startBare } from './bare-side.ts'
import { middle } from './middle.ts'
import { cpuMs, Processes } from './processes.ts'
import { atLeast, atMost, ratioOf, record } from './report.ts'

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '1,10,100' },
    /** 0: what they cost is not measured. */
    stored: { type: 'string', default: '1000000' },
    /** Of each instance. */
    chats: { type: 'string', default: '5' },
    /** How many of them are written to side by side (`SEND_CONCURRENCY`); the library writes to all. */
    concurrency: { type: 'string', default: '5' },
    engine: { type: 'string', default: 'sqlite' },
    /** For the gateway, such as `--node-options=--cpu-prof`. */
    'node-options': { type: 'string', default: '' },
  },
})
const LEVELS = values.instances.split(',').map(Number)
const CHATS = Number(values.chats)
/** Messages of a round, on either side. */
const MESSAGES = 1000
/** Sides take turns, and each round has a ratio of its own: a machine changes its speed by a third within a minute. */
const ROUNDS = 7
/** Before anything is measured: a young process spends more on compiling its code than on sending. */
const WARM_UP = 4000
const STORED = Number(values.stored)
const CONNECTIONS = 32
const PAIRED_AT_ONCE = 5
const WANTED_RATIO = 0.75
const WANTED_GROWTH = 1.3

const numberOf = (kind: number, index: number): string => `55119${kind}${String(index).padStart(7, '0')}`

interface Running extends Started {
  storeLocation: StoreLocation
}

interface Line {
  number: string
  name: string
  people: string[]
}

interface Figures {
  perSecond: number
  cpuMsPerMessage: number
}

interface Measured {
  library: Figures
  through: Figures
  /** Of the gateway to the library, round by round. */
  ratio: number
  cpuRatio: number
}

async function makeLine(world: World, gateway: Running, index: number): Promise<Line> {
  const number = numberOf(1, index)
  const people = Array.from({ length: CHATS }, (_, chat) => numberOf(3, index * CHATS + chat))
  for (const each of [number, numberOf(2, index), ...people]) await world.phone(each, `Phone ${each}`)
  const created = await post(gateway, '/instance/create', { instanceName: 'Bench' })
  const { instance } = (await created.json()) as { instance: { apiInstanceName: string } }
  const scanned = await fetch(`${gateway.url}/sandbox/v1/phones/${number}/scan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ instanceName: instance.apiInstanceName }),
  })
  if (scanned.status !== 200) throw new Error(await scanned.text())
  return { number, name: instance.apiInstanceName, people }
}

/** Looked up beside the gateway, which is to be measured and not to be asked. */
async function untilIdle(storeLocation: StoreLocation): Promise<void> {
  const database = await openDatabase(storeLocation)
  const queued = async () => {
    const [row] = await database.rows<{ queued: number }>('select sum(queued_count) as queued from instances')
    return Number(row?.queued)
  }
  while ((await queued()) > 0) await pause(10)
  await database.close()
}

/** All requests as fast as they are answered, then until the queue is empty. */
async function throughGateway(gateway: Running, lines: Line[], perChat: number): Promise<Figures> {
  const pool = new Pool(gateway.url, { connections: CONNECTIONS })
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
  const bodies = Array.from({ length: perChat }, (_, count) =>
    lines.flatMap(({ name, people }) =>
      people.map((number) =>
        JSON.stringify({
          instanceName: name,
          number,
          message: `message ${count} of the gateway itself`,
          delay: 0,
        }),
      ),
    ),
  ).flat()
  const cpuBefore = cpuMs(gateway.child.pid ?? 0)
  const startedAt = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
        const answer = await pool.request({ method: 'POST', path: '/api/v1/send/text', headers, body })
        const text = await answer.body.text()
        if (answer.statusCode !== 200) throw new Error(text)
      }
    }),
  )
  await untilIdle(gateway.storeLocation)
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  return {
    perSecond: bodies.length / seconds,
    cpuMsPerMessage: (cpuMs(gateway.child.pid ?? 0) - cpuBefore) / bodies.length,
  }
}

async function throughLibrary(bare: BareSide, lines: Line[], perChat: number): Promise<Figures> {
  const chats = lines.flatMap(({ people }, index) => people.map((to) => ({ from: numberOf(2, index), to })))
  const cpuBefore = cpuMs(bare.pid())
  const startedAt = performance.now()
  await bare.send(chats, perChat)
  const seconds = (performance.now() - startedAt) / 1000
  const messages = chats.length * perChat
  return { perSecond: messages / seconds, cpuMsPerMessage: (cpuMs(bare.pid()) - cpuBefore) / messages }
}

/** Rows as of messages long sent, so that tables and indexes have their size. */
const storeMessages = (storeLocation: StoreLocation, count: number): Promise<void> =>
  withDatabase(storeLocation, async ({ rows }) => {
    await rows(`
      insert into messages (id, account_id, instance_id, direction, chat, number, kind, content, delay_ms, status, lane,
        lane_seq, created_at, updated_at, sent_at)
      with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${count})
      select '3EB0' || (100000000 + n), account_id, instances.id, 'outgoing', '5511900000000@s.whatsapp.net',
        '5511900000000', 'text', '{"message":"An old message of an ordinary length, long since read."}', 0, 'delivered',
        'send:' || instances.id || ':old', n, 1, 1, 1
      from counted join instances on instances.id = 1 + n % (select count(*) from instances)`)
    // A server does this automatically for tables that grow over time.
    if (storeLocation.databaseUrl !== undefined) await rows('vacuum analyze messages')
  })

/** As many to each chat as it takes to send `messages` in all. */
const perChat = (lines: Line[], messages: number): number => Math.ceil(messages / (lines.length * CHATS))

const middleOf = (rounds: Figures[]): Figures => ({
  perSecond: middle(rounds.map(({ perSecond }) => perSecond)),
  cpuMsPerMessage: middle(rounds.map(({ cpuMsPerMessage }) => cpuMsPerMessage)),
})

async function inTurns(bare: BareSide, gateway: Running, lines: Line[]): Promise<Measured> {
  const library: Figures[] = []
  const through: Figures[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    library.push(await throughLibrary(bare, lines, perChat(lines, MESSAGES)))
    through.push(await throughGateway(gateway, lines, perChat(lines, MESSAGES)))
  }
  const ofLibrary = (figure: keyof Figures) =>
    middle(through.map((figures, round) => figures[figure] / (library[round] as Figures)[figure]))
  return {
    library: middleOf(library),
    through: middleOf(through),
    ratio: ofLibrary('perSecond'),
    cpuRatio: ofLibrary('cpuMsPerMessage'),
  }
}

/** How many times the cheapest level the dearest one is. */
const spread = (levels: number[]): number => Math.max(...levels) / Math.min(...levels)

const show = (name: string, { perSecond, cpuMsPerMessage }: Figures): string =>
  `${name} ${perSecond.toFixed(0)}/s, ${cpuMsPerMessage.toFixed(2)} ms CPU`

function recordLevel(instances: number, { library, through, ratio, cpuRatio }: Measured): void {
  const beside = (value: number) => ({ name: 'bare library', value })
  record({
    question: `sent, ${instances} instances: messages per second`,
    value: through.perSecond,
    unit: '/s',
    beside: beside(library.perSecond),
    ratio,
    wanted: ratioOf(atLeast(ratio, WANTED_RATIO)),
  })
  record({
    question: `sent, ${instances} instances: CPU per message`,
    value: through.cpuMsPerMessage,
    unit: 'ms',
    beside: beside(library.cpuMsPerMessage),
    ratio: cpuRatio,
  })
}

async function levels(world: World, gateway: Running, bare: BareSide) {
  const lines: Line[] = []
  const results: Measured[] = []
  for (const instances of LEVELS) {
    const from = lines.length
    while (lines.length < instances) {
      const positions = Array.from({ length: Math.min(PAIRED_AT_ONCE, instances - lines.length) })
      const begun = lines.length
      lines.push(
        ...(await Promise.all(
          positions.map((_none, position) => makeLine(world, gateway, begun + position)),
        )),
      )
    }
    const numbers = lines.slice(from).map((_line, index) => numberOf(2, from + index))
    await bare.pair(numbers)
    // The first message of a chat makes its keys as well; the measured ones find them.
    await throughLibrary(bare, lines, perChat(lines, WARM_UP))
    await throughGateway(gateway, lines, perChat(lines, WARM_UP))
    const measured = await inTurns(bare, gateway, lines)
    const { library, through, ratio } = measured
    results.push(measured)
    recordLevel(instances, measured)
    console.log(
      `${instances} instances: ${show('library', library)}; ${show('gateway', through)}; ` +
        `ratio ${(ratio * 100).toFixed(0)} % (wanted: ${WANTED_RATIO * 100} %)`,
    )
  }
  return { lines, results }
}

/** Everything that runs here, and how one more gateway is started on the same data. */
interface Setting {
  storeLocation: StoreLocation
  world: World
  bare: BareSide
  startGateway(): Promise<Running>
}

async function setUp(
  storeLocation: StoreLocation,
  sandboxes: SandboxProcesses,
  processes: Processes,
  gateways: Running[],
): Promise<Setting> {
  const { world } = await sandboxes.start({ DATA_DIR: await temporaryDirectory() })
  const environment = {
    SANDBOX_URL: world.sandbox.url,
    SANDBOX_KEY: World.apiKey,
    LOG_LEVEL: 'warn',
    SEND_CONCURRENCY: values.concurrency,
    NODE_OPTIONS: values['node-options'],
  }
  const key = newKey()
  const startGateway = async (): Promise<Running> => {
    const gateway = { ...(await startWithKey(storeLocation, key, environment)), storeLocation }
    gateways.push(gateway)
    return gateway
  }
  const { wsUrl, url, rootPublicKey } = world.sandbox
  const sandbox = { wsUrl, url, rootPublicKey, key: World.apiKey }
  return { storeLocation, world, bare: startBare({ processes, sandbox }), startGateway }
}

const recordGrowth = (question: string, value: number): void =>
  record({ question, value, unit: 'times', wanted: atMost(value, WANTED_GROWTH, 'times') })

function isFlatBetween(results: Measured[]): boolean {
  const times = spread(results.map(({ through }) => through.cpuMsPerMessage))
  const ofLibrary = spread(results.map(({ library }) => library.cpuMsPerMessage))
  console.log(
    `CPU per message between the levels: ${times.toFixed(2)} times (wanted: ${WANTED_GROWTH}); ` +
      `the library's own: ${ofLibrary.toFixed(2)} times`,
  )
  recordGrowth(`sent: growth of CPU per message between ${LEVELS.join(', ')} instances`, times)
  return times <= WANTED_GROWTH
}

/** Minutes lie between the two, and the machine has another speed by then: the library, measured beside both, tells which. */
function isFlatFrom(few: Measured, many: Measured): boolean {
  const times = many.cpuRatio / few.cpuRatio
  console.log(
    `CPU per message from thousands to ${STORED} stored messages: ${times.toFixed(2)} times (wanted: ${WANTED_GROWTH}; ` +
      `of the library's own ${few.cpuRatio.toFixed(2)} and ${many.cpuRatio.toFixed(2)}); ` +
      `${show('before', few.through)}; ${show('then', many.through)}`,
  )
  recordGrowth(`sent: growth of CPU per message to ${STORED} stored messages`, times)
  return times <= WANTED_GROWTH
}

async function measure({ storeLocation, world, bare, startGateway }: Setting): Promise<boolean> {
  const young = await startGateway()
  const { lines, results } = await levels(world, young, bare)
  const isFast = results.every(({ ratio }) => ratio >= WANTED_RATIO)
  const some = lines.slice(0, 10)
  const few = STORED > 0 ? await inTurns(bare, young, some) : undefined
  // Properly, so that it can leave a profile behind.
  await young.stop()
  if (!few) return isFast
  await storeMessages(storeLocation, STORED)
  const full = await startGateway()
  await throughGateway(full, some, perChat(some, WARM_UP))
  const many = await inTurns(bare, full, some)
  return [isFast, isFlatBetween(results), isFlatFrom(few, many)].every(Boolean)
}

async function bench(): Promise<boolean> {
  const storeLocation = await engines.find(({ name }) => name === values.engine)?.createLocation()
  if (!storeLocation) throw new Error(`there is no engine ${values.engine} here`)
  const sandboxes = new SandboxProcesses()
  const gateways: Running[] = []
  const processes = new Processes()
  try {
    return await measure(await setUp(storeLocation, sandboxes, processes, gateways))
  } finally {
    await processes.stopAll()
    for (const gateway of gateways) await gateway.stop('SIGKILL')
    sandboxes.end()
    await storeLocation.dispose()
  }
}

process.exitCode = (await bench()) ? 0 : 1
