// `npm run soak -- --kills 300 [--instances 20] [--seed N] [--engine postgres]`: the kills of the test run, as many as wanted.
import { parseArgs } from 'node:util'
import { engines } from '../support/engines.ts'
import { runSessionKills } from './session-kills.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    instances: { type: 'string', default: '20' },
    people: { type: 'string', default: '4' },
    'sends-per-kill': { type: 'string', default: '80' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const engine = engines.find(({ name }) => name === values.engine)
if (!engine) throw new Error(`there is no engine ${values.engine} here`)
const startedAt = performance.now()
await runSessionKills({
  engine,
  kills: Number(values.kills),
  seed: Number(values.seed),
  instances: Number(values.instances),
  people: Number(values.people),
  sendsPerKill: Number(values['sends-per-kill']),
  // Four writers or eighty: about forty sends a second are asked for.
  writerPauseMs: Number(values.instances) * Number(values.people) * 12,
  withReceiver: true,
  say: (line) => console.log(line),
})
console.log(`all held, in ${Math.round((performance.now() - startedAt) / 1000)} s`)
