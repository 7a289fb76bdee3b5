// The clock of one of two nodes is set forward by an hour: its sessions and chats go on, and scheduled messages of both nodes are
// neither early nor expired (decision 0115).
import { describe, test } from 'node:test'
import { startGroup } from '../cluster/support/nodes.ts'
import {
  expectNormal,
  HOUR_MS,
  metricOf,
  SHORT_KEEP_ALIVE,
  schedule,
  setClock,
} from '../support/clock-step.ts'
import { engines } from '../support/engines.ts'
import { linkedInstance, newNumber, until, world } from '../support/linked.ts'

const engine = engines.find(({ name }) => name === 'postgres')

if (engine)
  describe('the clock of one of two nodes is set forward', () => {
    test('the instances of both nodes go on', async () => {
      const group = await startGroup(engine)
      try {
        const stepped = await group.startNode(undefined, SHORT_KEEP_ALIVE)
        const friend = newNumber()
        await world(stepped, 'POST /phones', { number: friend })
        // A node takes instances that are created on it.
        const begin = async (gateway: typeof stepped) => {
          const owner = newNumber()
          return { gateway, owner, friend, name: await linkedInstance(gateway, owner) }
        }
        const first = await begin(stepped)
        const other = await group.startNode(undefined, SHORT_KEEP_ALIVE)
        const talks = [first, await begin(other)]
        const scheduled = await Promise.all(talks.map(schedule))
        setClock(stepped, HOUR_MS)
        const steps = 'switchboard_clock_steps_total{clock="wall clock"}'
        await until('the step', async () => ((await metricOf(stepped, steps)) === 1 ? true : undefined))
        // Calls between nodes are signed with the time: over the other node, and directly.
        for (const gateway of [other, stepped])
          await Promise.all(
            talks.map((talk, index) =>
              expectNormal({ ...talk, gateway }, scheduled[index] as Awaited<ReturnType<typeof schedule>>),
            ),
          )
      } finally {
        await group.stop()
      }
    })
  })
