// The attack list (reliability, items 14 and 15, and the key of item 2 in the log): what can be done below the API's words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../src/app.ts'
import { readSettings } from '../../src/config.ts'
import { engines } from '../support/engines.ts'
import { contract } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'
import { exchange, request } from './raw-http.ts'

const LIST = '/api/v1/instance/list'
const NUMBER = '5511912345678'

contract('attack list on the wire', (gateway) => {
  const fixture = withInstance(gateway)
  const get = async (target: string) => exchange((await fixture()).url, request('GET', target))

  test('attack 14: path traversal on every static path is 404', async () => {
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

  test('attack 14: an address that cannot be decoded is a refusal in the common form', async () => {
    for (const target of ['/docs/%zz', '/api/v1/contacts/%', '/%c0%af']) {
      const answer = await get(target)
      assert.ok([400, 404].includes(answer.status), target)
      assert.equal(answer.json.success, false)
      assert.match(answer.json.requestId, /^req-/)
    }
  })

  test('attack 15: both length and encoding, two lengths, a folded or a 20 kB header are 400, and the connection ends', async () => {
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
      // `exchange` ends only when the server has closed: no keep-alive, no second request.
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

  test('attack 15: what is no HTTP at all is 400, and the connection ends', async () => {
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

contract('refusals of the transport', (gateway) => {
  test('400: a request without a Host is refused in the common form', async () => {
    const { url } = await gateway()
    const answer = await exchange(url, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
    assert.equal(answer.status, 400)
    assert.deepEqual([answer.json.reason, answer.json.details[0].path], ['invalid_request', 'Host'])
    assert.equal((await exchange(url, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200)
  })

  test('401: an expectation that nobody knows changes nothing', async () => {
    const { clock, url } = await gateway()
    clock.advance(3000)
    const answer = await exchange(url, request('GET', LIST, ['Expect: miracles']))
    assert.equal(answer.status, 401)
    assert.equal(answer.json.reason, 'unauthorized')
  })
})

test('attack 2: a key in the query reaches no log line, whatever the answer', async () => {
  const [engine] = engines
  assert.ok(engine)
  const place = await engine.place()
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const app = await startApp(
    readSettings({ PORT: '0', DATA_DIR: place.directory, DATABASE_URL: place.databaseUrl }),
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
    await place.dispose()
  }
})
