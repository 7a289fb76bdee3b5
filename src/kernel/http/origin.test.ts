import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedOrigin, originOf } from './origin.ts'

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

test('without a public URL only this computer and the reached address are checked hosts', () => {
  const reached = (localAddress: string, host: string) =>
    checkedOrigin({ ...requested(host), socket: { localAddress, localPort: 3000 } as never }, undefined)
  for (const host of ['localhost:8080', '127.0.0.1:3000', '[::1]:3000', '10.0.0.7:3000'])
    assert.equal(reached('10.0.0.7', host), `http://${host}`)
  assert.equal(reached('::ffff:10.0.0.7', '10.0.0.7:3000'), 'http://10.0.0.7:3000')
  assert.equal(reached('fd00::7', '[fd00::7]:3000'), 'http://[fd00::7]:3000')
  assert.equal(reached('10.0.0.7', 'a b'), 'http://10.0.0.7:3000')
  for (const host of ['evil.example', '10.0.0.8:3000', 'localhost.evil.example', '127.0.0.1.evil.example'])
    assert.equal(reached('10.0.0.7', host), undefined, host)
  const named = checkedOrigin(requested('evil.example'), 'https://gateway.example')
  assert.equal(named, 'https://gateway.example')
})
