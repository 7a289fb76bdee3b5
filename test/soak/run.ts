// Six long runs. `npm run soak -- --kills 300 [--instances 20] [--seed N] [--engine postgres]`: the kills of the test run, as many
// as wanted. `npm run soak -- --minutes 30 [--engine postgres]`: light use with failing receivers, in which memory and descriptors
// must stay level. `npm run soak -- --nodes 3 [--kills 100] [--instances 12]`: as many faults of nodes on one PostgreSQL, of which a
// server of its own is started. `npm run soak -- --exchanges 1000000 [--seed N]`: random conversations between our Signal protocol and another
// implementation of it. `npm run soak -- --hostile [--frames 500000] [--targets 4] [--seed N] [--engine postgres]`: malformed
// and forged frames at every layer of the protocol, to as many instances at the same time. `npm run soak -- --largest [--share 0.2]
// [--only TEXT] [--seed N] [--engine postgres]`: the largest frame for every field that a stranger can send, or for a random share of
// them, or for those whose name or source contains a text.
import { parseArgs } from 'node:util'
import { type Engine, engines } from '../support/engines.ts'
import { allCases } from './hostile/largest/cases.ts'
import { faultsIn, judgeAll, tableOf } from './hostile/largest/judge.ts'
import type { LayerName } from './hostile/layers.ts'
import { randomFrom } from './hostile/random.ts'
import { MAX_STALL_MS, runHostile } from './hostile/run-hostile.ts'
import { runNodeFaults } from './node-faults.ts'
import { runSessionKills } from './session-kills.ts'
import { runExchanges } from './signal-exchanges.ts'
import { runSteadyUse } from './steady-use.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    minutes: { type: 'string' },
    hostile: { type: 'boolean', default: false },
    frames: { type: 'string', default: '500000' },
    targets: { type: 'string', default: '4' },
    layers: { type: 'string' },
    largest: { type: 'boolean', default: false },
    share: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    exchanges: { type: 'string' },
    nodes: { type: 'string' },
    instances: { type: 'string', default: '20' },
    people: { type: 'string', default: '4' },
    'sends-per-kill': { type: 'string', default: '80' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const say = (line: string): void => console.log(line)

const kill = (engine: Engine): Promise<void> =>
  runSessionKills({
    engine,
    kills: Number(values.kills),
    seed: Number(values.seed),
    instances: Number(values.instances),
    people: Number(values.people),
    sendsPerKill: Number(values['sends-per-kill']),
    // Four writers or eighty: about forty sends a second are asked for.
    writerPauseMs: Number(values.instances) * Number(values.people) * 12,
    withReceiver: true,
    say,
  })

const failNodes = (nodes: number): Promise<void> =>
  runNodeFaults({
    nodes,
    faults: Number(values.kills),
    seed: Number(values.seed),
    instances: Number(values.instances),
    people: Number(values.people),
    writerPauseMs: Number(values.instances) * Number(values.people) * 12,
    withReceiver: true,
    say,
  })

async function stayLevel(engine: Engine, minutes: number): Promise<void> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort())
  const faults = await runSteadyUse({
    engine,
    minutes,
    seed: Number(values.seed),
    say,
    signal: interrupted.signal,
  })
  if (faults.length > 0) throw new Error(`not level: ${faults.join('; ')}`)
}

async function attack(chosen: Engine): Promise<void> {
  const layers = values.layers?.split(',') as LayerName[] | undefined
  const { stalls, faults } = await runHostile({
    engine: chosen,
    frames: Number(values.frames),
    seed: Number(values.seed),
    targets: Number(values.targets),
    layers,
    say,
  })
  if (stalls.length > 0)
    throw new Error(`the event loop was held for more than ${MAX_STALL_MS} ms ${stalls.length} times`)
  if (faults.length > 0) throw new Error(`not level: ${faults.join('; ')}`)
}

async function sendLargest(chosen: Engine): Promise<void> {
  const random = randomFrom(Number(values.seed))
  const cases = allCases()
    .filter(({ name, source }) => name.includes(values.only) || source === values.only)
    .filter((each) => random.chance(Number(values.share)) || each.isRepresentative)
  say(`${cases.length} cases, seed ${values.seed}`)
  const verdicts = await judgeAll({ engine: chosen, cases, say })
  for (const line of tableOf(verdicts)) say(line)
  const faults = faultsIn(verdicts)
  if (faults.length > 0) throw new Error(`${faults.length} of ${cases.length} cases cost more than they may`)
}

const engine = engines.find(({ name }) => name === values.engine)
if (!engine) throw new Error(`there is no engine ${values.engine} here`)
const startedAt = performance.now()
if (values.exchanges !== undefined) await runExchanges(Number(values.exchanges), Number(values.seed), say)
else if (values.largest) await sendLargest(engine)
else if (values.hostile) await attack(engine)
else if (values.nodes !== undefined) await failNodes(Number(values.nodes))
else if (values.minutes !== undefined) await stayLevel(engine, Number(values.minutes))
else await kill(engine)
say(`all held, in ${Math.round((performance.now() - startedAt) / 1000)} s`)
