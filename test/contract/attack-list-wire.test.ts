// Attacks 14 and 15: path traversal and malformed HTTP; and attack 2: a key in the query must not reach the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../src/app/start.ts'
import { readSettings } from '../../src/config.ts'
import { behaviourContract } from '../support/behaviour-contract.ts'
import { engines } from '../support/engines.ts'
import { withInstance } from './fixture.ts'
import { exchange, request } from './raw-http.ts'

const LIST = '/api/v1/instance/list'
const NUMBER = '5511912345678'
const HTML = 'text/html; charset=utf-8'

behaviourContract('hostile requests on the HTTP level', (gateway) => {
  const fixture = withInstance(gateway)
  const get = async (target: string) => exchange((await fixture()).url, request('GET', target))

  test('404 when a static path contains path traversal', async () => {
    const outs = [
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/package.json',
      '%2e%2e%2fpackage.json',
      '..%5cpackage.json',
      '....//package.json',
      '..;/package.json',
      '%252e%252e%252fpackage.json',
      '../../../../../../etc/passwd',
      '..%2f..%2f..%2f..%2fetc%2fpasswd',
      '%00',
      '.env',
      '.git/config',
    ]
    for (const base of ['/', '/docs/', '/docs/js/', '/assets/', '/openapi.json/', '/api/v1/', '/static/'])
      for (const out of outs) {
        const answer = await get(base + out)
        assert.ok([400, 404].includes(answer.status), `${base}${out}: ${answer.status}`)
        if (out !== '%00') assert.equal(answer.status, 404, base + out)
        assert.ok(!answer.bytes.includes('"dependencies"') && !answer.bytes.includes('root:'), base + out)
      }
  })

  test('400 in the common form when the path cannot be decoded', async () => {
    for (const target of ['/docs/%zz', '/api/v1/contacts/%', '/%c0%af']) {
      const answer = await get(target)
      assert.ok([400, 404].includes(answer.status), target)
      assert.equal(answer.json.success, false)
      assert.match(answer.json.requestId, /^req-/)
    }
  })

  test('400 when headers have length and encoding, two lengths, a folded line or 20 kB; the connection is closed', async () => {
    const { mine, url, instance } = await fixture()
    const body = JSON.stringify({ instanceName: instance.name, number: NUMBER, message: 'smuggled' })
    const lines = ['Host: gateway', `Authorization: Bearer ${mine.key}`, 'Content-Type: application/json']
    const smuggled = `GET ${LIST} HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${mine.key}\r\n\r\n`
    const attacks: Record<string, string[]> = {
      'length and encoding': [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'],
      'encoding and length': ['Transfer-Encoding: chunked', `Content-Length: ${body.length}`],
      'two lengths': [`Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`],
      'two equal lengths': [`Content-Length: ${body.length}`, `Content-Length: ${body.length}`],
      'a list of lengths': [`Content-Length: ${body.length}, ${body.length}`],
      'a signed length': [`Content-Length: +${body.length}`],
      'an unknown encoding': ['Transfer-Encoding: chunked, identity'],
      'a blank before the colon': [`Content-Length : ${body.length}`],
      'a folded header': ['X-Folded: a', ' b', `Content-Length: ${body.length}`],
      'a folded length': ['Content-Length:', ` ${body.length}`],
      'a header of 20 kB': [`X-Large: ${'x'.repeat(20_000)}`, `Content-Length: ${body.length}`],
      'a bare CR in a header': ['X-Bare: a\rX-Other: b', `Content-Length: ${body.length}`],
    }
    for (const [name, extra] of Object.entries(attacks)) {
      // `exchange` ends only when the server closes the connection, so a second request is impossible.
      const answer = await exchange(
        url,
        `POST /api/v1/send/text HTTP/1.1\r\n${[...lines, ...extra].join('\r\n')}\r\n\r\n${body}${smuggled}`,
      )
      assert.equal(answer.status, 400, name)
      assert.equal(answer.headers.get('connection'), 'close', name)
      assert.deepEqual([answer.json.success, answer.json.reason], [false, 'invalid_request'], name)
      assert.equal(answer.bytes.indexOf('HTTP/1.1'), -1, `${name}: a second request was answered`)
    }
    const { messages } = (await mine.call('listMessages')).json
    assert.ok(
      messages.every((message: { content: { message?: string } }) => message.content.message !== 'smuggled'),
    )
  })

  test('400 when the request is not HTTP; the connection is closed', async () => {
    const { url } = await fixture()
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000',
      'GET\t/ HTTP/1.1\r\nHost: gateway\r\n\r\n',
    ]) {
      const answer = await exchange(url, bytes)
      assert.equal(answer.status, 400, JSON.stringify(bytes))
    }
  })
})

