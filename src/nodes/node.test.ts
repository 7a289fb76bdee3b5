// Nodes on one database under random schedules: slow calls, lost answers, frozen processes, wrong clocks, an unreachable database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Timer, Timers } from '../kernel/async/timers.ts'
import { StoreError } from '../kernel/store-error.ts'
import type { Leases, Renewal } from '../store/leases.ts'
import { type RunningNode, startNode } from './node.ts'
import { leaseTimes } from './rules.ts'

const times = leaseTimes(12)
const NODES = 3
const LASTS_MS = 100_000
/** By then every fault is over, and a node must have taken over. */
const FAULTS_END_MS = 60_000
/** Each run draws other schedules. `npm run test:long` draws more; `LEASE_SCHEDULES=10000` searches longer at once. */
const SCHEDULES = Number(process.env.LEASE_SCHEDULES ?? 100)

interface Row {
  id: number
  name: string
  url: string | null
  status: Renewal['status']
  leaseUntil: number
}

/** Instances that the nodes divide among each other. */
const INSTANCES = [1, 2, 3, 4]

/** An interval in which a node is frozen, or cannot reach the database. */
interface Fault {
  node: number
  kind: 'frozen' | 'cut off' | 'suspended'
  from: number
  lastsMs: number
}

interface Schedule {
  faults: Fault[]
  /** How long a call takes on its way there, and its answer on the way back. Both together take less than the limit of a call. */
  delays: number[]
  /** How fast the clock of each node runs. Its wall clock plays no part. */
  clocks: { rate: number }[]
}

