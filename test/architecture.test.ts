// The shape of the code: who may import whom, and the few habits that a machine can hold us to (ARCHITECTURE.md).
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { findCycle, type Import, importsOf, packageOf, type Source, valuesFrom } from './support/imports.ts'
import { isTest, productSources, sources, usesIn } from './support/product-sources.ts'

/**
 * What each part of src may import, beside itself. A part is a folder, or a file that stands beside the folders.
 * `contract` and `errors` are open to all. What is not named here has no place yet: give it one.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  contract: [],
  // A page in a browser: what callers see is all it knows of us.
  dashboard: [],
  errors: ['contract'],
  'config-forms': [],
  config: ['config-forms'],
  // Mechanisms without knowledge of the gateway.
  async: [],
  process: ['async'],
  // The lower floor: these know nothing of what is built on them.
  'network port': [],
  rules: ['network port'],
  // Rows and queries contain jids; the store knows nothing else of the network.
  store: ['rules', 'network/jid.ts', 'async', 'process', 'sending rules', 'sending store'],
  outbound: ['async'],
  // Both ends of the line encrypt for groups, and with the secrets of messages.
  'network/group-ciphers.ts': [],
  'network/message-secrets.ts': [],
  'network/whatsapp': [
    'network port',
    'outbound',
    'network/group-ciphers.ts',
    'network/message-secrets.ts',
    'async',
  ],
  'network/sandbox': [
    'network port',
    'network/group-ciphers.ts',
    'network/message-secrets.ts',
    'process',
    'async',
  ],
  // The gateway's end of the sandbox, which is a process of its own.
  'network/sandbox-link.ts': ['network port'],
  'network/sandbox-process.ts': ['network port', 'network/sandbox-link.ts', 'process'],
  metrics: ['store', 'async'],
  'data-dir': ['config', 'rules', 'store', 'outbound'],
  files: ['store', 'outbound', 'async'],
  // Sources of sessions that other programs have made: they read, and give texts.
  import: ['async'],
  // Conversions of files to send.
  media: ['rules', 'async'],
  // Loaded by `app` only while traces are on.
  tracing: ['domain', 'rules', 'store', 'outbound', 'async'],
  // A feature is a folder; what its files may import follows from their names.
  'sending rules': ['rules', 'network port'],
  'sending store': ['sending rules', 'rules', 'store', 'network/jid.ts', 'async'],
  sending: ['sending rules', 'sending store', 'rules', 'store', 'network port', 'domain', 'async'],
  'sending handlers': ['sending', 'sending rules', 'rules', 'domain', 'http'],
  // Use cases, and the work that goes on without a request.
  domain: ['rules', 'store', 'network port', 'async', 'sending', 'sending rules'],
  sessions: ['rules', 'store', 'network port', 'domain', 'async'],
  cluster: ['rules', 'store', 'network port', 'async'],
  workers: ['rules', 'store', 'network port', 'domain', 'outbound', 'async'],
  // The entrances. Of store and network, http knows only their errors.
  http: [
    'rules',
    'domain',
    'sending',
    'sending handlers',
    'network port',
    'kernel/store-error.ts',
    'async',
    'process',
  ],
  // Other APIs, translated onto the routes and use cases of this one.
  compat: ['http', 'domain', 'rules', 'network port', 'async'],
  // Tools for agents: calls of the API with the key of the agent.
  mcp: ['http', 'domain', 'async'],
  // A help desk, reached by its API: deliveries to it, and the posts that come back.
  chatwoot: ['http', 'domain', 'sending', 'rules', 'store', 'network port', 'outbound', 'async'],
  // Brokers that get events in place of a webhook.
  destinations: ['domain', 'rules', 'outbound', 'async'],
  // The doctor calls nodes as another node would.
  cli: [
    'rules',
    'domain',
    'config',
    'data-dir',
    'app/maintenance.ts',
    'nodes/node-client.ts',
    'nodes/node-tls.ts',
    'nodes/signing.ts',
    // The doctor looks for the same program.
    'files/media/ffmpeg.ts',
    // `mcp` serves the tools of /mcp over its standard input and output.
    'doors/mcp/stdio.ts',
    // `webhooks listen` signs as the worker does.
    'webhooks/sign.ts',
    'serve',
    'process',
    'async',
  ],
  // Composition: parts are built here and handed to each other.
  app: ['*'],
  serve: ['app', 'config', 'process', 'data-dir', 'async'],
  main: ['serve', 'config', 'process'],
}
const OPEN_TO_ALL = ['contract', 'errors']

/** Packages that stand for a decision stay behind the part that made it. */
const PACKAGES: Record<string, readonly string[]> = {
  react: ['dashboard'],
  fastify: ['http', 'compat', 'chatwoot', 'mcp', 'app', 'network/sandbox'],
  '@modelcontextprotocol/server': ['mcp'],
  kysely: ['store', 'sending store'],
  // The database of another program, which an import reads.
  pg: ['store', 'import', 'sending store'],
  'node:sqlite': ['store', 'network/sandbox', 'sending store'],
  baileys: ['network/whatsapp', 'network/sandbox', 'network/group-ciphers.ts'],
  libsignal: ['network/whatsapp', 'network/sandbox', 'network/group-ciphers.ts'],
  // Decoding of received messages with a bound.
  protobufjs: ['network/whatsapp'],
  sharp: ['media'],
  socks: ['outbound'],
  amqplib: ['destinations'],
  mqtt: ['destinations'],
  '@nats-io/nats-core': ['destinations'],
  '@nats-io/jetstream': ['destinations'],
  '@nats-io/transport-node': ['destinations'],
  '@redis/client': ['destinations'],
  undici: ['outbound', 'network/whatsapp', 'network/sandbox-link.ts', 'cluster'],
  // The doctor asks whether the network can be reached, the command line talks to the gateway itself.
  'node:tls': ['outbound', 'network/whatsapp', 'cli', 'cluster', 'import'],
  'node:dns': ['outbound', 'cli'],
  'node:net': [
    'outbound',
    'network/whatsapp',
    'network/sandbox',
    'network/sandbox-link.ts',
    'http',
    'cluster',
    // Redis, at the address that the operator gives.
    'import',
  ],
  'node:https': ['network/whatsapp', 'network/sandbox-link.ts', 'cluster'],
  'node:http': ['http', 'compat', 'network/whatsapp', 'cluster'],
  'node:http2': [],
  'node:dgram': [],
}
/** What callers see must be loadable anywhere, a browser included. */
const PACKAGES_OF_CONTRACT = new Set(['zod'])

