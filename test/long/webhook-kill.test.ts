// Kills while messages flow both ways, to people and in groups, with a receiver that is mostly down at that moment: every event
// of every acknowledged or received message arrives, with one id, first tries in order (promise C1).
import { describe, test } from 'node:test'
import { runSessionKills } from '../soak/session-kills.ts'
import { engines } from '../support/engines.ts'

/** A sample for each run: `npm run soak` makes hundreds of kills. Even numbers, because every second kill is at a failpoint. */
const KILLS = { sqlite: 6, postgres: 2 }
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)

for (const engine of engines) {
  describe(`webhooks and kills on ${engine.name}`, () => {
    test(`${KILLS[engine.name]} kills lose no event, keep every id and the order of first tries`, (t) =>
      runSessionKills({
        engine,
        kills: KILLS[engine.name],
        seed: SEED,
        instances: 2,
        people: 2,
        sendsPerKill: 15,
        writerPauseMs: 200,
        withReceiver: true,
        say: (line) => t.diagnostic(line),
      }))
  })
}
