// Every emitter of the rooms that meet strangers has a listener for errors. Node ends the process for an `error` event without one.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import { type Source, withoutComments } from './support/imports.ts'

const ROOMS = ['doors', 'kernel/http', 'kernel/outbound', 'nodes', 'files', 'webhooks']

/** Expressions that create an emitter, or take one over from Node. */
const EMITTERS = [
  /\bnew (?:Transform|PassThrough|Readable|Writable|Duplex|EventEmitter|Worker|WebSocket\w*|Socket|TLSSocket|Busboy)\b/g,
  /\bReadable\.from\(/g,
  /\b(?:createServer|createConnection|connectTls|connectPlain|spawn|fork|execFile|createReadStream|createWriteStream)\(/g,
  /\bcreate(?:Gunzip|Gzip|Inflate|Deflate|BrotliDecompress|BrotliCompress|Unzip)\(/g,
  /\b(?:net|tls)\.connect\(/g,
  // A response of undici has a body.
  /\bawait (?:request|\w+\.request|poolOf\(\w+\)\.request)\(/g,
  // Node removes its own listener from a socket that it hands over.
  /\.on\('(?:connect|connection|upgrade|secureConnection)'/g,
]

/** Where another place listens. */
const EXEMPT: Record<string, string> = {
  'src/doors/api/server.ts createServer(':
    'the framework; its sockets and its listener are guarded by guardSockets',
  'src/doors/form.ts new Busboy': '`finished` listens, and never removes its listener',
  'src/doors/chatwoot/api.ts Readable.from(': 'the client of the request listens on its body',
  'src/doors/cli/import/evolution.ts createReadStream(': 'the iteration over its lines rejects',
  'src/doors/cli/import/redis-client.ts connectTls(': 'createClient listens',
  'src/files/media/ffmpeg.ts spawn(': 'the promise that is made of it listens',
  'src/nodes/node-server.ts createServer(': 'startNodeServer listens',
  'src/kernel/http/bodies.ts Readable.from(': 'limitUpload listens',
  "src/kernel/http/connections.ts .on('connection'": 'guardSockets listens on every connection',
  "src/kernel/http/client-errors.ts .on('connect'": 'guardSockets listens on every connection',
  'src/kernel/outbound/download.ts await pools.request(': 'createPools listens on every body',
  'src/kernel/outbound/client.ts await pools.request(': 'createPools listens on every body',
  'src/kernel/outbound/post.ts await pools.request(': 'createPools listens on every body',
  'src/kernel/outbound/tunnel.ts createConnection(': 'the connector listens on the socket that is passed in',
  'src/kernel/outbound/brokers.ts connectTls(': 'waitUntilConnected listens and never removes its listener',
  'src/kernel/outbound/brokers.ts connectPlain(': 'waitUntilConnected listens and never removes its listener',
  'src/kernel/outbound/connector.ts connectTls(': 'waitUntilConnected listens and never removes its listener',
  'src/kernel/outbound/connector.ts connectPlain(':
    'waitUntilConnected listens and never removes its listener',
}

const LOOK_AHEAD = 900
const LISTENS = /ignoreErrors|\.on\('error'|\bpipeline\(/

/** An emitter counts as covered if its own statement, or the lines after it in the same function, listen for its errors. */
function uncovered({ path, text }: Source): string[] {
  const code = withoutComments(text)
  return EMITTERS.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(({ index, 0: found }) => {
      const location = `${path} ${found.trim()}`
      if (location in EXEMPT) return []
      const before = code.slice(Math.max(0, index - 80), index)
      const after = code.slice(index, index + LOOK_AHEAD).split(/\n\}\n/)[0] ?? ''
      return LISTENS.test(before.slice(before.lastIndexOf('\n\n') + 1)) || LISTENS.test(after)
        ? []
        : [location]
    }),
  )
}

const root = join(import.meta.dirname, '..')
const sources: Source[] = ROOMS.flatMap((room) => globSync(`src/${room}/**/*.ts`, { cwd: root }))
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ path: file.split(sep).join('/'), text: readFileSync(join(root, file), 'utf8') }))

test('every emitter in the rooms that meet strangers has a listener for errors', () => {
  assert.deepEqual(sources.flatMap(uncovered), [])
})

test('every exemption still exists', () => {
  const found = new Set(
    sources.flatMap(({ path, text }) =>
      EMITTERS.flatMap((pattern) =>
        [...withoutComments(text).matchAll(pattern)].map(([each]) => `${path} ${each.trim()}`),
      ),
    ),
  )
  assert.deepEqual(
    Object.keys(EXEMPT).filter((location) => !found.has(location)),
    [],
  )
})

test('planted emitters without a listener are found', () => {
  const planted = [
    'const copy = new Transform({ transform })\nreturn source.pipe(copy)',
    "app.server.on('upgrade', (request, socket) => socket.end('no'))",
    'const { body } = await request(url)\nreturn body.text()',
    'const file = createReadStream(path)',
  ]
  for (const text of planted) assert.equal(uncovered({ path: 'src/doors/planted.ts', text }).length, 1, text)
  const covered = 'const copy = ignoreErrors(new Transform({ transform }))'
  assert.deepEqual(uncovered({ path: 'src/doors/planted.ts', text: covered }), [])
})
