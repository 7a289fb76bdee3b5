// Killed while messages flow both ways, to people and in groups, with a receiver that is mostly down at that moment: every event of
// every message that was acknowledged or received arrives, under one id, first tries in order (promise C1).
import { describe, test } from 'node:test'
import { runSessionKills } from '../soak/session-kills.ts'
import { engines } from '../support/engines.ts'

const KILLS = { sqlite: 10, postgres: 3 }
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)

for (const engine of engines) {
  describe(`webhooks and kills on ${engine.name}`, () => {
    test(`${KILLS[engine.name]} kills lose no event, change no id and keep the order of first tries`, (t) =>
      runSessionKills({
        engine,
        kills: KILLS[engine.name],
        seed: SEED,
        instances: 2,
        people: 2,
        sendsPerKill: 20,
        writerPauseMs: 100,
        withReceiver: true,
        say: (line) => t.diagnostic(line),
      }))
  })
}
