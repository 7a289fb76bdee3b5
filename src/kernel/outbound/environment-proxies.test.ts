import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createProxyChoice } from './environment-proxies.ts'
import type { ProxyAddress } from './proxy-address.ts'

const proxy = (hostname: string): ProxyAddress => ({
  scheme: 'http',
  hostname,
  port: 3128,
  username: '',
  password: '',
})
const [http, https] = [proxy('plain.test'), proxy('secure.test')]

const chosen = (exempt: string, host: string, port = 443) =>
  createProxyChoice({ http, https, exempt })({ host, port, isSecure: true })?.hostname

describe('the proxy of a connection', () => {
  test('depends on the scheme of the target, and each can be missing', () => {
    const choose = createProxyChoice({ http, https: undefined, exempt: '' })
    assert.equal(choose({ host: 'a.test', port: 80, isSecure: false }), http)
    assert.equal(choose({ host: 'a.test', port: 443, isSecure: true }), undefined)
    assert.equal(chosen('', 'a.test'), 'secure.test')
  })

  test('is never used for the loopback', () => {
    for (const host of ['localhost', 'a.localhost', 'LOCALHOST.', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])
      assert.equal(chosen('', host), undefined, host)
  })

  const table: [exempt: string, direct: string[], proxied: string[]][] = [
    [
      'example.com',
      ['example.com', 'EXAMPLE.com', 'example.com.', 'a.b.example.com'],
      ['notexample.com', 'example.org'],
    ],
    ['.example.com', ['example.com', 'a.example.com'], ['notexample.com']],
    ['*.example.com', ['example.com', 'a.example.com'], ['notexample.com']],
    ['10.0.0.0/8', ['10.1.2.3'], ['11.0.0.1', 'ten.example.com']],
    ['fd00::/8', ['fd12::1', '[fd12::1]'], ['fe80::1', '10.0.0.1']],
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.70']],
    ['one.test, two.test  three.test', ['one.test', 'two.test', 'three.test'], ['four.test']],
    ['*', ['anything.test', '203.0.113.1', '2001:db8::1'], []],
    ['10.0.0.0/33,,:,a/b', [], ['10.0.0.1', 'a.test']],
  ]
  for (const [exempt, direct, proxied] of table)
    test(`NO_PROXY=${exempt}`, () => {
      for (const host of direct) assert.equal(chosen(exempt, host), undefined, host)
      for (const host of proxied) assert.equal(chosen(exempt, host), 'secure.test', host)
    })

  test('an entry with a port covers only that port', () => {
    for (const [exempt, host] of [
      ['example.com:8443', 'a.example.com'],
      ['192.0.2.7:8443', '192.0.2.7'],
      ['[2001:db8::1]:8443', '2001:db8::1'],
    ] as const) {
      assert.equal(chosen(exempt, host, 8443), undefined, exempt)
      assert.equal(chosen(exempt, host, 443), 'secure.test', exempt)
    }
  })
})
