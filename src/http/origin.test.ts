import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originOf } from './origin.ts'

const socket = { localAddress: '127.0.0.1', localPort: 3000 } as never
const requested = (host: string, protocol: 'http' | 'https' = 'http', headers = {}) => ({
  protocol,
  host,
  socket,
  headers,
})

test('the public URL is used, without a trailing slash', () => {
  assert.equal(originOf(requested('10.0.0.1'), 'https://gateway.example/'), 'https://gateway.example')
})

test('without a public URL the origin comes from the request', () => {
  assert.equal(originOf(requested('gateway.example:3000'), undefined), 'http://gateway.example:3000')
  assert.equal(originOf(requested('[::1]:3000', 'https'), undefined), 'https://[::1]:3000')
})

test('X-Forwarded-Proto: https gives an https origin', () => {
  const behindTls = requested('gateway.example', 'http', { 'x-forwarded-proto': 'https' })
  assert.equal(originOf(behindTls, undefined), 'https://gateway.example')
})

test('an invalid Host header is replaced by the local address of the connection', () => {
  for (const host of ['', 'a b', 'evil.example/path', 'user@evil.example', '"><script>'])
    assert.equal(originOf(requested(host), undefined), 'http://127.0.0.1:3000', host)
})