const product = productSources()
const everything = sources(
  'src/**/*.ts',
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

/** Rooms of the product: each has its rules, use cases, workers and handlers together. */
const FEATURES = new Set(['sending'])
/** The layers inside a feature are the names of its files; what has no such name is a use case or a worker. */
const FEATURE_LAYERS: readonly [layer: string, name: RegExp][] = [
  ['rules', /^rules\b/],
  ['handlers', /^handlers\b/],
  ['store', /^(outbox|conformance)\b|-(sqlite|postgres|queries)\.ts$/],
]

function featurePart(feature: string, file: string): string {
  const layer = FEATURE_LAYERS.find(([, name]) => name.test(file))?.[0]
  return layer === undefined ? feature : `${feature} ${layer}`
}

function partOf(path: string): string {
  if (path.startsWith('dashboard/')) return 'dashboard'
  const [, first = '', second = ''] = path.split('/')
  if (first === 'network') return NETWORK_PORT.has(second) ? 'network port' : `network/${second}`
  if (FEATURES.has(first)) return featurePart(first, second)
  return first.replace(/\.ts$/, '')
}

function violations(files: readonly Source[]): string[] {
  return files.flatMap(importsOf).flatMap((entry) => {
    const fault = /^(src|dashboard)\//.test(entry.to) ? faultOfPart(entry) : faultOfPackage(entry)
    return fault ? [`${entry.from} imports ${entry.to}: ${fault}`] : []
  })
}

function faultOfPart({ from, to }: Import): string | undefined {
  const part = partOf(from)
  const target = partOf(to)
  const allowed = MAY_IMPORT[part]
  if (!allowed) return `${part} has no place in the rule`
  if (target === part || allowed.includes('*')) return undefined
  const open = part === 'contract' || part === 'errors' ? allowed : [...allowed, ...OPEN_TO_ALL]
  return open.includes(target) || open.includes(to.replace('src/', '')) ? undefined : 'not allowed'
}

function faultOfPackage({ from, to }: Import): string | undefined {
  const part = partOf(from)
  if (to.startsWith('import(')) return 'cannot be checked'
  if (to.startsWith('test/') || to.startsWith('..')) return 'outside src'
  const name = packageOf(to)
  if (part === 'contract' && !PACKAGES_OF_CONTRACT.has(name)) return 'not for every place'
  const homes = PACKAGES[name]
  return homes && !homes.includes(part) ? 'not its place' : undefined
}

describe('who may import whom', () => {
  test('every import in src follows the rule', () => {
    assert.ok(product.length > 50, 'the sources were found')
    assert.deepEqual(violations(product), [])
  })

  test('no test in src imports from bench: what both need is in test/support', () => {
    const fromBench = (files: readonly Source[]) =>
      files.flatMap(importsOf).filter(({ to }) => to.startsWith('bench/'))
    assert.deepEqual(fromBench(sources('src/**/*.ts', 'packages/*/src/**/*.ts')), [])
    const planted = { path: 'src/rules/a.test.ts', text: "import { a } from '../../bench/a.ts'" }
    assert.equal(fromBench([planted]).length, 1)
  })

  const planted: [text: string, path: string][] = [
    ["import { a } from '../../store/queries/messages.ts'", 'src/compat/evolution/planted.ts'],
    ["import { a } from '../compat/evolution/serve.ts'", 'src/http/planted.ts'],
    ["import { send } from '../domain/messages.ts'", 'src/store/planted.ts'],
    ["import type { Caller } from '../domain/caller.ts'", 'src/network/network.ts'],
    ["import {\n  a,\n  b,\n} from '../http/server.ts'", 'src/domain/planted.ts'],
    ["export * from '../store/queries/messages.ts'", 'src/http/planted.ts'],
    ["await import('../app/start.ts')", 'src/cli/planted.ts'],
    ['await import(name)', 'src/domain/planted.ts'],
    ["import '../errors.ts'", 'src/contract/planted.ts'],
    ["import { readFile } from 'node:fs/promises'", 'src/contract/planted.ts'],
    ["import pg from 'pg'", 'src/domain/planted.ts'],
    ["import { engines } from '../../test/support/engines.ts'", 'src/store/planted.ts'],
    ["import { request } from 'node:https'", 'src/domain/planted.ts'],
    ["import { connect } from 'node:tls'", 'src/workers/planted.ts'],
    ["import { lookup } from 'node:dns/promises'", 'src/domain/planted.ts'],
    ["import { a } from '../contract/route.ts'", 'src/new-part/planted.ts'],
    ["import { a } from '../../src/domain/caller.ts'", 'dashboard/features/planted.tsx'],
    ["import { a } from '../../dashboard/gateway/api.ts'", 'src/http/planted.ts'],
    ["import { useState } from 'react'", 'src/http/planted.ts'],
  ]
  for (const [text, path] of planted) {
    test(`the check finds: ${text.replaceAll(/\s+/g, ' ')} in ${path}`, () => {
      assert.equal(violations([{ path, text }]).length, 1)
    })
  }

  test('the check lets through what is allowed, and reads no comment as code', () => {
    const text =
      "// as in import { a } from '../app/start.ts'\nimport { a } from '../store/store.ts'\nimport { z } from 'zod'"
    assert.deepEqual(violations([{ path: 'src/domain/planted.ts', text }]), [])
  })
})

describe('import cycles', () => {
  test('there is none in any room, tests and packages included, nor through type imports', () => {
    assert.equal(findCycle(everything)?.join(' → '), undefined)
  })

  test('the check finds a cycle of three files, one import of which is a type', () => {
    const file = (name: string, text: string): Source => ({ path: `src/rules/${name}.ts`, text })
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
    assert.deepEqual(uses(ENVIRONMENT, [], [{ path: 'src/domain/planted.ts', text: 'process.env.HOME' }]), [
      'src/domain/planted.ts',
    ])
  })

  // One client with an address guard, because every other one follows redirects and reaches private addresses. The typed
  // client and the command line talk to the gateway itself, at an address that their own user gives; the drivers talk to the
  // messaging network; nodes talk to each other at the addresses that their operator gives.
  const REQUEST =
    /(?<![.\w])(?:fetch|request|createConnection)\s*\(|globalThis\.fetch|\bhttps?\.(?:request|get)\s*\(|\bnew WebSocket\(/
  const CLIENTS = [
    'src/outbound',
    'src/network',
    'src/nodes/node-client.ts',
    'src/contract/client.ts',
    'src/cli',
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
      assert.equal(uses(REQUEST, CLIENTS, [{ path: 'src/domain/planted.ts', text }]).length, 1, text)
    }
  })
})

describe('one place for the clocks', () => {
  // The wall clock can be set while the process runs. Each part takes the clock that it needs as a parameter (decision 0115).
  const WALL_CLOCK = /\bDate\.now\b|\bnew Date\(\s*\)|(?<!\bnew )\bDate\(\)/
  // The sandbox is another machine, a browser has a clock of its own, and receivers of webhooks run the verification.
  const READERS = [
    'src/kernel/async/clock.ts',
    'src/network/sandbox',
    'dashboard',
    'src/contract/verify-delivery.ts',
  ]
  test('only the clock module reads the wall clock', () => {
    assert.deepEqual(uses(WALL_CLOCK, READERS), [])
    for (const text of [
      'const at = Date.now()',
      'clock = Date.now',
      'new Date()',
      'new Date( ).getTime()',
      'Date()',
    ])
      assert.equal(uses(WALL_CLOCK, READERS, [{ path: 'src/domain/planted.ts', text }]).length, 1, text)
    assert.deepEqual(
      uses(WALL_CLOCK, READERS, [{ path: 'src/domain/planted.ts', text: 'new Date(atMs); // Date.now()' }]),
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
    const twice = ['src/rules/a.ts', 'dashboard/app/b.ts'].map((path) => ({
      path,
      text: 'export type Page = 1',
    }))
    assert.deepEqual(declaredTwice(twice), ['Page: src/rules/a.ts, dashboard/app/b.ts'])
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
