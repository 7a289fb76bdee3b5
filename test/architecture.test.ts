// The shape of the code: who may import whom, and the few habits that a machine can hold us to (ARCHITECTURE.md).
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { type Layer, positionOf } from './support/features.ts'
import { findCycle, type Import, importsOf, packageOf, type Source, valuesFrom } from './support/imports.ts'
import { isTest, productSources, sources, usesIn } from './support/product-sources.ts'

/** What every door may know; features follow from its line. */
const WITHIN_DOORS = ['kernel', 'network port', 'store', 'context', 'tracer', 'request-handler']

/**
 * What a room around the features may import: rooms, single files, and a layer with those below it. A room is a folder, or a file beside the
 * folders. `contract` and `errors` are open to all. What is not named here has no place yet: give it one.
 */
const ROOMS: Record<string, { rooms: readonly string[]; features?: Layer; isOpen?: boolean }> = {
  contract: { rooms: [] },
  // A page in a browser: what callers see is all it knows of us.
  dashboard: { rooms: ['contract', 'errors'] },
  errors: { rooms: ['contract'] },
  'config-forms': { rooms: [] },
  config: { rooms: ['config-forms'] },
  // Mechanisms without knowledge of the product. Its answers name the errors of the network.
  kernel: { rooms: ['network/network.ts'] },
  'network port': { rooms: [] },
  // Both ends of the line encrypt for groups, and with the secrets of messages.
  'network/group-ciphers.ts': { rooms: [] },
  'network/message-secrets.ts': { rooms: [] },
  whatsapp: {
    rooms: ['network port', 'network/group-ciphers.ts', 'network/message-secrets.ts', 'kernel'],
  },
  // Another program, which takes the port, the ciphers and mechanisms.
  sandbox: {
    rooms: ['network port', 'network/group-ciphers.ts', 'network/message-secrets.ts', 'kernel'],
  },
  // The gateway's end of the sandbox.
  'network/sandbox-link.ts': { rooms: ['network port'] },
  'network/sandbox-process.ts': { rooms: ['network port', 'network/sandbox-link.ts', 'kernel'] },
  // The database as a whole: engines, tables, and the one port behind which the operations of all features stand.
  store: { rooms: ['network/jid.ts', 'kernel', 'doors/conformance-templates.ts'], features: 'store' },
  // What use cases, handlers and traces get: types alone.
  context: { rooms: ['network port', 'store', 'tracer'], features: 'use cases' },
  tracer: { rooms: [], features: 'store' },
  'request-handler': { rooms: ['context', 'tracer'], features: 'use cases' },
  metrics: { rooms: ['store', 'kernel'] },
  'data-dir': { rooms: ['config', 'kernel'], features: 'rules' },
  // Loaded by `app` only while traces are on.
  tracing: { rooms: ['tracer', 'kernel'], features: 'store' },
  // The live sessions of this process.
  sessions: { rooms: ['network port', 'store', 'kernel', 'tracer'], features: 'use cases' },
  'doors/api': { rooms: [...WITHIN_DOORS, 'config', 'doors/chatwoot/handlers.ts'], features: 'handlers' },
  // Other APIs, translated onto the routes and use cases of this one.
  'doors/evolution': { rooms: [...WITHIN_DOORS, 'doors', 'doors/api'], features: 'handlers' },
  'doors/cloud': { rooms: [...WITHIN_DOORS, 'doors', 'doors/api'], features: 'handlers' },
  // What the dialects share.
  doors: { rooms: [...WITHIN_DOORS, 'doors/api'], features: 'use cases' },
  // Tools for agents: calls of the API with the key of the agent.
  'doors/mcp': { rooms: [...WITHIN_DOORS, 'doors/api'], features: 'use cases' },
  // A help desk, reached by its API: deliveries to it, and the posts that come back.
  'doors/chatwoot': { rooms: [...WITHIN_DOORS, 'doors/api'], features: 'handlers' },
  // The command line composes parts without a server, and calls nodes as another node would.
  'doors/cli': {
    rooms: [
      ...WITHIN_DOORS,
      'config',
      'data-dir',
      'serve',
      'app/maintenance.ts',
      'app/open-store.ts',
      'app/outbound.ts',
      // `mcp` serves the tools of /mcp over its standard input and output.
      'doors/mcp/stdio.ts',
      // What the export of another gateway says is translated as its calls are.
      'doors/evolution',
      'whatsapp/library/foreign-session.ts',
    ],
    features: 'use cases',
  },
  // Composition: parts are built here and handed to each other.
  app: { rooms: [], isOpen: true },
  serve: { rooms: ['app', 'config', 'kernel', 'data-dir'] },
  main: { rooms: ['serve', 'config', 'kernel'] },
}
const OPEN_TO_ALL = ['contract', 'errors']

