// Destinations on real brokers: every event arrives, in order, with one id, over lost connections, killed brokers and a killed gateway
// (promise C7).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DESTINATIONS } from '../../src/contract/destination-types.ts'
import { withInstance } from '../contract/fixture.ts'
import { makeHook } from '../contract/webhook-rules.ts'
import { type Broker, type BrokerType, type Consumed, startBroker, whyWithout } from '../support/brokers.ts'
import { type CutProxy, startCutProxy } from '../support/cut-proxy.ts'
import { engines } from '../support/engines.ts'
import { type Account, type Gateway, startGateway } from '../support/gateway.ts'
import { until } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { makeLoggedIn, newKey, post, startWithKey } from '../support/started.ts'

const TYPES: BrokerType[] = ['rabbitmq', 'nats', 'mqtt', 'redis']
const [sqlite = assert.fail('no engine')] = engines

const textsOf = (messages: Consumed[]): string[] =>
  messages.flatMap(({ body }) => {
    const { event, data } = JSON.parse(body) as { event?: string; data: { text: string } }
    return event === 'messages.upsert' ? [data.text] : []
  })

interface Stage {
  gateway: Gateway
  mine: Account
  instance: string
  broker: Broker
  proxy: CutProxy
  id: number
  /** Sends messages with these numbers, one after the other. */
  send(from: number, to: number): Promise<string[]>
  /** Resolves when the consumer has all of these texts. */
  untilConsumed(texts: string[]): Promise<Consumed[]>
  /** The same, and time passes for the gateway, so that retries are due: an event that is on its way may be sent again. */
  untilRetried(texts: string[]): Promise<Consumed[]>
}

/** A gateway with an instance and a destination whose broker is behind a proxy. */
async function onStage(
  type: BrokerType,
  options: { tls?: boolean; fields?: Record<string, unknown> },
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const broker = await startBroker(type, options.tls)
  const proxy = await startCutProxy(broker.port, options.tls && type !== 'nats' ? { tls: 'trusted' } : {})
  const gateway = await startGateway(sqlite)
  try {
    const { mine, instance } = await withInstance(async () => gateway)()
    const { scheme } = DESTINATIONS[type][options.tls ? 'secure' : 'plain']
    const url = `${scheme}://receiver.test:${proxy.port}`
    const body = { type, url, events: ['messages.upsert'], ...broker.fields, ...options.fields }
    const made = await mine.call('saveDestination', { body })
    assert.equal(made.status, 200, JSON.stringify(made.json))
    const { id } = made.json.destination
    const send = async (from: number, to: number): Promise<string[]> => {
      const texts = Array.from({ length: to - from }, (_, index) => `text ${from + index}`)
      for (const message of texts) {
        const sent = { instanceName: instance.name, number: '5511912345678', message }
        assert.equal((await mine.call('sendText', { body: sent })).status, 200)
      }
      return texts
    }
    const consumedAll = async (texts: string[]) => {
      const found = await broker.consumed()
      const there = new Set(textsOf(found))
      return texts.every((text) => there.has(text)) ? found : undefined
    }
    const untilConsumed = (texts: string[]) => until('all events at the broker', () => consumedAll(texts))
    const untilRetried = (texts: string[]) =>
      until('all events at the broker, some of them again', async () => {
        const found = await consumedAll(texts)
        if (found) return found
        gateway.clock.advance(60_000)
        await mine.call('saveDestination', { body: { id, enabled: true } })
        return undefined
      })
    await work({
      gateway,
      mine,
      instance: instance.name,
      broker,
      proxy,
      id,
      send,
      untilConsumed,
      untilRetried,
    })
  } finally {
    await gateway.stop()
    await proxy.close()
    await broker.close()
  }
}

for (const type of TYPES) {
  const why = await whyWithout(type)
  if (why) console.log(`SKIPPED with ${type}: ${why}`)
  describe(`destination ${type}`, { skip: why ?? false }, () => {
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
      if (type === 'rabbitmq') return t.skip('the broker of the machine is not killed')
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

/** Each text has one id, also if it came twice. */
function checkIds(found: Consumed[]): void {
  const idOf = new Map<string, string>()
  for (const { id, body } of found) {
    const { id: inBody } = JSON.parse(body) as { id: string }
    assert.equal(inBody, id)
    const [text = ''] = textsOf([{ id, body }])
    assert.equal(idOf.get(text) ?? id, id, text)
    idOf.set(text, id)
  }
  assert.equal(new Set(idOf.values()).size, idOf.size)
}

describe('destinations of a process', async () => {
  const why = await whyWithout('redis')
  for (const engine of engines)
    test(`kills of the gateway lose no event, and no password is readable, on ${engine.name}`, {
      skip: why ?? false,
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

describe('Home Assistant', async () => {
  const why = await whyWithout('mqtt')
  test('an instance is announced as a device before its first event', { skip: why ?? false }, () =>
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
