// Destinations on real brokers: every event arrives, in order, with one id, over lost connections, killed brokers and a killed gateway
// (promise C7).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makeHook } from '../contract/webhook-rules.ts'
import { BROKER_TYPES, reasonsWithout, startBroker } from '../support/brokers.ts'
import { checkIds, onStage, textsOf } from '../support/destination-stage.ts'
import { engines } from '../support/engines.ts'
import { until } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { makeLoggedIn, newKey, post, startWithKey } from '../support/started.ts'

const missing = await reasonsWithout()

for (const type of BROKER_TYPES) {
  describe(`destination ${type}`, { skip: missing[type] ?? false }, () => {
    test('events arrive in order over TLS, and the test message is confirmed', () =>
      onStage(type, { tls: true }, async ({ mine, id, proxy, send, untilConsumed }) => {
        const tested = await mine.call('testDestination', { params: { id } })
        assert.deepEqual([tested.json.attempt.error, tested.json.delivered], [null, true])
        const texts = await send(0, 20)
        assert.deepEqual(textsOf(await untilConsumed(texts)), texts)
        assert.equal(proxy.connections(), 1, 'one connection for all messages')
        const [attempt] = await until('the recorded attempt', async () => {
          const query = { limit: 1, status: 'delivered' }
          const list = await mine.call('listDestinationDeliveries', { params: { id }, query })
          return list.json.deliveries[0]?.attempts
        })
        assert.equal(attempt.status, null)
        assert.match(attempt.answer, /Confirmed|of the stream/)
      }))

    test('nothing is lost and no id changes when connections are cut under load', () =>
      onStage(type, {}, async ({ mine, id, proxy, send, untilConsumed, untilRetried }) => {
        const first = await send(0, 10)
        await untilConsumed(first)
        proxy.cut()
        const second = await send(10, 20)
        await until('a failed delivery', async () => {
          const { destination } = (await mine.call('getDestination', { params: { id } })).json
          return destination.failingSince === null ? undefined : true
        })
        proxy.open()
        const third = await send(20, 30)
        const found = await untilRetried([...first, ...second, ...third])
        checkIds(found)
        await until('the success is noted', async () => {
          const { destination } = (await mine.call('getDestination', { params: { id } })).json
          return destination.failingSince === null ? true : undefined
        })
      }))

    test('a broker that is killed and started again under load gets every event', async (t) => {
      if (type === 'rabbitmq') return t.skip('its own server starts slowly: test/long/broker-kill.test.ts')
      await onStage(type, {}, async ({ broker, send, untilConsumed, untilRetried }) => {
        const first = await send(0, 10)
        await untilConsumed(first.slice(0, 3))
        const [second] = await Promise.all([send(10, 40), broker.kill?.()])
        await broker.startAgain?.()
        const third = await send(40, 50)
        checkIds(await untilRetried([...first, ...second, ...third]))
      })
    })

    test('a broker that goes silent delays no other receiver, and stops in time', () =>
      onStage(type, {}, async ({ mine, proxy, send, untilConsumed }) => {
        const before = await send(0, 3)
        await untilConsumed(before)
        proxy.silence()
        const { receiver } = await makeHook(mine, { events: ['messages.upsert'] })
        const texts = await send(3, 23)
        const got = await receiver.until(20)
        assert.deepEqual(
          got.map(({ json }) => json.data.text),
          texts,
        )
      }))

    test('a broker that is full delays no other receiver, and gets every event once it has room', async (t) => {
      if (type === 'mqtt') return t.skip('Mosquitto confirms, and drops what a full session does not take')
      await onStage(type, {}, async ({ mine, id, broker, send, untilConsumed, untilRetried }) => {
        const before = await send(0, 3)
        await untilConsumed(before)
        await broker.fill?.()
        const { receiver } = await makeHook(mine, { events: ['messages.upsert'] })
        const texts = await send(3, 23)
        const got = await receiver.until(20)
        assert.deepEqual(
          got.map(({ json }) => json.data.text),
          texts,
        )
        const refused = await until('a refused delivery', async () => {
          const { json } = await mine.call('listDestinationDeliveries', {
            params: { id },
            query: { limit: 1 },
          })
          return json.deliveries[0]?.attempts[0]
        })
        assert.match(refused.error, /\bfull\b/)
        assert.deepEqual(textsOf(await broker.consumed()), before)
        await broker.makeRoom?.()
        checkIds(await untilRetried([...before, ...texts]))
      })
    })

    test('a connection is closed when the destination changes and when the gateway stops', () =>
      onStage(type, {}, async ({ gateway, mine, id, proxy, send, untilConsumed }) => {
        await untilConsumed(await send(0, 2))
        assert.equal(proxy.connections(), 1)
        await mine.call('saveDestination', { body: { id, username: 'nobody', password: 'wrong' } })
        const tested = await mine.call('testDestination', { params: { id } })
        const isOpenToAll = type === 'mqtt'
        assert.equal(tested.json.delivered, isOpenToAll)
        if (!isOpenToAll) assert.equal(tested.json.attempt.error, 'The broker refused the login.')
        await gateway.app.stop()
        await until('no connection', async () => (proxy.connections() === 0 ? true : undefined))
      }))
  })
}