/** The rooms that the layers of a feature may import. */
const RULES = ['network port', 'kernel']
const STORE = [...RULES, 'store']
const USE_CASES = [...STORE, 'context', 'tracer']
const ROOMS_OF_LAYER: Record<Layer, readonly string[]> = {
  rules: RULES,
  store: STORE,
  'use cases': USE_CASES,
  handlers: [...USE_CASES, 'request-handler'],
}
const LAYER_ORDER: readonly Layer[] = ['rules', 'store', 'use cases', 'handlers']

/** Packages that stand for a decision stay behind the folder that made it. `store` is that layer of every feature. */
const STORES = ['src/store', 'store']
const WIRE = ['src/whatsapp', 'sandbox', 'src/network/group-ciphers.ts']
const BROKERS = ['src/webhooks/transports']
const PACKAGES: Record<string, readonly string[]> = {
  react: ['dashboard'],
  fastify: [
    'src/doors',
    'src/kernel/http',
    'src/accounts',
    'src/instances',
    'src/request-handler.ts',
    'src/app',
    'sandbox',
  ],
  '@modelcontextprotocol/server': ['src/doors/mcp'],
  kysely: STORES,
  // The database of another program, which an import reads.
  pg: [...STORES, 'src/doors/cli/import'],
  'node:sqlite': [...STORES, 'sandbox'],
  baileys: WIRE,
  libsignal: WIRE,
  // Decoding of received messages with a bound.
  protobufjs: ['src/whatsapp'],
  sharp: ['src/files/media'],
  socks: ['src/kernel/outbound'],
  amqplib: BROKERS,
  mqtt: BROKERS,
  '@nats-io/nats-core': BROKERS,
  '@nats-io/jetstream': BROKERS,
  '@nats-io/transport-node': BROKERS,
  '@redis/client': BROKERS,
  undici: ['src/kernel/outbound', 'src/whatsapp', 'src/network/sandbox-link.ts', 'src/nodes'],
  // The doctor asks whether the network can be reached, the command line talks to the gateway itself.
  'node:tls': ['src/kernel/outbound', 'src/whatsapp', 'src/doors/cli', 'src/nodes'],
  'node:dns': ['src/kernel/outbound', 'src/doors/cli'],
  'node:net': [
    'src/kernel',
    'src/accounts',
    'src/doors/api',
    'src/whatsapp',
    'sandbox',
    'src/network/sandbox-link.ts',
    'src/nodes',
    // Redis, at the address that the operator gives.
    'src/doors/cli/import',
  ],
  'node:https': ['src/whatsapp', 'src/network/sandbox-link.ts', 'src/nodes'],
  'node:http': ['src/doors', 'src/kernel/http', 'src/accounts', 'src/whatsapp', 'sandbox', 'src/nodes'],
  'node:http2': [],
  'node:dgram': [],
}
/** What callers see must be loadable anywhere, a browser included. */
const PACKAGES_OF_CONTRACT = new Set(['zod'])

const product = productSources()
const everything = sources(
  'src/**/*.ts',
  'sandbox/**/*.ts',
  'packages/*/{src,test}/**/*.ts',
  'dashboard/**/*.{ts,tsx}',
  'test/**/*.ts',
  'bench/**/*.ts',
  'scripts/**/*.ts',
)

/** What the rules above may know of any network: its port, and messages in words of no network's own. */
const NETWORK_PORT = new Set([
  'network.ts',
  'arrival-names.ts',
  'client-version.ts',
  'jid.ts',
  'message.ts',
  'groups.ts',
  'chats.ts',
  'calls.ts',
  'passkey.ts',
  'people.ts',
])

function roomOf(path: string): string {
  if (path.startsWith('dashboard/')) return 'dashboard'
  if (path.startsWith('sandbox/')) return 'sandbox'
  const [, first = '', second = ''] = path.split('/')
  if (first === 'network') return NETWORK_PORT.has(second) ? 'network port' : `network/${second}`
  if (first === 'doors') return second.endsWith('.ts') ? 'doors' : `doors/${second}`
  return first.replace(/\.ts$/, '')
}