/** Virtual time: one thing after the other, and what a node does after each runs to its end before the next. */
function createWorld({ faults, delays, clocks }: Schedule) {
  let time = 0
  let order = 0
  let calls = 0
  const queue: { at: number; order: number; run: () => void }[] = []
  const rows = new Map<number, Row>()
  /** By instance: the node that serves it. */
  const owners = new Map<number, number>()
  const isServing = (id: number | undefined) =>
    id !== undefined && ['live', 'draining'].includes(rows.get(id)?.status ?? '')
  const untaken = () => INSTANCES.filter((instance) => !isServing(owners.get(instance)))
  const isAt = (node: number, kind: Fault['kind'], at: number) =>
    faults.find(
      (each) => each.node === node && each.kind === kind && at >= each.from && at < each.from + each.lastsMs,
    )
  /** When a node that is frozen or suspended goes on. */
  const thawed = (node: number, at: number): number => {
    const stop = isAt(node, 'frozen', at) ?? isAt(node, 'suspended', at)
    return stop ? thawed(node, stop.from + stop.lastsMs) : at
  }
  const suspendedMs = (node: number): number =>
    faults
      .filter((each) => each.node === node && each.kind === 'suspended' && each.from < time)
      .reduce((sum, { from, lastsMs }) => sum + Math.min(lastsMs, time - from), 0)
  function schedule(at: number, run: () => void): () => void {
    const entry = { at, order: (order += 1), run }
    queue.push(entry)
    return () => void (queue.includes(entry) && queue.splice(queue.indexOf(entry), 1))
  }
  function onNode(node: number, at: number, run: () => void): void {
    schedule(at, () => (thawed(node, time) === time ? run() : onNode(node, thawed(node, time), run)))
  }
  const timersOf = (node: number): Timers => {
    const later = (run: () => void, ms: number): Timer => {
      let isCleared = false
      onNode(node, time + ms, () => void (isCleared || run()))
      return { unref: () => undefined, clear: () => void (isCleared = true) } as Timer
    }
    return {
      setTimeout: later,
      clearTimeout: (timer) => (timer as { clear?: () => void } | undefined)?.clear?.(),
      setInterval: later,
      clearInterval: () => undefined,
    }
  }
  /** A call takes effect at the database on its way, even if its answer is lost. */
  const call = <T>(node: number, work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const delay = () => delays[(calls += 1) % delays.length] ?? 0
      const arrivesAt = time + delay()
      if (isAt(node, 'cut off', time)) {
        onNode(node, time + 2000, () => reject(new StoreError('unavailable', 'cut off')))
        return
      }
      schedule(arrivesAt, () => {
        const result = work()
        const isLost = isAt(node, 'cut off', time)
        const answersAt = isLost ? time + 2000 : time + delay()
        onNode(node, answersAt, () =>
          isLost ? reject(new StoreError('unavailable', 'lost')) : resolve(result),
        )
      })
    })
  const others = (id: number) =>
    [...rows.values()]
      .filter((row) => row.id !== id && row.status === 'live')
      .map((row) => Object.assign({ startedAt: 0, isDraining: false, instances: 0 }, row))
  const declareDead = (id: number, gone: number[], ended: number[]): number[] =>
    [...rows.values()].flatMap((row) => {
      const isGone = (gone.includes(row.id) && row.leaseUntil < time) || ended.includes(row.id)
      if (row.status !== 'live' || row.id === id || !isGone) return []
      row.status = 'dead'
      return [row.id]
    })
  const leasesOf = (node: number): Leases => ({
    register: ({ id, name, url }, leaseMs) =>
      call(node, () => {
        rows.set(id, { id, name, url, status: 'standby', leaseUntil: time + leaseMs })
        return time
      }),
    renew: (id, leaseMs) =>
      call(node, () => {
        const row = rows.get(id)
        const found = { leaseUntil: row?.leaseUntil ?? null, timeline: '1', now: time }
        const isRenewed = row !== undefined && row.status !== 'dead'
        if (isRenewed) row.leaseUntil = time + leaseMs
        const status = row?.status ?? 'dead'
        const server = { timeline: '1', isSynchronous: false, at: time }
        const renewed = isRenewed ? { ...server, leaseUntil: row.leaseUntil } : undefined
        const seen = { databaseNow: time, others: others(id), untaken: untaken().length }
        return { status, ...seen, found, renewed, recorded: server }
      }),
    activate: (id, leaseMs, { gone, ended }) =>
      call(node, () => {
        declareDead(id, gone, ended)
        const row = rows.get(id)
        if (!row || row.status !== 'standby') return false
        if (others(id).some(({ url }) => row.url === null || url === null)) return false
        Object.assign(row, { status: 'live', leaseUntil: time + leaseMs })
        return true
      }),
    end: (id, gone) => call(node, () => declareDead(id, gone, [])),
    setDraining: async () => undefined,
    leave: async () => undefined,
    recover: async () => assert.fail('no commit was lost'),
    trust: async () => undefined,
    close: async () => undefined,
  })
  return {
    rows,
    /**
     * As `takeInstances`: one at a time, and only for a live node. Resolves with all instances of the node, as the comparison of
     * states with sessions finds them: the answer to an earlier call may have been lost.
     */
    take: (node: number, id: number) =>
      call(node, () => {
        const [instance] = untaken()
        if (instance !== undefined && rows.get(id)?.status === 'live') owners.set(instance, id)
        return INSTANCES.filter((each) => owners.get(each) === id)
      }),
    timersOf,
    leasesOf,
    isRunning: (node: number) => thawed(node, time) === time,
    now: (node: number) => {
      const { rate } = clocks[node] as Schedule['clocks'][number]
      return { monotonicMs: (time - suspendedMs(node)) * rate, suspendedMs: suspendedMs(node) * rate }
    },
    async run(untilMs: number, check: () => void): Promise<void> {
      for (;;) {
        // Everything that a node does at once, without waiting for time to pass.
        for (let turns = 0; turns < 8; turns += 1) await Promise.resolve()
        check()
        queue.sort((a, b) => a.at - b.at || a.order - b.order)
        const next = queue[0]
        if (!next || next.at > untilMs) return
        queue.shift()
        // Between two events, the last moment before the next one is when a lease is oldest.
        time = Math.max(time, next.at - 1)
        check()
        time = Math.max(time, next.at)
        next.run()
      }
    },
  }
}

