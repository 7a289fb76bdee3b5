// Killed at random while messages flow both ways: sessions come back by themselves, and both sides hold the same (promise B3).
import { describe, test } from 'node:test'
import { runSessionKills } from '../soak/session-kills.ts'
import { engines } from '../support/engines.ts'

const KILLS = { sqlite: 10, postgres: 3 }
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)

for (const engine of engines) {
  describe(`kills of live sessions on ${engine.name}`, () => {
    test(`${KILLS[engine.name]} kills lose no message and no session`, (t) =>
      runSessionKills({
        engine,
        kills: KILLS[engine.name],
        seed: SEED,
        say: (line) => t.diagnostic(line),
      }))
  })
}