function violations(files: readonly Source[]): string[] {
  return files.flatMap(importsOf).flatMap((entry) => {
    const fault = /^(src|sandbox|dashboard)\//.test(entry.to) ? faultOfPart(entry) : faultOfPackage(entry)
    return fault ? [`${entry.from} imports ${entry.to}: ${fault}`] : []
  })
}

const isBase = (path: string): boolean => OPEN_TO_ALL.includes(roomOf(path))

function faultOfPart({ from, to }: Import): string | undefined {
  const position = positionOf(from)
  const target = positionOf(to)
  if (position)
    return target
      ? faultInFeatures(position, target)
      : faultOfRoom([...ROOMS_OF_LAYER[position.layer], ...OPEN_TO_ALL], to)
  const room = ROOMS[roomOf(from)]
  if (!room) return `${roomOf(from)} has no place in the rule`
  if (room.isOpen || roomOf(from) === roomOf(to)) return undefined
  if (!target) return faultOfRoom(isBase(from) ? room.rooms : [...room.rooms, ...OPEN_TO_ALL], to)
  return room.features && LAYER_ORDER.indexOf(target.layer) <= LAYER_ORDER.indexOf(room.features)
    ? undefined
    : 'not allowed'
}

type Position = NonNullable<ReturnType<typeof positionOf>>

/** Rules and stores of all features may know each other; their files have no cycles. Use cases and handlers follow the order. */
function faultInFeatures(from: Position, to: Position): string | undefined {
  const own = LAYER_ORDER.indexOf(from.layer)
  const other = LAYER_ORDER.indexOf(to.layer)
  if (other > own) return 'a layer above its own'
  const isOrdered = from.layer === 'use cases' || from.layer === 'handlers'
  return isOrdered && other === own && to.feature > from.feature ? 'a feature above its own' : undefined
}

function faultOfRoom(allowed: readonly string[], to: string): string | undefined {
  return allowed.includes(roomOf(to)) || allowed.includes(to.replace('src/', '')) ? undefined : 'not allowed'
}

function faultOfPackage({ from, to }: Import): string | undefined {
  if (to.startsWith('import(')) return 'cannot be checked'
  if (to.startsWith('test/') || to.startsWith('..')) return 'outside src'
  const name = packageOf(to)
  if (from.startsWith('src/contract/') && !PACKAGES_OF_CONTRACT.has(name)) return 'not for every place'
  const homes = PACKAGES[name]
  const isHome = (home: string): boolean =>
    from === home || from.startsWith(`${home}/`) || positionOf(from)?.layer === home
  return homes && !homes.some(isHome) ? 'not its place' : undefined
}

