// The server of the database fails under random load, and its synchronous replica takes its place.
import { test } from 'node:test'
import { hasOwnPostgres } from '../cluster/support/own-postgres.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../cluster/support/replicated-postgres.ts'
import { runNodeFaults } from '../soak/node-faults.ts'

const SEED = Number(process.env.NODE_SEED ?? Date.now() % 1_000_000)

test('synchronous replication: a failover under load loses, doubles and reorders nothing', {
  skip: !hasOwnPostgres(),
}, async (t) => {
  let postgres: ReplicatedPostgres | undefined
  let isFailedOver = false
  // The second time it only waits for more messages.
  const failOver = {
    name: 'failover',
    async strike() {
      if (!isFailedOver) await postgres?.failOver()
      isFailedOver = true
    },
  }
  await runNodeFaults({
    nodes: 2,
    faults: 2,
    seed: SEED,
    instances: 3,
    people: 2,
    writerPauseMs: 100,
    withReceiver: true,
    postgres: {
      start: async () => (postgres = await startReplicatedPostgres('synchronous')),
      faults: [failOver],
    },
    say: (line) => t.diagnostic(line),
  })
})
