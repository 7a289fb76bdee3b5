// A sample of faults of nodes on a PostgreSQL server of their own, while messages flow both ways: nothing is lost, doubled or out of
// order, every event arrives, and no login is used twice. `npm run soak -- --nodes 3` makes hundreds of them.
import { test } from 'node:test'
import { hasOwnPostgres } from '../cluster/support/own-postgres.ts'
import { runNodeFaults } from '../soak/node-faults.ts'

/** Each run begins at another fault. */
const SEED = Number(process.env.NODE_SEED ?? Date.now() % 1_000_000)

test('faults of nodes lose no message and no session', { skip: !hasOwnPostgres() }, (t) =>
  runNodeFaults({
    nodes: 3,
    faults: 3,
    seed: SEED,
    instances: 4,
    people: 2,
    writerPauseMs: 300,
    withReceiver: true,
    say: (line) => t.diagnostic(line),
  }),
)
