// Killed at random and at failpoints while messages flow both ways: what was acknowledged is on the phones once and in order,
// sessions come back by themselves, and both sides hold the same (promises A1, A2, B3).
import { describe, test } from 'node:test'
import { runSessionKills } from '../soak/session-kills.ts'
import { engines } from '../support/engines.ts'

const KILLS = { sqlite: 20, postgres: 5 }
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)

for (const engine of engines) {
  describe(`kills of live sessions on ${engine.name}`, () => {
    test(`${KILLS[engine.name]} kills lose no message and no session`, (t) =>
      runSessionKills({
        engine,
        kills: KILLS[engine.name],
        seed: SEED,
        instances: 3,
        people: 3,
        sendsPerKill: 20,
        writerPauseMs: 150,
        say: (line) => t.diagnostic(line),
      }))
  })
}
