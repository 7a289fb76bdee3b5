// The address of a proxy: what is accepted, and how it is read and written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProxy, proxyHref } from './proxy-address.ts'
import { TargetRefused } from './target.ts'

const read = (text: string) => {
  const proxy = parseProxy(text)
  assert.ok(!(proxy instanceof TargetRefused), text)
  return proxy
}

test('scheme, host, port and credentials are read, with the usual ports', () => {
  assert.deepEqual(read('socks5://us%40er:p%3Aw@Proxy.Example.com'), {
    scheme: 'socks5',
    hostname: 'proxy.example.com',
    port: 1080,
    username: 'us@er',
    password: 'p:w',
  })
  assert.equal(read('http://host').port, 80)
  assert.equal(read('https://host').port, 443)
  assert.equal(read('https://host:80').port, 80)
  assert.equal(read('http://[2001:db8::1]:3128').hostname, '[2001:db8::1]')
  // Unusual forms of an address are recognized as one.
  assert.equal(read('socks5://0x7f.1:1').hostname, '127.0.0.1')
})

test('what is written can be read again', () => {
  for (const text of ['socks5://us%40er:p%3Aw%2F@host:1080', 'http://host:3128', 'https://user@host:443'])
    assert.equal(proxyHref(read(text)), text)
})

test('other schemes, paths, port 0 and broken credentials are refused without repeating them', () => {
  for (const text of [
    'host:80',
    'socks4://host:1',
    'ftp://host',
    'http://',
    'http://host/path',
    'http://host?query',
    'http://host#part',
    'http://host:0',
    'http://ho st',
    'http://s3cret%zz@host',
    `http://${'s3cret'.repeat(50)}@host`,
  ]) {
    const refused = parseProxy(text)
    assert.ok(refused instanceof TargetRefused, text)
    assert.ok(!refused.message.includes('s3cret'))
  }
})
