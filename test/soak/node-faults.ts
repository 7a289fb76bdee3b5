// Nodes on one PostgreSQL under faults while phones and instances write to each other: nodes are killed, stopped, frozen and cut
// off from the database or from each other, and the database crashes. In the end every message is there once and in order, every
// event has arrived, and no login was used twice.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { type FaultyPostgres, type NodeProcess, startOwnGroup } from '../cluster/support/faulty-nodes.ts'
import { withDatabase } from '../support/database.ts'
import { checkAtRest } from './history-check.ts'
import { startWriters } from './session-kills.ts'
import { drain, makeGroup, openStage, PICTURE, pairAll, type Stage, untilOpen } from './stage.ts'
import { checkDeliveries } from './webhook-judge.ts'

export interface NodeRun {
  nodes: number
  faults: number
  seed: number
  instances: number
  people: number
  writerPauseMs: number
  withReceiver?: boolean
  /** In place of the usual server, and of the usual faults. */
  postgres?: { start(): Promise<FaultyPostgres>; faults: readonly Fault[] }
  say(line: string): void
}

/** How long a fault lasts, in parts of the lease: over before the lease is lost, after it, and long after a takeover. */
const LENGTHS = [0.4, 1.3, 2.5]
/** Sends between two faults. */
const WORK = 20

export interface Fault {
  name: string
  /** Resolves when the fault is over. */
  strike(stage: NodeStage, node: NodeProcess, lastsMs: number): Promise<void>
}

interface NodeStage extends Stage {
  group: Awaited<ReturnType<typeof startOwnGroup>>
}

const FAULTS: readonly Fault[] = [
  { name: 'kill -9', strike: async (_stage, node) => void (await node.stop('SIGKILL')) },
  {
    name: 'SIGTERM',
    async strike(_stage, node) {
      assert.equal((await node.stop('SIGTERM')).code, 0, 'a node that is stopped ends with 0')
    },
  },
  {
    name: 'frozen',
    async strike(_stage, node, lastsMs) {
      node.child.kill('SIGSTOP')
      await pause(lastsMs)
      node.child.kill('SIGCONT')
    },
  },
  {
    name: 'cut off from the database',
    async strike(_stage, node, lastsMs) {
      await node.toDatabase.shut()
      await pause(lastsMs)
      await node.toDatabase.open()
    },
  },
  {
    name: 'connection to the database hangs',
    async strike(_stage, node, lastsMs) {
      node.toDatabase.stall()
      await pause(lastsMs)
      await node.toDatabase.shut()
      await node.toDatabase.open()
    },
  },
  {
    name: 'cut off from the other nodes',
    async strike(_stage, node, lastsMs) {
      await node.toNode.shut()
      await pause(lastsMs)
      await node.toNode.open()
    },
  },
  {
    name: 'all nodes cut off from the database',
    async strike({ group }, _node, lastsMs) {
      const nodes = group.ready()
      await Promise.all(nodes.map(({ toDatabase }) => toDatabase.shut()))
      await pause(lastsMs)
      await Promise.all(nodes.map(({ toDatabase }) => toDatabase.open()))
    },
  },
  { name: 'the database crashes', strike: ({ group }) => group.postgres.restart('immediate') },
]

export async function runNodeFaults(run: NodeRun): Promise<void> {
  const { seed, say } = run
  say(`NODE_SEED=${seed}`)
  const stage = await openNodeStage(run)
  let writers: Promise<void>[] = []
  try {
    const people = Array.from(
      { length: run.people },
      (_, index) => `551198100${String(index + 1).padStart(4, '0')}`,
    )
    for (const number of people) await stage.world.phone(number, `Phone ${number.slice(-4)}`)
    await pairAll(stage)
    await makeGroup(stage, stage.instances[0] as string, people)
    writers = startWriters(stage, people, run.writerPauseMs)
    for (let count = 0; count < run.faults; count += 1) await strikeOnce(stage, seed + count, run)
    stage.stopping = true
    await Promise.all(writers)
    await untilOpen(stage)
    await drain(stage)
    await checkLogins(stage)
    const counts = await checkAtRest(
      stage.storeLocation,
      stage.world,
      stage.expected,
      stage.instances,
      PICTURE,
    )
    say(
      `${counts.received} received and ${counts.sent} sent by ${run.instances} instances over ${run.faults} faults`,
    )
    if (stage.judge && stage.gateway) {
      const delivered = await checkDeliveries(stage.judge, { ...stage, gateway: stage.gateway })
      say(`${delivered.events} events have arrived in ${delivered.posts} posts`)
    }
  } finally {
    stage.stopping = true
    await Promise.allSettled(writers)
    await stage.group.stop()
    await stage.end()
  }
}

