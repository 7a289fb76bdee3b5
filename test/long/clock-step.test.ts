// A clock that is set forward by an hour while the server runs: sessions and chats go on, scheduled messages are neither early nor
// expired, and the step is reported (decision 0115).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runCliHere, settingsOf } from '../support/cli.ts'
import {
  clockOf,
  expectNormal,
  HOUR_MS,
  metricOf,
  SHORT_KEEP_ALIVE,
  schedule,
  setClock,
  untilClock,
} from '../support/clock-step.ts'
import { engines } from '../support/engines.ts'
import { linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { programFile } from '../support/program.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const STEPS = 'switchboard_clock_steps_total{clock="wall clock"}'

for (const engine of engines)
  describe(`a clock that is set forward on ${engine.name}`, () => {
    test('nothing is early, late or expired, the connection stays open, and the step is reported', async () => {
      const storeLocation = await engine.createLocation()
      let gateway: Started | undefined
      try {
        gateway = await startWithKey(
          storeLocation,
          newKey(),
          SHORT_KEEP_ALIVE,
          programFile('short-lease-server'),
        )
        const server = gateway
        const [owner, friend] = [newNumber(), newNumber()]
        const name = await linkedInstance(server, owner)
        await world(server, 'POST /phones', { number: friend })
        const talk = { gateway: server, name, owner, friend }
        const scheduled = await schedule(talk)
        assert.deepEqual([(await clockOf(server)).state, await metricOf(server, STEPS)], ['steady', 0])

        setClock(server, HOUR_MS)
        await until('the step', async () => ((await metricOf(server, STEPS)) === 1 ? true : undefined))
        if (engine.name === 'sqlite') {
          const { differenceMs } = await untilClock(server, 'stepped')
          assert.ok(Math.abs(differenceMs - HOUR_MS) < 5000, String(differenceMs))
          const doctor = await runCliHere(
            ['doctor', '--json', '--url', server.url],
            settingsOf(storeLocation),
          )
          const found = (doctor.json.findings as { check: string; status: string; found: string }[]).find(
            ({ check, status }) => check === 'server' && status === 'warning',
          )
          assert.match(found?.found ?? '', /a clock was set while it runs: it is 3\d{3} s ahead/)
        } else assert.equal((await clockOf(server)).state, 'steady', 'the database is the reference')
        await expectNormal(talk, scheduled)
        await until('the log line', async () =>
          server.stdout().includes('a clock was set while the gateway runs') ? true : undefined,
        )

        setClock(server, -HOUR_MS)
        await untilClock(server, 'steady')
      } finally {
        await gateway?.stop('SIGKILL')
        await storeLocation.dispose()
      }
    })
  })