describe('who may import whom', () => {
  test('every import in src follows the rule', () => {
    assert.ok(product.length > 50, 'the sources were found')
    assert.deepEqual(violations(product), [])
  })

  test('no test in src imports from bench: what both need is in test/support', () => {
    const fromBench = (files: readonly Source[]) =>
      files.flatMap(importsOf).filter(({ to }) => to.startsWith('bench/'))
    assert.deepEqual(fromBench(sources('src/**/*.ts', 'sandbox/**/*.ts', 'packages/*/src/**/*.ts')), [])
    const planted = { path: 'src/chats/a.test.ts', text: "import { a } from '../../bench/a.ts'" }
    assert.equal(fromBench([planted]).length, 1)
  })

  const planted: [text: string, path: string][] = [
    ["import { a } from '../../app/start.ts'", 'src/doors/evolution/planted.ts'],
    ["import { a } from '../doors/evolution/serve.ts'", 'src/chats/planted.ts'],
    ["import { a } from '../doors/evolution/serve.ts'", 'src/chats/handlers.ts'],
    ["import { a } from '../chats/chats.ts'", 'src/accounts/planted.ts'],
    ["import { a } from './chats.ts'", 'src/chats/rules-planted.ts'],
    ["import { a } from './chats.ts'", 'src/chats/planted-queries.ts'],
    ["import { a } from './handlers.ts'", 'src/chats/planted.ts'],
    ["import { a } from './chat-queries.ts'", 'src/chats/rules.ts'],
    ["import { a } from '../store/store.ts'", 'src/chats/rules.ts'],
    ["import { send } from '../messages/messages.ts'", 'src/store/planted.ts'],
    ["import type { Caller } from '../accounts/caller.ts'", 'src/network/network.ts'],
    ["import type { Caller } from '../accounts/caller.ts'", 'src/kernel/planted.ts'],
    ["import {\n  a,\n  b,\n} from '../doors/api/server.ts'", 'src/chats/planted.ts'],
    ["export * from '../app/start.ts'", 'src/sessions/planted.ts'],
    ["await import('../../app/start.ts')", 'src/doors/cli/planted.ts'],
    ['await import(name)', 'src/chats/planted.ts'],
    ["import '../errors.ts'", 'src/contract/planted.ts'],
    ["import { readFile } from 'node:fs/promises'", 'src/contract/planted.ts'],
    ["import pg from 'pg'", 'src/chats/planted.ts'],
    ["import { engines } from '../../test/support/engines.ts'", 'src/store/planted.ts'],
    ["import { request } from 'node:https'", 'src/chats/planted.ts'],
    ["import { connect } from 'node:tls'", 'src/webhooks/planted.ts'],
    ["import { lookup } from 'node:dns/promises'", 'src/chats/planted.ts'],
    ["import { a } from '../contract/route.ts'", 'src/new-part/planted.ts'],
    ["import { a } from '../src/accounts/caller.ts'", 'sandbox/planted.ts'],
    ["import { a } from '../../src/accounts/caller.ts'", 'dashboard/features/planted.tsx'],
    ["import { a } from '../../dashboard/gateway/api.ts'", 'src/doors/planted.ts'],
    ["import { useState } from 'react'", 'src/doors/planted.ts'],
  ]
  for (const [text, path] of planted) {
    test(`the check finds: ${text.replaceAll(/\s+/g, ' ')} in ${path}`, () => {
      assert.equal(violations([{ path, text }]).length, 1)
    })
  }

  test('the check lets through what is allowed, and reads no comment as code', () => {
    const text =
      "// as in import { a } from '../app/start.ts'\nimport { a } from '../store/store.ts'\nimport { z } from 'zod'"
    assert.deepEqual(violations([{ path: 'src/chats/planted.ts', text }]), [])
  })
})

describe('import cycles', () => {
  test('there is none in any room, tests and packages included, nor through type imports', () => {
    assert.equal(findCycle(everything)?.join(' → '), undefined)
  })

  test('the check finds a cycle of three files, one import of which is a type', () => {
    const file = (name: string, text: string): Source => ({ path: `src/chats/${name}.ts`, text })
    const a = file('a', "import { b } from './b.ts'")
    const b = file('b', "import { c } from './c.ts'")
    const c = file('c', "import type { A } from './a.ts'")
    assert.deepEqual(findCycle([a, b, c]), [a.path, b.path, c.path, a.path])
    assert.equal(findCycle([a, b, file('c', '')]), undefined)
  })
})

const uses = (pattern: RegExp, allowed: readonly string[], files: readonly Source[] = product): string[] =>
  usesIn(files, pattern, allowed)

describe('what a thread loads', () => {
  // Every start of a gateway, and every SQLite store of a test, waits for this thread.
  test('the thread of SQLite loads no schema', () => {
    const texts = new Map(productSources().map((source) => [source.path, source]))
    const loaded = new Set(['src/store/engines/sqlite/worker.ts'])
    for (const path of loaded)
      for (const to of valuesFrom(texts.get(path) ?? { path, text: '' })) loaded.add(to)
    assert.ok(loaded.has('src/contract/message-values.ts') && loaded.has('node:sqlite'))
    assert.ok(!loaded.has('zod'), [...loaded].filter((path) => path.includes('contract')).join(', '))
  })
})