/** Requests go to any node that runs. */
async function openNodeStage(run: NodeRun): Promise<NodeStage> {
  const numbers = Array.from(
    { length: run.instances },
    (_, index) => `551197100${String(index + 1).padStart(4, '0')}`,
  )
  let group: NodeStage['group'] | undefined
  const engine = {
    createLocation: async () => {
      group = await startOwnGroup(run.postgres?.start)
      return group.postgres.storeLocation
    },
  }
  const stage = await openStage(engine, numbers, run.seed, run)
  const nodes = group as unknown as NodeStage['group']
  for (let count = 0; count < run.nodes; count += 1)
    await nodes.start({ ...stage.environment, API_KEY: stage.key })
  const pick = () => {
    const ready = nodes.ready()
    const node = ready[Math.floor(stage.random() * ready.length)]
    return node ? { ...node, key: stage.key } : null
  }
  return Object.defineProperties(
    { ...stage, group: nodes },
    {
      gateway: { get: pick, enumerable: true },
    },
  )
}

/** Every fault in turn, of every length, each at the busiest node. A node that has ended is started again. */
async function strikeOnce(stage: NodeStage, turn: number, { say, postgres }: NodeRun): Promise<void> {
  const faults = postgres?.faults ?? FAULTS
  const { group } = stage
  await untilSent(stage, WORK)
  const fault = faults[turn % faults.length] as Fault
  const length = LENGTHS[Math.floor(turn / faults.length) % LENGTHS.length] as number
  const node = await busiestNode(stage)
  const startedAt = performance.now()
  await fault.strike(stage, node, length * group.leaseMs)
  const healedAt = performance.now()
  await untilOpenOnNodes(stage)
  const openAt = performance.now()
  await group.restartEnded()
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  say(`${fault.name}, ${seconds(healedAt - startedAt)} s: all open ${seconds(openAt - healedAt)} s later`)
}

/** A fault of a node without instances would show little. */
async function busiestNode({ group, storeLocation }: NodeStage): Promise<NodeProcess> {
  const rows = await withDatabase(storeLocation, (database) =>
    database.rows<{ url: string }>(
      `select url from nodes join instances on instances.node_id = nodes.id where nodes.status = 'live'
       group by nodes.id order by count(*) desc`,
    ),
  )
  const ready = group.ready()
  const found = rows.flatMap(({ url }) => ready.filter(({ nodeUrl }) => nodeUrl === url))
  return (found[0] ?? ready[0]) as NodeProcess
}

async function untilSent(stage: NodeStage, more: number): Promise<void> {
  const goal = stage.expected.sent.length + more
  while (stage.expected.sent.length < goal) await pause(10)
}

/** Open, and served by a node that is live: a stored state may be that of a node that has ended. */
async function untilOpenOnNodes({ storeLocation, instances, group }: NodeStage): Promise<void> {
  // Longer than the longest pause between two tries of a session: on a starved machine, several in a row may fail.
  const deadline = Date.now() + 360_000
  /** Of the nodes that run: one that was killed counts as live until its lease has ended. */
  const urls = () =>
    group
      .ready()
      .map(({ nodeUrl }) => `'${nodeUrl}'`)
      .join()
  for (;;) {
    const [row] = await withDatabase(storeLocation, (database) =>
      database.rows<{ count: string }>(
        `select count(*) as count from instances join nodes on nodes.id = node_id
         where state = 'open' and nodes.status = 'live' and url in (${urls()})
           and lease_until > (extract(epoch from clock_timestamp()) * 1000)::bigint`,
      ),
    ).catch(() => [])
    if (Number(row?.count) === instances.length) return
    assert.ok(Date.now() < deadline, `${row?.count} of ${instances.length} instances are open again`)
    await pause(100)
  }
}

/** No instance was closed because its login connected elsewhere, or because the network refused its keys. */
async function checkLogins({ storeLocation }: NodeStage): Promise<void> {
  const closed = await withDatabase(storeLocation, (database) =>
    database.rows<{ data: string }>(
      `select data from events where name = 'connection.update'
         and (data like '%"replaced"%' or data like '%"refused"%' or data like '%"logged_out"%')`,
    ),
  )
  assert.deepEqual(closed, [], 'no login was used twice')
}
