// A fault at a failpoint of sending or receiving: an error, a hang or a kill. The phones show that nothing is lost, nothing is duplicated, and
// the order is kept (promise A3).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import type { Engine } from '../support/engines.ts'
import { FAILPOINTS, type Failing, type FiredReport, type POINTS } from '../support/failpoints.ts'
import { checkAtRest } from './history-check.ts'
import {
  drain,
  makeGroup,
  openStage,
  PICTURE,
  pairAll,
  type Stage,
  sendFrom,
  start,
  untilOpen,
  writeFrom,
} from './stage.ts'

const INSTANCE = '5511960000001'
const SENDS = 3

export interface FaultCase {
  point: (typeof POINTS)[number]
  how: Failing
}

/** Declares a test for each case, on one stage, and one that compares both sides at the end. */
export function describeFaults(engine: Engine, cases: FaultCase[]): void {
  describe(`failpoints on ${engine.name}`, () => {
    let stage: Stage
    before(async () => {
      stage = await openStage(engine, [INSTANCE], 1)
      await pairAll(stage)
    })
    after(() => stage.end())

    for (const [position, { point, how }] of cases.entries()) {
      test(`${how} at ${point}: ${FAILPOINTS[point]}`, async () => {
        // A person that was not looked up on the network before.
        const person = `55119610${String(position + 1).padStart(5, '0')}`
        const from = stage.expected.sent.length
        await stage.world.phone(person, 'Friend')
        const { gateway } = stage
        assert.ok(gateway)
        const fired = once(gateway.child, 'message').then(([report]) => (report as FiredReport).fired)
        gateway.child.send({ arm: point, how })
        const traffic = talk(stage, person)
        const died = gateway.exited.then(() => 'died')
        assert.equal(await Promise.race([fired, died]), how === 'kill' ? 'died' : point)
        if (how !== 'throw') {
          stage.gateway = null
          await gateway.stop('SIGKILL')
          await traffic
          await start(stage)
          await untilOpen(stage)
        }
        await traffic
        // The chat works, and the failed send has reached its final status.
        const last = { instance: INSTANCE, person, count: SENDS + 1 }
        while ((await sendFrom(stage, last)).status === 503);
        assert.equal(stage.expected.sent.at(-1)?.count, last.count)
        await drain(stage, from)
      })
    }

    test('at the end both sides hold the same messages, each once and in order', async () => {
      const counts = await checkAtRest(stage.storeLocation, stage.world, stage.expected, [INSTANCE], PICTURE)
      assert.ok(counts.sent >= cases.length)
    })
  })
}

/** Sends with some typing, and messages from the person; ends early when the gateway dies. */
async function talk(stage: Stage, person: string): Promise<void> {
  const pair = { instance: INSTANCE, person }
  await writeFrom(stage, { ...pair, count: 1 })
  for (let count = 1; count <= SENDS && stage.gateway; count += 1) {
    await sendFrom(stage, { ...pair, count, delayMs: 20 })
  }
  await writeFrom(stage, { ...pair, count: 2 })
  // The first message to a group comes with keys, and is stored before it is read.
  const chat = await makeGroup(stage, INSTANCE, [person])
  await writeFrom(stage, { ...pair, chat, count: 1 })
}
