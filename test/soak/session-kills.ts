// Kills the gateway at random while phones and instances write to each other, to people and in groups, text and pictures,
// and compares what both sides hold at the end.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { answers } from '../../src/contract/sandbox-world.ts'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { World } from '../sandbox/support/world.ts'
import { withDatabase } from '../support/database.ts'
import type { Engine, Place } from '../support/engines.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { png } from '../support/sample-files.ts'
import { get, newKey, post, type Started, startWithKey } from '../support/started.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'
import { checkAcknowledged, checkAtRest, type Remembered, type Told } from './history-check.ts'

const INSTANCES = ['5511970000001', '5511970000002', '5511970000003']
const PEOPLE = ['5511980000001', '5511980000002']
/** The mean pause of each writer: together they keep the gateway busy without filling the machine. */
const WRITER_PAUSE_MS = 200
/** So many messages of a writer are one that carries a picture. */
const PICTURE_EVERY = 4
const PICTURE = png(5, 5)
const OPEN_MS = 40_000
const DRAIN_MS = 60_000

export interface KillRun {
  engine: Engine
  kills: number
  seed: number
  say(line: string): void
}

interface Stage {
  world: World
  place: Place
  random: () => number
  environment: Record<string, string>
  key: string
  /** The gateway that runs now; null between a kill and the next start. */
  gateway: Started | null
  /** By number. */
  instanceNames: Map<string, string>
  /** The group of each instance with all people, by the instance's number. */
  groups: Map<string, string>
  /** Where the gateway fetches pictures from. */
  files: WebHost
  told: Told
  stopping: boolean
}

export async function runSessionKills({ engine, kills, seed, say }: KillRun): Promise<void> {
  say(`KILL_SEED=${seed}`)
  const place = await engine.place()
  const sandboxes = new SandboxProcesses()
  const directory = await temporaryDirectory()
  const { world } = await sandboxes.start({ DATA_DIR: directory })
  const files = await startWebHost((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE)
  })
  const stage: Stage = {
    world,
    place,
    random: randomFrom(seed),
    environment: {
      SANDBOX_URL: world.sandbox.url,
      SANDBOX_KEY: World.apiKey,
      ALLOW_TARGETS: '127.0.0.1',
    },
    key: newKey(),
    gateway: null,
    instanceNames: new Map(),
    groups: new Map(),
    files,
    told: { sent: [], written: [] },
    stopping: false,
  }
  try {
    await prepare(stage)
    const writers = startWriters(stage)
    for (let kill = 1; kill <= kills; kill += 1) await killOnce(stage, kill)
    stage.stopping = true
    await Promise.all(writers)
    await drain(stage)
    assert.deepEqual(fatalLines(stage.gateway), [], 'the gateway had no fault')
    const counts = await checkAtRest(place, world, stage.told, INSTANCES, PICTURE)
    say(`${counts.received} received and ${counts.sent} sent over ${kills} kills`)
  } finally {
    stage.stopping = true
    await stage.gateway?.stop('SIGKILL')
    sandboxes.end()
    await files.close()
    await place.dispose()
  }
}

async function prepare(stage: Stage): Promise<void> {
  const { world } = stage
  for (const number of [...INSTANCES, ...PEOPLE]) await world.phone(number, `Phone ${number.slice(-4)}`)
  const gateway = await start(stage)
  for (const number of INSTANCES) {
    const created = await post(gateway, '/instance/create', { instanceName: `Kill ${number.slice(-1)}` })
    const { instance } = (await created.json()) as { instance: { apiInstanceName: string } }
    const scanned = await fetch(`${gateway.url}/sandbox/v1/phones/${number}/scan`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ instanceName: instance.apiInstanceName }),
    })
    assert.equal(scanned.status, 200, await scanned.text())
    stage.instanceNames.set(number, instance.apiInstanceName)
    const members = [number, ...PEOPLE]
    const { group } = answers.group.parse(
      await world.post('/groups', { subject: `Group ${number.slice(-1)}`, members, admin: PEOPLE[0] }),
    )
    stage.groups.set(number, group.jid)
  }
  await untilOpen(stage)
}

