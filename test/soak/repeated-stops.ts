// Repeated stops while messages flow: each stop exits with 0 in time, no message is lost, and no session is logged out.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '../support/engines.ts'
import { checkAtRest } from './history-check.ts'
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
} from './stage.ts'

const INSTANCES = ['5511962000001', '5511962000002']
const PEOPLE = ['5511962100001', '5511962100002', '5511962100003']

async function keepSending(stage: Stage, instance: string, person: string): Promise<void> {
  for (let count = 1; !stage.stopping; count += 1) {
    // Some are still typing when the stop comes.
    await sendFrom(stage, { instance, person, count, delayMs: count % 5 === 0 ? 300 : 0 })
    if (count % 10 === 0) await writeFrom(stage, { instance, person, count })
    // Some sends are always in flight, and the other processes of the test get their share of the machine.
    await pause(stage.gateway ? 60 : 100)
  }
}

export async function runStops(engine: Engine, stops: number): Promise<void> {
  const stage = await openStage(engine, INSTANCES, 1)
  let writers: Promise<void>[] = []
  try {
    for (const number of PEOPLE) await stage.world.phone(number, 'Friend')
    await pairAll(stage)
    writers = INSTANCES.flatMap((instance) => PEOPLE.map((person) => keepSending(stage, instance, person)))
    for (let stop = 1; stop <= stops; stop += 1) {
      await untilOpen(stage)
      const goal = stage.expected.sent.length + 15
      while (stage.expected.sent.length < goal) await pause(5)
      const { gateway } = stage
      stage.gateway = null
      // Its own clock ends a stop that takes 19 seconds, with another code.
      assert.deepEqual(await gateway?.stop('SIGTERM'), { code: 0, signal: null }, `stop ${stop}`)
      await start(stage)
    }
    stage.stopping = true
    await Promise.all(writers)
    await untilOpen(stage)
    await drain(stage)
    const { sent } = await checkAtRest(stage.storeLocation, stage.world, stage.expected, INSTANCES, PICTURE)
    assert.ok(sent >= stops * 15)
  } finally {
    stage.stopping = true
    await Promise.allSettled(writers)
    await stage.end()
  }
}
