// Which URLs of brokers are accepted, and that a connection is only opened to checked addresses.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, test } from 'node:test'
import { FORBIDDEN } from '../../../test/support/address-table.ts'
import type { DestinationType } from '../../contract/destination-types.ts'
import { realTimers } from '../async/timers.ts'
import { createAddressGuard, parseAllowTargets } from './address-guard.ts'
import { createBrokers } from './brokers.ts'
import { createOwnListeners } from './own-listeners.ts'
import { createSocketGuard } from './socket-guard.ts'
import { createTargetCheck, TargetRefused } from './target.ts'

function brokersWith(allowed: string[], addresses: string[] = []) {
  const allow = parseAllowTargets(allowed)
  const guard = createAddressGuard(allow.blocks)
  const own = createOwnListeners()
  const resolve = async () => addresses
  const common = {
    resolve,
    resolveAllowed: resolve,
    extraCa: [],
    connectMs: 5000,
    answerBytes: 1000,
    timers: realTimers,
  }
  const brokers = createBrokers(
    { guard, allow, own, ...common },
    createTargetCheck({ guard, allow, ownUrls: [], own }),
  )
  return { brokers, own }
}

const hrefOf = (type: DestinationType, text: string, allowed: string[] = []): string => {
  const target = brokersWith(allowed).brokers.check(type, text)
  return target instanceof TargetRefused ? target.message : target.href
}

describe('the URL of a broker', () => {
  test('is normalized, with the port of its scheme', () => {
    assert.equal(hrefOf('rabbitmq', 'amqps://Broker.Example.com/crm'), 'amqps://broker.example.com:5671/crm')
    assert.equal(hrefOf('rabbitmq', 'AMQPS://example.com:443/'), 'amqps://example.com:443')
    assert.equal(hrefOf('nats', 'tls://example.com'), 'tls://example.com:4222')
    assert.equal(hrefOf('mqtt', 'mqtts://example.com'), 'mqtts://example.com:8883')
    assert.equal(hrefOf('redis', 'rediss://example.com/3'), 'rediss://example.com:6379/3')
    const queue = 'https://sqs.eu-central-1.amazonaws.com/1/events'
    assert.equal(hrefOf('sqs', queue), queue)
  })

  test('is refused with another scheme, credentials, a query, or without TLS', () => {
    const expected =
      'expected amqps://host without credentials and query, or amqp:// to a host in ALLOW_TARGETS'
    for (const text of [
      'amqp://example.com',
      'https://example.com',
      'amqps:example.com',
      'amqps://',
      'amqps://user@example.com',
      'amqps://:pass@example.com',
      'amqps://example.com?frameMax=1',
      'amqps://example.com#a',
      'amqps://example.com:99999',
      '',
    ])
      assert.equal(hrefOf('rabbitmq', text), expected, text)
    assert.equal(hrefOf('rabbitmq', 'amqp://example.com', ['example.com']), 'amqp://example.com:5672')
    assert.match(hrefOf('rabbitmq', 'amqps://exam\nple.com'), /^expected/)
  })

  test('is refused with every address that webhooks may not have, in any spelling', () => {
    for (const [address] of FORBIDDEN) {
      const host = address.includes(':') ? `[${address}]` : address
      assert.equal(hrefOf('redis', `rediss://${host}`), 'expected a host with a public address', address)
    }
    for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', 'localhost', 'a.localhost'])
      assert.equal(hrefOf('mqtt', `mqtts://${host}`), 'expected a host with a public address', host)
  })
})

describe('a connection to a broker', () => {
  const target = (port: number) => {
    const checked = brokersWith(['127.0.0.1', 'broker.test']).brokers.check(
      'redis',
      `redis://broker.test:${port}`,
    )
    assert.ok(!(checked instanceof TargetRefused))
    return checked
  }
  const never = new AbortController().signal
  const guard = createSocketGuard({ allowanceBytes: 1000, tooMuch: () => new Error('too much') })

  test('goes to the address that was resolved and checked', async () => {
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { brokers } = brokersWith(['broker.test'], ['127.0.0.1'])
    const socket = await brokers.open(target(port), guard)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    assert.equal(chunk.toString(), 'hello')
    socket.destroy()
    server.close()
  })

  test('is refused for a name with a private address, and for the gateway itself', async () => {
    const { brokers } = brokersWith([], ['8.8.8.8', '10.0.0.1'])
    await assert.rejects(brokers.reach(target(6379), never), TargetRefused)
    const { brokers: allowed, own } = brokersWith(['broker.test'], ['127.0.0.1'])
    own.add('127.0.0.1', 8080)
    await assert.rejects(allowed.open(target(8080), guard), TargetRefused)
  })
})
