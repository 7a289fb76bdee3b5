// The client address behind proxies. Clients cannot choose it with a header of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClientAddress } from './client-address.ts'

const PROXIES = ['10.0.0.0/8', '192.0.2.1', '2001:db8:1::/48', '::1']
const CASES: [socket: string, forwardedFor: string, client: string][] = [
  ['203.0.113.9', '', '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['::ffff:203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['10.1.1.1', '', '10.1.1.1'],
  ['10.1.1.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.1.1.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:a01:101', '198.51.100.1', '198.51.100.1'],
  ['10.1.1.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['10.1.1.1', '1.1.1.1,198.51.100.1 , 10.2.2.2,192.0.2.1', '198.51.100.1'],
  ['192.0.2.1', '198.51.100.1, ::ffff:10.2.2.2', '198.51.100.1'],
  ['192.0.2.2', '198.51.100.1', '192.0.2.2'],
  ['2001:db8:1::5', '2001:DB8:0:0::7', '2001:db8::7'],
  ['::1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['10.1.1.1', '198.51.100.1:4711', '198.51.100.1'],
  ['10.1.1.1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['10.1.1.1', '[2001:db8::7]', '2001:db8::7'],
  ['10.1.1.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
  // What cannot be read ends the trust in the whole header.
  ['10.1.1.1', 'unknown', '10.1.1.1'],
  ['10.1.1.1', '198.51.100.1, unknown', '10.1.1.1'],
  ['10.1.1.1', 'unknown, 198.51.100.1', '198.51.100.1'],
  ['10.1.1.1', '198.51.100.1,', '10.1.1.1'],
  ['10.1.1.1', '198.51.100.256', '10.1.1.1'],
  ['10.1.1.1', '198.51.100.1:port', '10.1.1.1'],
  ['10.1.1.1', '127.1', '10.1.1.1'],
  ['10.1.1.1', ' ', '10.1.1.1'],
  ['', '198.51.100.1', ''],
]

for (const [socket, forwardedFor, client] of CASES) {
  test(`${socket || 'a closed socket'} with X-Forwarded-For ${JSON.stringify(forwardedFor)}: ${client}`, () => {
    assert.equal(createClientAddress(PROXIES)(socket, forwardedFor), client)
  })
}

test('without trusted proxies the header is ignored', () => {
  assert.equal(createClientAddress([])('10.1.1.1', '198.51.100.1'), '10.1.1.1')
})

test('a network in IPv6-mapped form matches IPv4 addresses', () => {
  const clientAddress = createClientAddress(['::ffff:10.0.0.0/104'])
  assert.equal(clientAddress('10.1.1.1', '198.51.100.1'), '198.51.100.1')
  assert.equal(clientAddress('11.1.1.1', '198.51.100.1'), '11.1.1.1')
})