behaviourContract('transport errors', (gateway) => {
  test('400 in the common form when the Host header is missing', async () => {
    const { url } = await gateway()
    const answer = await exchange(url, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
    assert.equal(answer.status, 400)
    assert.deepEqual([answer.json.reason, answer.json.details[0].path], ['invalid_request', 'Host'])
    assert.equal((await exchange(url, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200)
  })

  test('400 in the common form when there are two Host headers, equal or not', async () => {
    const { url } = await gateway()
    for (const [version, first, second] of [
      ['1.1', 'Host: gateway', 'Host: other.example'],
      ['1.1', 'Host: gateway', 'hOST: gateway'],
      ['1.0', 'Host: gateway', 'Host: other.example'],
    ] as const)
      for (const path of ['/healthz', LIST, '/docs/', '/.well-known/oauth-authorization-server']) {
        const head = [`GET ${path} HTTP/${version}`, first, 'X-Other: Host', second, 'Connection: close']
        const answer = await exchange(url, `${head.join('\r\n')}\r\n\r\n`)
        assert.equal(answer.status, 400, `${version} ${second} ${path}`)
        assert.deepEqual([answer.json.reason, answer.json.details[0].path], ['invalid_request', 'Host'])
      }
  })

  test('200 for a target in absolute form, with any host', async () => {
    const { url, account } = await gateway()
    const { key } = await account()
    const authorized = [`Authorization: Bearer ${key}`]
    for (const origin of ['http://gateway', url, 'https://other.example:8443', 'HTTP://[::1]']) {
      assert.equal((await exchange(url, request('GET', `${origin}/healthz`))).status, 200, origin)
      assert.equal((await exchange(url, request('GET', `${origin}${LIST}`, authorized))).status, 200, origin)
    }
    assert.equal((await exchange(url, request('GET', 'http://gateway'))).headers.get('content-type'), HTML)
    const unknown = await exchange(url, request('GET', 'http://gateway/api/v1/nothing?x=1'))
    assert.deepEqual([unknown.status, unknown.json.reason], [404, 'not_found'])
    const method = await exchange(url, request('DELETE', `http://gateway${LIST}`))
    assert.deepEqual([method.status, method.headers.get('allow')], [405, 'GET'])
    const page = await exchange(url, request('GET', 'http://gateway/contacts', ['Accept: text/html']))
    assert.equal(page.headers.get('content-type'), HTML)
    const wrong = await exchange(url, request('GET', `ftp://gateway${LIST}`, authorized))
    assert.equal(wrong.status, 404)
  })

  test('405 with the Allow header when no path supports the method', async () => {
    const { url } = await gateway()
    const methods = ['PROPFIND', 'QUERY', 'TRACE', 'PURGE', 'M-SEARCH', 'FOO', 'get', 'GETT', 'X-Y_Z.1']
    for (const method of methods) {
      const known = await exchange(url, request(method, `http://gateway${LIST}?x=1`))
      assert.deepEqual([known.status, known.json.reason], [405, 'method_not_allowed'], method)
      assert.equal(known.headers.get('allow'), 'GET', method)
      const unknown = await exchange(url, request(method, '/api/v1/nothing'))
      assert.deepEqual([unknown.status, unknown.json.success], [405, false], method)
      const allowed = unknown.headers.get('allow')?.split(', ').sort()
      assert.deepEqual(allowed, ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'])
    }
    const tunnel = await exchange(url, request('CONNECT', 'example.com:443'))
    assert.deepEqual([tunnel.status, tunnel.json.reason], [405, 'method_not_allowed'])
    const withBody = ['Content-Type: text/plain', 'Content-Length: 1']
    assert.equal((await exchange(url, request('QUERY', LIST, withBody, 'x'))).status, 405)
  })

  test('405 when the method for a page or document is not GET', async () => {
    const { url } = await gateway()
    for (const path of ['/', '/openapi.json', '/healthz']) {
      const answer = await exchange(url, request('DELETE', path))
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET'], path)
    }
  })

  test('401 without a key, also with an unknown Expect header', async () => {
    const { clock, url } = await gateway()
    clock.advance(3000)
    const answer = await exchange(url, request('GET', LIST, ['Expect: miracles']))
    assert.equal(answer.status, 401)
    assert.equal(answer.json.reason, 'unauthorized')
  })
})

test('a key in the query is in no log line, for any status', async () => {
  const [engine] = engines
  assert.ok(engine)
  const storeLocation = await engine.createLocation()
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const app = await startApp(
    readSettings({ PORT: '0', DATA_DIR: storeLocation.directory, DATABASE_URL: storeLocation.databaseUrl }),
    logger,
  )
  try {
    const key = app.firstKey as string
    const paths = [
      '/api/v1/instance/qr/image?instanceName=x&',
      '/api/v1/instance/list?',
      '/nothing?',
      '/docs?',
      '/%zz?',
      '/healthz?',
    ]
    for (const path of paths) await (await fetch(`${app.url}${path}apiKey=${key}`)).arrayBuffer()
    await exchange(
      app.url,
      request('GET', `/api/v1/instance/qr/image?apiKey=${key}&apiKey=${key}`, [
        `Authorization: Bearer ${key}`,
      ]),
    )
    await exchange(app.url, `GET /?apiKey=${key} NONSENSE\r\n\r\n`)
    assert.ok(lines.length > 3, 'requests are logged')
    assert.deepEqual(
      lines.filter((line) => line.includes(key)),
      [],
    )
  } finally {
    await app.stop()
    await storeLocation.dispose()
  }
})
