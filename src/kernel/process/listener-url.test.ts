import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { test } from 'node:test'
import { hostInUrl, listenerAddress, loopbackAddress } from './listener-url.ts'

test('IPv6 addresses have brackets in URLs', () => {
  assert.deepEqual(['::1', 'fd00::2', '127.0.0.1', 'localhost'].map(hostInUrl), [
    '[::1]',
    '[fd00::2]',
    '127.0.0.1',
    'localhost',
  ])
})

test('a listener on all addresses is reached on the loopback of its family', () => {
  assert.deepEqual(
    ['0.0.0.0', '::', '::1', '192.0.2.1', 'node-1'].map((host) => listenerAddress(host, 80)),
    ['127.0.0.1:80', '[::1]:80', '[::1]:80', '192.0.2.1:80', 'node-1:80'],
  )
})

test('the loopback address is that of IPv6 only where IPv4 has none', () => {
  const found = (...addresses: string[]) =>
    loopbackAddress({ lo: addresses.map((address) => ({ address }) as NetworkInterfaceInfo) })
  assert.deepEqual(
    [found('127.0.0.1', '::1'), found('127.0.0.1'), found('::1', 'fd00::2'), found()],
    ['127.0.0.1', '127.0.0.1', '::1', '127.0.0.1'],
  )
})