async function start(stage: Stage): Promise<Started> {
  stage.gateway = await startWithKey(stage.place, stage.key, stage.environment)
  return stage.gateway
}

/** Lets the gateway open all sessions and work for a while, kills it, and looks at what it had told the network. */
async function killOnce(stage: Stage, kill: number): Promise<void> {
  await untilOpen(stage)
  await untilSent(stage, 5 + Math.floor(stage.random() * 40))
  await strike(stage, kill)
  await start(stage)
  // Now and then the next kill hits a gateway that has only begun to connect.
  if (stage.random() < 0.3) {
    await pause(stage.random() * 400)
    await strike(stage, kill)
    await start(stage)
  }
}

async function strike(stage: Stage, kill: number): Promise<void> {
  const gateway = stage.gateway
  stage.gateway = null
  await gateway?.stop('SIGKILL')
  assert.deepEqual(fatalLines(gateway), [], `the gateway had no fault before kill ${kill}`)
  await checkAcknowledged(stage.place, stage.world, INSTANCES)
}

/** Lines of the log that speak of a fault. */
const fatalLines = (gateway: Started | null): string[] =>
  (gateway?.stdout() ?? '').split('\n').filter((line) => /^\{"level":[56]0/.test(line))

/** After a random count of answers rather than a time: no machine is too slow for it. */
async function untilSent(stage: Stage, more: number): Promise<void> {
  const goal = stage.told.sent.length + more
  while (stage.told.sent.length < goal) await pause(2)
}

async function states(gateway: Started): Promise<string[]> {
  const answer = await get(gateway, '/api/v1/instance/list')
  const { instances } = (await answer.json()) as {
    instances: { apiInstanceName: string; state: string; stateReason: string | null }[]
  }
  return instances.map(({ apiInstanceName, state, stateReason }) =>
    [apiInstanceName, state, ...(stateReason ? [stateReason] : [])].join(' '),
  )
}

/** All instances are open again, and with the login they had: nobody scans anything here. */
async function untilOpen(stage: Stage): Promise<void> {
  const { gateway } = stage
  assert.ok(gateway)
  const deadline = Date.now() + OPEN_MS
  for (;;) {
    const seen = await states(gateway)
    if (seen.length === INSTANCES.length && seen.every((line) => line.endsWith(' open'))) return
    assert.ok(Date.now() < deadline, `not open again: ${seen.join(', ')}\n${gateway.stdout().slice(-3000)}`)
    await pause(20)
  }
}

function startWriters(stage: Stage): Promise<void>[] {
  return INSTANCES.flatMap((instance) => {
    const group = stage.groups.get(instance) as string
    return [
      ...PEOPLE.flatMap((person) => [
        phoneWrites(stage, { person, instance, chat: person }),
        phoneWrites(stage, { person, instance, chat: group }),
        instanceWrites(stage, { instance, chat: person }),
      ]),
      instanceWrites(stage, { instance, chat: group }),
    ]
  })
}

async function phoneWrites(
  stage: Stage,
  line: Pick<Remembered, 'person' | 'instance' | 'chat'>,
): Promise<void> {
  const { person, instance, chat } = line
  const to = isGroup(chat) ? chat : instance
  for (let count = 1; !stage.stopping; count += 1) {
    const kind = kindOf(count)
    const text = `in ${count}`
    const media = { type: 'image', base64: PICTURE.toString('base64'), caption: text }
    const id = await stage.world.send(person, kind === 'text' ? { to, text } : { to, media })
    stage.told.written.push({ ...line, id, kind, count })
    // Some pile up while the gateway is down, not all that a slow start has time for.
    await pause(stage.random() * 2 * (stage.gateway ? WRITER_PAUSE_MS : 5 * WRITER_PAUSE_MS))
  }
}

async function instanceWrites(
  stage: Stage,
  { instance, chat }: Pick<Remembered, 'instance' | 'chat'>,
): Promise<void> {
  const people = isGroup(chat) ? PEOPLE : [chat]
  for (let count = 1; !stage.stopping; count += 1) {
    const { gateway } = stage
    const kind = isGroup(chat) ? 'text' : kindOf(count)
    if (gateway) {
      const answer = await post(gateway, ...sendCall(stage, instance, chat, kind, `out ${count}`))
        .then(async (response) => ({ status: response.status, json: await response.json() }))
        // Killed before it answered: what became of this one is open.
        .catch(() => undefined)
      if (answer) {
        assert.equal(answer.status, 200, JSON.stringify(answer.json))
        const { messageId: id } = answer.json as { messageId: string }
        stage.told.sent.push(...people.map((person) => ({ id, instance, person, chat, kind, count })))
      }
    }
    await pause(stage.random() * 2 * WRITER_PAUSE_MS)
  }
}

const isGroup = (chat: string): boolean => chat.endsWith('@g.us')
const kindOf = (count: number): Remembered['kind'] => (count % PICTURE_EVERY === 0 ? 'image' : 'text')

function sendCall(
  { instanceNames, files }: Stage,
  instance: string,
  chat: string,
  kind: Remembered['kind'],
  message: string,
): [path: string, body: unknown] {
  const common = { instanceName: instanceNames.get(instance), message, delay: 0 }
  if (isGroup(chat)) return ['/send-group', { ...common, groupJid: chat }]
  if (kind === 'text') return ['/send/text', { ...common, number: chat }]
  return ['/send/media', { ...common, number: chat, type: kind, mediaUrl: `${files.url}/picture.png` }]
}

/** Nobody writes any more: waits until every message has come to its other side. */
async function drain(stage: Stage): Promise<void> {
  await untilOpen(stage)
  const { world, told } = stage
  const deadline = Date.now() + DRAIN_MS
  const wait = () => Math.max(0, Math.min(20_000, deadline - Date.now()))
  for (let left = await undelivered(world); left.length > 0; left = await undelivered(world)) {
    assert.ok(Date.now() < deadline, `the gateway has not taken in all: ${left.join(', ')}`)
    await pause(50)
  }
  for (let left = await unprocessed(stage.place); left.length > 0; left = await unprocessed(stage.place)) {
    assert.ok(Date.now() < deadline, `arrivals did not become messages: ${left.join(', ')}`)
    await pause(50)
  }
  for (const { id, person, count, instance } of told.sent) {
    const { status } = await world.ask('GET', `/phones/${person}/messages/${id}?waitMs=${wait()}`)
    assert.equal(status, 200, `${instance}'s "out ${count}" (${id}) is on the phone of ${person}`)
  }
  const gateway = stage.gateway as Started
  const busy = async () => {
    const answer = await get(gateway, '/api/v1/messages?limit=100')
    const { messages } = (await answer.json()) as { messages: { status: string; direction: string }[] }
    return messages.filter(({ status }) => status === 'queued' || status === 'sending' || status === 'sent')
  }
  for (let left = await busy(); left.length > 0; left = await busy()) {
    assert.ok(Date.now() < deadline, `still under way: ${JSON.stringify(left.slice(0, 5))}`)
    await pause(50)
  }
}

/** How much still waits at the network for each instance. The phones' own ticks say nothing of the gateway's device. */
async function undelivered(world: World): Promise<string[]> {
  const waiting = await Promise.all(
    INSTANCES.map(async (number) => {
      const { devices } = (await world.get(`/phones/${number}`, answers.phone)).phone
      const queued = devices.reduce((sum, device) => sum + device.queued, 0)
      return queued === 0 ? [] : [`${queued} for ${number}`]
    }),
  )
  return waiting.flat()
}

const unprocessed = (place: Place): Promise<string[]> =>
  withDatabase(place, async (database) => {
    const rows = await database.rows<{ name: string }>('select name from inbox where processed_at is null')
    return rows.map(({ name }) => name)
  })

/** A small generator, so that a run can be replayed from its seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