const fault = fc.record({
  node: fc.nat({ max: NODES - 1 }),
  kind: fc.constantFrom<Fault['kind']>('frozen', 'cut off', 'suspended'),
  from: fc.nat({ max: FAULTS_END_MS / 2 }),
  lastsMs: fc.nat({ max: FAULTS_END_MS / 2 }),
})
const schedules = fc.record({
  faults: fc.array(fault, { maxLength: 6 }),
  delays: fc.array(fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 50 }) }, fc.nat({ max: 900 })), {
    minLength: 1,
    maxLength: 12,
  }),
  clocks: fc.array(
    fc.record({
      rate: fc.constantFrom(1, 0.999, 1.001),
    }),
    { minLength: NODES, maxLength: NODES },
  ),
})
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

type World = ReturnType<typeof createWorld>

/** Starts a node, and again after each end of its life. */
function runNode(
  world: World,
  index: number,
  url: string | null,
  { onStarted, onRenewed }: { onStarted(node: RunningNode, id: number): void; onRenewed(id: number): void },
): void {
  function start(life: number): void {
    const id = index + 1 + life * NODES
    void startNode({
      leases: world.leasesOf(index),
      times,
      ended: [],
      now: () => world.now(index),
      timers: world.timersOf(index),
      random: () => 0.5,
      logger: silent,
      node: { id, name: `node ${index}`, url, version: '1' },
      countInstances: () => 0,
      onRenewed: () => onRenewed(id),
      // Started again by its supervisor.
      onOver: () => start(life + 1),
    }).then(
      (node) => onStarted(node, id),
      () => start(life + 1),
    )
  }
  start(0)
}

test('without addresses: two nodes never both may send, and after all faults one may', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const world = createWorld(schedule)
      const nodes: (RunningNode | undefined)[] = []
      for (let index = 0; index < NODES; index += 1)
        runNode(world, index, null, {
          onStarted: (node) => (nodes[index] = node),
          onRenewed: () => undefined,
        })
      const open = () =>
        nodes.flatMap((node, index) => (node?.gate.isOpen() && world.isRunning(index) ? [index] : []))
      await world.run(LASTS_MS, () =>
        assert.ok(open().length <= 1, `nodes ${open().join(' and ')} may both send`),
      )
      assert.equal(open().length, 1, 'one node is live in the end')
      assert.equal([...world.rows.values()].filter(({ status }) => status === 'live').length, 1)
    }),
    { numRuns: SCHEDULES },
  )
})

test('with addresses: no instance is ever used by two nodes, and after all faults every one is used', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const world = createWorld(schedule)
      /** By node: its life, and the instances that it takes itself to serve. */
      const lives = new Map<number, { node: RunningNode | undefined; id: number; instances: Set<number> }>()
      for (let index = 0; index < NODES; index += 1)
        runNode(world, index, `http://node-${index}:7000`, {
          onStarted(node, id) {
            const known = lives.get(index)
            lives.set(index, { node, id, instances: known?.id === id ? known.instances : new Set() })
          },
          onRenewed(id) {
            const life = lives.get(index)
            if (life?.id !== id) lives.set(index, { node: undefined, id, instances: new Set() })
            void world.take(index, id).then(
              (instances) => {
                const now = lives.get(index)
                if (now?.id === id) for (const instance of instances) now.instances.add(instance)
              },
              () => undefined,
            )
          },
        })
      const usersOf = (instance: number) =>
        [...lives].flatMap(([index, { node, instances }]) =>
          instances.has(instance) && node?.gate.isOpen() && world.isRunning(index) ? [index] : [],
        )
      await world.run(LASTS_MS, () => {
        for (const instance of INSTANCES)
          assert.ok(
            usersOf(instance).length <= 1,
            `nodes ${usersOf(instance).join(' and ')} use one instance`,
          )
      })
      for (const instance of INSTANCES)
        assert.equal(usersOf(instance).length, 1, `instance ${instance} is used`)
    }),
    { numRuns: SCHEDULES },
  )
})
