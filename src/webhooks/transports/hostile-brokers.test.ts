// Brokers that answer without end, never, or close the connection in the middle: each message fails, what is read is bounded, and no
// connection stays.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { authority } from '../../../test/support/certificates.ts'
import { type HostileOptions, startHostileServer } from '../../../test/support/hostile-server.ts'
import { manualTime } from '../../../test/support/manual-time.ts'
import { DESTINATIONS, type DestinationType } from '../../contract/destination-types.ts'
import { createOutbound } from '../../kernel/outbound/client.ts'
import { createDestinations } from './destinations.ts'

/** The buffers of the system and of the server's sockets, in addition to what the gateway reads. */
const BUFFERED_BYTES = 32 * 1024 * 1024

const INFO = (tls: boolean) =>
  `INFO ${JSON.stringify({ server_id: 'x', version: '2.11.0', proto: 1, headers: true, max_payload: 1024, tls_required: tls })}\r\n`
const HEARTBEAT = Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xce])
const CONNACK = Buffer.from([0x20, 3, 0, 0, 0])
const PINGRESP = Buffer.from([0xd0, 0])

/** What a server of the type says, so that the client believes it, and then repeats. */
const ENDLESS: Record<Exclude<DestinationType, 'sqs'>, Record<string, HostileOptions>> = {
  redis: {
    'one long answer': { afterBytes: 1, greeting: '$999999999\r\n', endless: 'x' },
    'confirmations that answer nothing': { afterBytes: 1, endless: '+OK\r\n' },
    'lists in lists': { afterBytes: 1, endless: '*1\r\n' },
  },
  nats: {
    'a first line without end': { greeting: 'INFO {', endless: 'x' },
    'confirmations that answer nothing': { greeting: INFO(false), endless: 'PONG\r\n+OK\r\n' },
    'a message without a subscription': {
      greeting: `${INFO(false)}PONG\r\nMSG a 1 999999999\r\n`,
      endless: 'x',
    },
  },
  rabbitmq: {
    'one long frame': {
      afterBytes: 1,
      greeting: Buffer.from([1, 0, 0, 0x3f, 0xff, 0xff, 0xff]),
      endless: 'x',
    },
    heartbeats: { afterBytes: 1, endless: HEARTBEAT },
  },
  mqtt: {
    'one long packet': { afterBytes: 1, greeting: Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), endless: 'x' },
    'answers to pings that were not sent': { afterBytes: 1, greeting: CONNACK, endless: PINGRESP },
  },
}
const TYPES = Object.keys(ENDLESS) as Exclude<DestinationType, 'sqs'>[]

const OPTIONS = {
  topic: 'events',
  username: 'user',
  password: 'secret',
  exchange: null,
  maxLength: null,
  region: null,
  homeAssistant: false,
}
const EVENT = {
  id: 'evt_1_1',
  event: 'messages.upsert',
  instance: 'support',
  displayName: null,
  at: 0,
  body: JSON.stringify({ id: 'evt_1_1' }),
}

describe('hostile brokers', () => {
  let directory = ''
  before(async () => void (directory = await mkdtemp(join(tmpdir(), 'hostile-'))))
  after(() => rm(directory, { recursive: true }))

  async function publishTo(type: DestinationType, hostile: HostileOptions) {
    const time = manualTime(1_700_000_000_000)
    const server = await startHostileServer(hostile)
    const outbound = createOutbound({
      allowTargets: ['receiver.test', '127.0.0.1'],
      extraCa: [authority()],
      directory,
      resolver: async () => ['127.0.0.1'],
    })
    const owners = new Map([[1, true]])
    const destinations = createDestinations({
      outbound,
      clock: time.now,
      forSignatures: time.now,
      timers: time.timers,
      findOwners: async () => owners,
    })
    const { scheme } = DESTINATIONS[type][hostile.tls ? 'secure' : 'plain']
    const url = `${scheme}://receiver.test:${server.port}`
    const attempt = destinations.publishEvent({ id: 1, type, url, options: OPTIONS }, EVENT)
    const end = async () => {
      destinations.close()
      await outbound.close()
      await server.close()
    }
    return { time, server, destinations, owners, attempt, end }
  }

  for (const type of TYPES)
    for (const [what, hostile] of Object.entries(ENDLESS[type]))
      for (const tls of type === 'nats' ? [false] : [false, true])
        test(`${type} sends ${what}${tls ? ' over TLS' : ''}`, async () => {
          const { server, attempt, end } = await publishTo(type, { ...hostile, tls })
          try {
            const { error } = await attempt
            assert.ok(error, 'the message is not confirmed')
            await server.untilClosed()
            assert.ok(server.sentBytes() < BUFFERED_BYTES, `${server.sentBytes()} bytes`)
          } finally {
            await end()
          }
        })

  test('nats answers without end once TLS has begun', async () => {
    const hostile = { greeting: INFO(true), tls: 'later', endless: 'PONG\r\n+OK\r\n' } as const
    const { server, attempt, end } = await publishTo('nats', hostile)
    try {
      assert.ok((await attempt).error)
      await server.untilClosed()
      assert.ok(server.sentBytes() < BUFFERED_BYTES)
    } finally {
      await end()
    }
  })

  for (const type of TYPES)
    for (const tls of type === 'nats' ? [false] : [false, true]) {
      const over = tls ? ' over TLS' : ''
      test(`${type} never answers${over}: the connection is given up`, async () => {
        const { time, server, attempt, end } = await publishTo(type, { tls })
        try {
          await server.untilConnected()
          await time.advance(10_000)
          assert.ok((await attempt).error)
          await server.untilClosed()
        } finally {
          await end()
        }
      })

      test(`${type} never answers${over}: the connection ends with its destination`, async () => {
        const { server, destinations, owners, attempt, end } = await publishTo(type, { tls })
        try {
          await server.untilConnected()
          owners.clear()
          await destinations.review()
          assert.ok((await attempt).error)
          await server.untilClosed()
        } finally {
          await end()
        }
      })

      test(`${type} never answers${over}: the connection ends with the gateway`, async () => {
        const { server, destinations, attempt, end } = await publishTo(type, { tls })
        try {
          await server.untilConnected()
          destinations.close()
          assert.ok((await attempt).error)
          await server.untilClosed()
        } finally {
          await end()
        }
      })

      test(`${type} closes the connection in the middle${over}`, async () => {
        const { server, attempt, end } = await publishTo(type, {
          tls,
          afterBytes: 1,
          greeting: 'I',
          closes: true,
        })
        try {
          assert.ok((await attempt).error)
          await server.untilClosed()
        } finally {
          await end()
        }
      })
    }
})
