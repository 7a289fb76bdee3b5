// Kills at random and at failpoints while messages flow both ways: every acknowledged message is on the phones once and in order,
// sessions reconnect, and both sides hold the same history (promises A1, A2, B3).
import { describe, test } from 'node:test'
import { runSessionKills } from '../soak/session-kills.ts'
import { engines } from '../support/engines.ts'

/** A sample for each run: `npm run soak` makes hundreds of kills. Even numbers, because every second kill is at a failpoint. */
const KILLS = { sqlite: 6, postgres: 4 }
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)

for (const engine of engines) {
  describe(`kills of live sessions on ${engine.name}`, () => {
    test(`${KILLS[engine.name]} kills lose no message and no session`, (t) =>
      runSessionKills({
        engine,
        kills: KILLS[engine.name],
        seed: SEED,
        instances: 2,
        people: 2,
        sendsPerKill: 15,
        writerPauseMs: 200,
        say: (line) => t.diagnostic(line),
      }))
  })
}
