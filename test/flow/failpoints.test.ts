// Between every two steps of sending and receiving something fails: thrown, hung or killed. Judged by the phones, nothing is lost,
// nothing is twice, and the order is kept (promise A3).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { checkAtRest } from '../soak/history-check.ts'
import {
  drain,
  openStage,
  PICTURE,
  pairAll,
  type Stage,
  sendFrom,
  start,
  untilOpen,
  writeFrom,
} from '../soak/stage.ts'
import { engines } from '../support/engines.ts'
import { FAILPOINTS, type Failing, type FiredReport, POINTS } from '../support/failpoints.ts'

const INSTANCE = '5511960000001'
const HOW: readonly Failing[] = ['throw', 'hang', 'kill']
const SENDS = 3

/** On PostgreSQL each point is met once, one way after the other; on SQLite in all three ways. */
const casesOn = {
  sqlite: POINTS.flatMap((point) => HOW.map((how) => ({ point, how }))),
  postgres: POINTS.map((point, index) => ({ point, how: HOW[index % HOW.length] as Failing })),
}

for (const engine of engines) {
  describe(`failpoints on ${engine.name}`, () => {
    let stage: Stage
    before(async () => {
      stage = await openStage(engine, [INSTANCE], 1)
      await pairAll(stage)
    })
    after(() => stage.end())

    for (const [place, { point, how }] of casesOn[engine.name].entries()) {
      test(`${how} at ${point}: ${FAILPOINTS[point]}`, async () => {
        // A person whom nobody has asked the network for yet.
        const person = `55119610${String(place + 1).padStart(5, '0')}`
        const from = stage.told.sent.length
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
        // The chat works, and what failed has come to its end.
        const last = { instance: INSTANCE, person, count: SENDS + 1 }
        while ((await sendFrom(stage, last)).status === 503);
        assert.equal(stage.told.sent.at(-1)?.count, last.count)
        await drain(stage, from)
      })
    }

    test('at the end both sides hold the same, each once and in order', async () => {
      const counts = await checkAtRest(stage.place, stage.world, stage.told, [INSTANCE], PICTURE)
      assert.ok(counts.sent >= casesOn[engine.name].length)
    })
  })
}

/** Sends with some typing, and a word from the person; ends early where the gateway dies. */
async function talk(stage: Stage, person: string): Promise<void> {
  const pair = { instance: INSTANCE, person }
  await writeFrom(stage, { ...pair, count: 1 })
  for (let count = 1; count <= SENDS && stage.gateway; count += 1) {
    await sendFrom(stage, { ...pair, count, delayMs: 20 })
  }
  await writeFrom(stage, { ...pair, count: 2 })
}
