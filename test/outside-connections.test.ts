// Every place that opens a connection to the outside bounds what it reads (decision 0192). The others are named here, with the reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutComments } from './support/imports.ts'
import { productSources } from './support/product-sources.ts'

/** Functions that open a socket, of Node and of the libraries of brokers and proxies. */
const OPENERS = [
  /\b(?:connect|createConnection)\b[^}]*\} from 'node:(?:net|tls)'/,
  /\b(?:new )?(?:Pool|Agent|Client|WebSocket)\((?!\))/,
  /(?:\bawait|\breturn|=>?)\s+(?:fetch|request)\(/,
  /\bimport\('(?:amqplib|mqtt|@redis\/client|@nats-io\/(?:nats-core\/internal|transport-node[^']*))'\)/,
  /\bSocksClient\.createConnection\(/,
]
/** How a file goes through the mechanism. */
const BOUND = /\bguard(?:ed|Of)?\b|\bcreateConnector\b|\bopenOperatorPool\b|\bopenTunnel\b/

const REASONS: Record<string, string> = {
  'src/kernel/outbound/pools.ts': 'its caller passes the connector',
  'src/network/sandbox-link.ts': 'the sandbox',
  'src/whatsapp': 'the messaging network itself, whose frames the driver bounds',
  'src/nodes': 'other nodes of the gateway',
  'src/store': 'the database of the operator',
  'src/doors/api': 'connections that others open',
  'src/import':
    'databases that the operator names on the command line; the client of Redis has a bound of its own',
  'src/doors/cli': 'the gateway itself, a receiver of a developer, and a check that reads nothing',
  'src/contract/client.ts': 'the client of the gateway, which its caller gives the fetch',
  'src/doors/mcp': 'the handlers of this process',
  dashboard: 'runs in the browser',
}

const opens = (text: string): boolean => OPENERS.some((opener) => opener.test(withoutComments(text)))
const isNamed = (path: string): boolean =>
  Object.keys(REASONS).some((known) => path === known || path.startsWith(`${known}/`))

const openers = productSources().filter(({ text }) => opens(text))

test('every file that opens a connection to the outside bounds it, or is named with a reason', () => {
  const unbound = openers.filter(({ path, text }) => !BOUND.test(withoutComments(text)) && !isNamed(path))
  assert.deepEqual(
    unbound.map(({ path }) => path),
    [],
  )
})

test('the known places are found', () => {
  const found = new Set(openers.map(({ path }) => path))
  for (const path of [
    ...['brokers', 'connector', 'operator-pool', 'tunnel', 'pools'].map(
      (name) => `src/kernel/outbound/${name}.ts`,
    ),
    ...['rabbitmq', 'nats', 'mqtt', 'redis'].map((name) => `src/webhooks/transports/${name}.ts`),
    'src/whatsapp/library/proxied.ts',
    'src/doors/cli/import/redis-client.ts',
  ])
    assert.ok(found.has(path), path)
})

test('a planted opener is seen', () => {
  for (const text of [
    "import { connect } from 'node:net'",
    "import { connect as connectTls, type SecureContext } from 'node:tls'",
    'const pool = new Pool(endpoint, {})',
    'await fetch(url)',
    "const { default: amqp } = await import('amqplib')",
  ])
    assert.ok(opens(text), text)
  for (const text of [
    "import type { Socket } from 'node:net'",
    "import { isIP } from 'node:net'",
    'pools.request(origin)',
  ])
    assert.ok(!opens(text), text)
})
