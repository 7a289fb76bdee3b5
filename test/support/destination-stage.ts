// A gateway with a destination on a real broker, and what a consumer of that broker must have seen.
import assert from 'node:assert/strict'
import { DESTINATIONS } from '../../src/contract/destination-types.ts'
import { withInstance } from '../contract/fixture.ts'
import { type Broker, type BrokerType, type Consumed, startBroker } from './brokers.ts'
import { type CutProxy, startCutProxy } from './cut-proxy.ts'
import { engines } from './engines.ts'
import { type Account, type Gateway, startGateway } from './gateway.ts'
import { until } from './linked.ts'

const [sqlite = assert.fail('no engine')] = engines

export const textsOf = (messages: Consumed[]): string[] =>
  messages.flatMap(({ body }) => {
    const { event, data } = JSON.parse(body) as { event?: string; data: { text: string } }
    return event === 'messages.upsert' ? [data.text] : []
  })

export interface Stage {
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

export interface StageOptions {
  tls?: boolean
  /** A server that can be killed, also of RabbitMQ. */
  own?: boolean
  fields?: Record<string, unknown>
}

/** A gateway with an instance and a destination whose broker is behind a proxy. */
export async function onStage(
  type: BrokerType,
  options: StageOptions,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const broker = await startBroker(type, options)
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
    const waits = { untilConsumed, untilRetried }
    await work({ gateway, mine, instance: instance.name, broker, proxy, id, send, ...waits })
  } finally {
    await gateway.stop()
    await proxy.close()
    await broker.close()
  }
}

/** Each text has one id, also if it came twice. */
export function checkIds(found: Consumed[]): void {
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
