// Fresh accounts that write to each other at the same moment start sessions in both directions at once. Nothing is lost or doubled,
// between two gateways and between a gateway and a phone. Each gateway is a process of its own, as two installations are.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const [sqlite] = engines as [(typeof engines)[number]]
const COUNT = 100
/** Each round has accounts of its own: a crossing depends on chance. */
const ROUNDS = Number(process.env.CROSSING_ROUNDS ?? 3)

interface Line {
  gateway: Started
  name: string
  number: string
}

describe('messages that cross', () => {
  const locations: StoreLocation[] = []
  const gateways: Started[] = []
  before(async () => {
    const network = await onOwnSandbox()
    for (let count = 0; count < 2; count += 1) {
      const location = await sqlite.createLocation()
      locations.push(location)
      gateways.push(await startWithKey(location, newKey(), network))
    }
  })
  after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')))
    await Promise.all(locations.map((location) => location.dispose()))
  })

  const linked = async (index: number): Promise<Line> => {
    const [gateway, number] = [gateways[index] as Started, newNumber()]
    return { gateway, number, name: await linkedInstance(gateway, number) }
  }
  const texts = (name: string) => Array.from({ length: COUNT }, (_, index) => `${name} ${index}`)
  /** A busy machine refuses some of many requests with 503. They are repeated, and one key means one message. */
  async function send({ gateway, name }: Line, number: string, message: string): Promise<string> {
    const body = { instanceName: name, number, message, delay: 0 }
    const headers = { 'idempotency-key': randomUUID() }
    return until(`an answer to ${message}`, async () => {
      const { status, json } = await ask(gateway, 'POST /api/v1/send/text', body, headers)
      if (status === 503) return undefined
      assert.equal(status, 200, JSON.stringify(json))
      return json.messageId as string
    })
  }
  const sendAll = (line: Line, number: string, prefix: string): Promise<string[]> =>
    Promise.all(texts(prefix).map((message) => send(line, number, message)))
  /** What an instance received from a person. */
  const received = async ({ gateway, name }: Line, from: string): Promise<string[]> => {
    const found: { type: string; content: { text?: string } }[] = []
    for (let page = 1; ; page += 1) {
      const query = `instanceName=${name}&number=${from}&direction=incoming&limit=100&page=${page}`
      const { messages, hasMore } = await api(gateway, `GET /messages?${query}`)
      found.push(...messages)
      if (!hasMore) return found.map(({ content, type }) => content.text ?? type)
    }
  }
  const getsAll = async (line: Line, from: string, prefix: string): Promise<void> => {
    const all = await until(`the messages of ${prefix}`, async () => {
      const found = await received(line, from)
      return found.length >= COUNT ? found : undefined
    })
    assert.deepEqual(all.toSorted(), texts(prefix).toSorted())
  }

  for (let round = 1; round <= ROUNDS; round += 1) {
    test(`instances of two gateways get all messages of each other once, round ${round}`, async () => {
      const [ana, bob] = await Promise.all([linked(0), linked(1)])
      await Promise.all([sendAll(ana, bob.number, 'ana'), sendAll(bob, ana.number, 'bob')])
      await Promise.all([getsAll(bob, ana.number, 'ana'), getsAll(ana, bob.number, 'bob')])
    })

    test(`an instance and a phone get all messages of each other once, round ${round}`, async () => {
      const [ana, phone] = [await linked(0), newNumber()]
      await world(ana.gateway, 'POST /phones', { number: phone })
      const fromPhone = texts('phone').map((text) =>
        world(ana.gateway, `POST /phones/${phone}/send`, { to: ana.number, text }),
      )
      const [sent] = await Promise.all([sendAll(ana, phone, 'to the phone'), ...fromPhone])
      await getsAll(ana, phone, 'phone')
      const show = (id: string) =>
        until(`message ${id} on the phone`, async () => {
          const { status, json } = await ask(
            ana.gateway,
            `GET /sandbox/v1/phones/${phone}/messages/${id}?waitMs=30000`,
          )
          return status === 200 ? (json as { message: { text: string } }) : undefined
        })
      const shown = await Promise.all(sent.map(show))
      assert.deepEqual(shown.map(({ message }) => message.text).toSorted(), texts('to the phone').toSorted())
    })
  }
})