describe('one place for each way out and in', () => {
  const ENVIRONMENT = /\bprocess\.env\b/
  test('only the processes hand the environment to its schema', () => {
    assert.deepEqual(uses(ENVIRONMENT, ['src/main.ts', 'src/doors/cli/main.ts', 'sandbox/main.ts']), [])
    assert.deepEqual(uses(ENVIRONMENT, [], [{ path: 'src/chats/planted.ts', text: 'process.env.HOME' }]), [
      'src/chats/planted.ts',
    ])
  })

  // One client with an address guard, because every other one follows redirects and reaches private addresses. The typed
  // client and the command line talk to the gateway itself, at an address that their own user gives; the drivers talk to the
  // messaging network; nodes talk to each other at the addresses that their operator gives.
  const REQUEST =
    /(?<![.\w])(?:fetch|request|createConnection)\s*\(|globalThis\.fetch|\bhttps?\.(?:request|get)\s*\(|\bnew WebSocket\(/
  const CLIENTS = [
    'src/kernel/outbound',
    'src/network',
    'src/whatsapp',
    'sandbox',
    'src/nodes/node-client.ts',
    'src/contract/client.ts',
    'src/doors/cli',
    'dashboard/gateway/api.ts',
  ]
  test('only the guarded client makes requests to the outside', () => {
    assert.deepEqual(uses(REQUEST, CLIENTS), [])
    for (const text of [
      'await fetch(url)',
      'globalThis.fetch',
      'https.request(url)',
      'http.get(url)',
      'request(url)',
    ]) {
      assert.equal(uses(REQUEST, CLIENTS, [{ path: 'src/chats/planted.ts', text }]).length, 1, text)
    }
  })
})

describe('one place for the clocks', () => {
  // The wall clock can be set while the process runs. Each part takes the clock that it needs as a parameter (decision 0115).
  const WALL_CLOCK = /\bDate\.now\b|\bnew Date\(\s*\)|(?<!\bnew )\bDate\(\)/
  // The sandbox is another machine, a browser has a clock of its own, and receivers of webhooks run the verification.
  const READERS = ['src/kernel/async/clock.ts', 'sandbox', 'dashboard', 'src/contract/verify-delivery.ts']
  test('only the clock module reads the wall clock', () => {
    assert.deepEqual(uses(WALL_CLOCK, READERS), [])
    for (const text of [
      'const at = Date.now()',
      'clock = Date.now',
      'new Date()',
      'new Date( ).getTime()',
      'Date()',
    ])
      assert.equal(uses(WALL_CLOCK, READERS, [{ path: 'src/chats/planted.ts', text }]).length, 1, text)
    assert.deepEqual(
      uses(WALL_CLOCK, READERS, [{ path: 'src/chats/planted.ts', text: 'new Date(atMs); // Date.now()' }]),
      [],
    )
  })
})

describe('names of types', () => {
  const DECLARATION = /^export (?:declare )?(?:interface|type) (\w+)/gm
  /** Names that more than one file exports, with these files. */
  function declaredTwice(files: readonly Source[]): string[] {
    const found = files.flatMap(({ path, text }) =>
      [...text.matchAll(DECLARATION)].map(([, name = '']) => ({ name, path })),
    )
    return [...Map.groupBy(found, ({ name }) => name)]
      .filter(([, places]) => places.length > 1)
      .map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`)
  }

  test('each exported name is declared once: one meaning is imported, another one has another name', () => {
    assert.deepEqual(declaredTwice([...productSources(), ...sources('packages/*/src/**/*.ts')]), [])
    const twice = ['src/chats/a.ts', 'dashboard/app/b.ts'].map((path) => ({
      path,
      text: 'export type Page = 1',
    }))
    assert.deepEqual(declaredTwice(twice), ['Page: src/chats/a.ts, dashboard/app/b.ts'])
  })
})

describe('files', () => {
  const MAX_LINES = 600
  const VAGUE = /(^|[-.])(utils?|helpers?|managers?|base|misc|common)([-.]|$)/

  test(`none is longer than ${MAX_LINES} lines`, () => {
    const long = everything.filter(({ text }) => text.trimEnd().split('\n').length > MAX_LINES)
    assert.deepEqual(
      long.map(({ path }) => path),
      [],
    )
  })

  test('each is named in kebab-case, by what it holds', () => {
    const odd = everything
      .map(({ path }) => basename(path))
      .filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.tsx?$/.test(name) || VAGUE.test(name))
    assert.deepEqual(odd, [])
    assert.match('http-utils.ts', VAGUE)
    assert.doesNotMatch('database.ts', VAGUE)
  })

  // A test says in its own name what it is about.
  test('each but the tests opens with a sentence on what lives there', () => {
    const silent = everything.filter((source) => !isTest(source) && !/^\/(\/ \S|\*\*)/.test(source.text))
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    )
  })
})