describe('destinations of a process', () => {
  for (const engine of engines)
    test(`kills of the gateway lose no event, and no password is readable, on ${engine.name}`, {
      skip: missing.redis ?? false,
    }, async () => {
      const at = await engine.createLocation()
      const broker = await startBroker('redis')
      const key = newKey()
      const settings = { ALLOW_TARGETS: '127.0.0.1', ...(await onSharedSandbox()) }
      const start = () => startWithKey(at, key, settings)
      let gateway = await start()
      try {
        const url = `redis://127.0.0.1:${broker.port}`
        const body = { type: 'redis', url, events: ['messages.upsert'], ...broker.fields }
        const made = await post(gateway, '/destinations', body)
        assert.equal(made.status, 200, await made.text())
        const instanceName = await makeLoggedIn(gateway, at)
        const texts: string[] = []
        for (const round of [1, 2]) {
          for (let count = 0; count < 15; count += 1) {
            const message = `round ${round} text ${count}`
            const sent = await post(gateway, '/send/text', { instanceName, number: '5511912345678', message })
            if (sent.status === 200) texts.push(message)
          }
          await gateway.stop('SIGKILL')
          gateway = await start()
        }
        const found = await until('all events', async () => {
          const all = await broker.consumed()
          const there = new Set(textsOf(all))
          return texts.every((text) => there.has(text)) ? all : undefined
        })
        assert.equal(texts.length, 30)
        checkIds(found)
        await gateway.stop('SIGTERM')
        assert.doesNotMatch(gateway.stdout() + gateway.stderr(), /a password of redis/)
        if (engine.name === 'sqlite') {
          const file = await readFile(join(at.directory, 'switchboard.db'))
          assert.ok(file.includes('redis://127.0.0.1'), 'the file has the row of the destination')
          assert.ok(!file.includes('a password of redis'))
        }
      } finally {
        await gateway.stop('SIGKILL')
        await broker.close()
        await at.dispose()
      }
    })
})

describe('Home Assistant', () => {
  test('an instance is announced as a device before its first event', { skip: missing.mqtt ?? false }, () =>
    onStage('mqtt', { fields: { homeAssistant: true } }, async ({ instance, send, untilConsumed }) => {
      const found = await untilConsumed(await send(0, 2))
      const bodies = found.map(({ body }) => JSON.parse(body))
      const [announced] = bodies
      assert.equal(announced.device.name, 'Support')
      const { [`switchboard_${instance}_message`]: entity } = announced.components
      assert.equal(entity.state_topic, `events/${instance}/messages.upsert`)
      assert.equal(bodies.filter(({ device }) => device !== undefined).length, 1, 'it is announced once')
    }),
  )
})
