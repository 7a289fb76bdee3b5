// The dashboard as it is served: its files and no other files of the machine, with a strict content policy; and sign-ins, which
// survive a restart but not their key.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { openDashboard } from '../../src/doors/api/dashboard.ts'
import { exchange, request } from '../contract/raw-http.ts'
import { engines, temporaryDirectory } from '../support/engines.ts'
import { callRoute, type Gateway, startGateway } from '../support/gateway.ts'
import { newKey } from '../support/started.ts'

const root = join(import.meta.dirname, '..', '..')
const DIST = join(root, 'dashboard', 'dist')
const [engine] = engines
assert.ok(engine)
const AS_BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

before(() =>
  promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.ts'), 'start'], { cwd: root }),
)

describe('the dashboard’s files', () => {
  let gateway: Gateway
  before(async () => void (gateway = await startGateway(engine)))
  after(() => gateway.stop())
  const get = (path: string, headers: Record<string, string> = AS_BROWSER) =>
    fetch(new URL(path, gateway.url), { headers, redirect: 'manual' })

  /** `fetch` would decompress the answer. */
  const send = async (path: string, accepted: string, method = 'GET', others: string[] = []) => {
    const lines = [`Accept-Encoding: ${accepted}`, ...others]
    const { status, headers, bytes } = await exchange(gateway.url, request(method, path, lines))
    return { status, bytes, header: (name: string) => headers.get(name) }
  }

  test('the page is served at / and at every page address, uncached, with a strict policy', async () => {
    for (const path of [
      '/',
      '/instances',
      '/instances/support-k3v9x2ma',
      '/account',
      '/operator',
      '/made-up',
    ]) {
      const answer = await get(path)
      assert.equal(answer.status, 200, path)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
      assert.equal(answer.headers.get('cache-control'), 'no-cache')
      const policy = answer.headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      // Pictures, voice and videos of messages are blobs of the page. Nothing else may be one, and only pictures are data.
      const sources = Object.fromEntries(policy.split('; ').map((one) => one.split(/ (.*)/).slice(0, 2)))
      assert.deepEqual([sources['img-src'], sources['media-src']], ["'self' data: blob:", "'self' blob:"])
      assert.equal(policy.split('blob:').length, 3)
      assert.equal(
        answer.headers.get('permissions-policy'),
        'camera=(), microphone=(self), geolocation=()',
        'the page records voice messages, and nothing else',
      )
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      const page = await answer.text()
      assert.doesNotMatch(
        page,
        /<script(?![^>]*src=)|<style|\son\w+=|https?:\/\//,
        'nothing inline, nothing foreign',
      )
    }
  })

  test('assets have a hash in their name and are cached forever', async () => {
    const page = await (await get('/')).text()
    const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '')
    assert.ok(assets.length >= 2)
    for (const path of assets) {
      assert.match(path, /-[\w-]{8}\.(js|css)$/)
      const answer = await get(path)
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
      assert.match(answer.headers.get('content-type') ?? '', /javascript|css/)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(answer.headers.get('content-security-policy'), null, 'only documents have a policy')
    }
    const picture = await get('/icon.svg')
    assert.match(picture.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  })

  test('scripts and styles are sent compressed where the client accepts it, and whole where it does not', async () => {
    const page = await (await get('/')).text()
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    const plain = await send(script, 'identity')
    assert.equal(plain.header('content-encoding'), null)
    const codings = [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const
    for (const [accepted, coding, decompress] of codings) {
      const small = await send(script, accepted)
      assert.equal(small.header('content-encoding'), coding)
      assert.ok(decompress(small.bytes).equals(plain.bytes), coding)
      assert.ok(small.bytes.length < plain.bytes.length / 2)
      assert.match(small.header('content-type') ?? '', /javascript/)
      assert.match(small.header('cache-control') ?? '', /immutable/)
      assert.match(small.header('vary') ?? '', /accept-encoding/i)
      assert.notEqual(small.header('etag'), plain.header('etag'))
      const head = await send(script, accepted, 'HEAD')
      assert.deepEqual(
        [head.status, head.bytes.length, head.header('content-length'), head.header('content-encoding')],
        [200, 0, String(small.bytes.length), coding],
      )
      const known = await send(script, accepted, 'GET', [`If-None-Match: ${small.header('etag')}`])
      assert.deepEqual([known.status, known.bytes.length], [304, 0])
      const part = await send(script, accepted, 'GET', ['Range: bytes=0-99'])
      assert.deepEqual([part.status, part.header('content-encoding')], [206, coding])
      assert.ok(part.bytes.equals(small.bytes.subarray(0, 100)), 'a part of the form that is sent whole')
    }
    for (const ending of ['.br', '.gz']) assert.equal((await get(`${script}${ending}`)).status, 404)
  })

  test('answers with secrets, small answers and event streams are not compressed', async () => {
    const { key } = await gateway.account()
    const authorized = [`Authorization: Bearer ${key}`]
    for (const path of ['/', '/healthz', '/api/v1/instance/list', '/api/v1/account/limits']) {
      const answer = await send(path, 'gzip, br', 'GET', authorized)
      assert.deepEqual([answer.status, answer.header('content-encoding')], [200, null], path)
    }
    const controller = new AbortController()
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip, br' }
    const stream = await fetch(new URL('/api/v1/events/stream', gateway.url), {
      headers,
      signal: controller.signal,
    })
    assert.equal(stream.headers.get('content-encoding'), null)
    controller.abort()
  })

  test('the document of the API is sent compressed', async () => {
    const plain = await get('/openapi.json', { 'accept-encoding': 'identity' })
    const small = await get('/openapi.json', { 'accept-encoding': 'gzip' })
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(small.headers.get('content-encoding'), 'gzip')
    const [whole, sent] = [plain, small].map(({ headers }) => Number(headers.get('content-length')))
    assert.ok(whole && sent && sent < whole / 5, `${sent} of ${whole} bytes`)
    assert.equal(await small.text(), await plain.text())
  })

  test('API addresses are never answered with the page', async () => {
    for (const path of [
      '/api',
      '/api/v1/nothing',
      '/admin/v1/nothing',
      '/sandbox/v1/nothing',
      '/session/nothing',
      '/assets/no.js',
    ]) {
      const answer = await get(path)
      assert.equal(answer.status, 404, path)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    }
    const program = await get('/instances', { accept: '*/*' })
    assert.equal(program.status, 404, 'only a request for HTML gets the page')
  })

  test('attack 14: no spelling of a path leads out of the directory', async () => {
    const ways = [
      '/../package.json',
      '/assets/../../../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/%252e%252e%252fpackage.json',
      String.raw`/..\package.json`,
      '/assets/..%5c..%5cpackage.json',
      '//etc/passwd',
      '/assets//etc/passwd',
      '/.git/config',
      '/index.html/../../package.json',
      '/%00/etc/passwd',
      '/etc/passwd%00.html',
    ]
    for (const way of ways) {
      const answer = await exchange(gateway.url, request('GET', way, [`Accept: ${AS_BROWSER.accept}`]))
      assert.ok([400, 404].includes(answer.status), `${way}: ${answer.status}`)
      assert.doesNotMatch(answer.bytes.toString(), /root:|switchboard-gateway|\[core\]/)
    }
  })

  test('no page loads more than 128 kB of script, compressed', () => {
    const read = (name: string): string => readFileSync(join(DIST, 'assets', name), 'utf8')
    const named = (text: string, pattern: RegExp): string[] =>
      [...text.matchAll(pattern)].map((match) => match[1] ?? '')
    const withImports = (name: string, found = new Set<string>()): Set<string> => {
      if (found.has(name)) return found
      found.add(name)
      for (const next of named(read(name), /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
        withImports(next, found)
      return found
    }
    const [entry = ''] = named(
      readFileSync(join(DIST, 'index.html'), 'utf8'),
      /src="\/assets\/([\w.-]+\.js)"/g,
    )
    const onDemand = (name: string) => named(read(name), /import\(\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    const sizeOf = (scripts: string[]) => scripts.reduce((sum, name) => sum + gzipSync(read(name)).length, 0)
    const pages = onDemand(entry).filter((name) => name.includes('-page-'))
    assert.ok(pages.length >= 4, 'the pages were found')
    for (const page of pages) {
      const scripts = [...withImports(page, withImports(entry))]
      const texts = [...new Set(scripts.flatMap(onDemand))]
      // Each part has its texts in one script per language, and a reader loads one language.
      const languages = ['en', 'pt', 'es'].map((language) =>
        texts.filter((name) => name.startsWith(`${language}-`)),
      )
      for (const own of languages) assert.ok(own.length >= 2 && own.length === languages[0]?.length)
      const bytes = sizeOf(scripts) + Math.max(...languages.map(sizeOf))
      assert.ok(bytes <= 128_000, `${page}: ${bytes} bytes`)
      console.log(`# ${page}: ${bytes} bytes of script in ${scripts.length} files`)
    }
  })
})

test('without a build / explains how to make one', async () => {
  const app = Fastify()
  await openDashboard(await temporaryDirectory()).addTo(app)
  const answer = await app.inject('/')
  assert.equal(answer.statusCode, 503)
  assert.match(answer.body, /npm run build/)
  await app.close()
})

describe('building the dashboard before the start', () => {
  /** The part of the project that the build needs, with a page that is not a program. */
  async function brokenProject(): Promise<string> {
    const directory = await temporaryDirectory()
    for (const script of ['build.ts', 'dashboard.ts', 'server-bundle.ts'])
      await cp(join(root, 'scripts', script), join(directory, 'scripts', script))
    await cp(join(root, 'dashboard', 'index.html'), join(directory, 'dashboard', 'index.html'))
    for (const part of ['src', 'packages', 'node_modules', 'package.json']) {
      await symlink(join(root, part), join(directory, part))
    }
    await mkdir(join(directory, 'dashboard', 'app'))
    await writeFile(join(directory, 'dashboard', 'app', 'main.tsx'), 'const = nothing\n')
    return directory
  }
  const run = async (directory: string, what: string) => {
    const script = join(directory, 'scripts', 'build.ts')
    const child = spawn(process.execPath, [script, what], { cwd: directory })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    return { code, stderr }
  }

  test('a failed build is reported with a way to see why, and the server starts', async () => {
    const directory = await brokenProject()
    const { code, stderr } = await run(directory, 'start')
    assert.equal(code, 0)
    assert.match(
      stderr,
      /the dashboard could not be built \(.+\); the API starts without it\. Try: npm run build/,
    )
    assert.ok(!existsSync(join(directory, 'dashboard', 'dist', 'index.html')))
  })

  test('an explicit build that fails exits with an error', async () => {
    const { code } = await run(await brokenProject(), 'build')
    assert.notEqual(code, 0)
  })
})

test('with an https PUBLIC_URL the cookies are for https only', async () => {
  for (const [publicUrl, isSecure] of [
    ['https://gateway.example', true],
    ['http://gateway.example', false],
  ] as const) {
    const key = newKey()
    const gateway = await startGateway(engine, { API_KEY: key, PUBLIC_URL: publicUrl })
    const made = [
      await callRoute(gateway.url, 'signIn', { body: { key } }),
      await callRoute(gateway.url, 'operatorSignIn', { body: { key: gateway.app.operatorKey } }),
    ]
    for (const answer of made) {
      assert.equal(answer.status, 200)
      assert.equal(/; Secure/.test(answer.headers.getSetCookie()[0] ?? ''), isSecure, publicUrl)
    }
    await gateway.stop()
  }
})

test('a sign-in survives a restart; the operator’s ends when OPERATOR_KEY changes', async () => {
  const storeLocation = await engine.createLocation()
  const key = newKey()
  const operatorKey = newKey()
  const start = (operator: string) =>
    startGateway(engine, { API_KEY: key, OPERATOR_KEY: operator }, {}, storeLocation)
  const cookies: Record<string, string> = {}
  const first = await start(operatorKey)
  for (const [id, secret] of [
    ['signIn', key],
    ['operatorSignIn', operatorKey],
  ] as const) {
    const answer = await callRoute(first.url, id, { body: { key: secret } })
    cookies[id] = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
  await first.app.stop()
  const ask = async (url: string) => [
    (await callRoute(url, 'listInstances', { headers: { cookie: cookies.signIn ?? '' } })).status,
    (await callRoute(url, 'adminListPlans', { headers: { cookie: cookies.operatorSignIn ?? '' } })).status,
  ]
  const second = await start(operatorKey)
  assert.deepEqual(await ask(second.url), [200, 200])
  await second.app.stop()
  const third = await start(newKey())
  assert.deepEqual(await ask(third.url), [200, 401])
  await third.stop()
})
