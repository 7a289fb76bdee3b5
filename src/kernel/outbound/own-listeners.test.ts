// Which addresses reach the gateway, for each address it can listen on.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAddress } from './ip-address.ts'
import { createOwnListeners } from './own-listeners.ts'

const PORT = 8080
const MACHINE = ['127.0.0.1', '::1', '10.1.2.3', 'fe80::5']

const listening = (...hosts: string[]) => {
  const own = createOwnListeners(() => MACHINE)
  for (const host of hosts) own.add(host, PORT)
  return own
}

function reaching(hosts: string[], targets: string[], port = PORT): string[] {
  const own = listening(...hosts)
  return targets.filter((target) => {
    const byText = own.includesHost(target, port)
    const address = parseAddress(target)
    if (address) assert.equal(own.includesAddress(address, port), byText, target)
    return byText
  })
}

const TARGETS = [
  '127.0.0.1',
  '127.0.0.2',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '0.0.0.0',
  '::',
  '10.1.2.3',
  '::ffff:10.1.2.3',
  'fe80::5%eth0',
  '10.1.2.4',
  '8.8.8.8',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  'example.com',
]
const LOOPBACK_4 = ['127.0.0.1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1', '0.0.0.0', '::']
const NAMES = ['localhost', 'LOCALHOST.', 'a.localhost']

const CASES: [bound: string[], own: string[]][] = [
  [[], []],
  [['127.0.0.1'], [...LOOPBACK_4, ...NAMES]],
  [['::1'], ['::1', '0.0.0.0', '::', ...NAMES]],
  [['::ffff:127.0.0.1'], [...LOOPBACK_4, ...NAMES]],
  [['localhost'], [...LOOPBACK_4, '::1', ...NAMES]],
  [['10.1.2.3'], ['10.1.2.3', '::ffff:10.1.2.3', '0.0.0.0', '::']],
  [['0.0.0.0'], TARGETS.filter((target) => !['10.1.2.4', '8.8.8.8', 'example.com'].includes(target))],
  [['::'], TARGETS.filter((target) => !['10.1.2.4', '8.8.8.8', 'example.com'].includes(target))],
  [['example.com'], ['example.com']],
]

describe('own listeners', () => {
  for (const [bound, own] of CASES) {
    test(`bound to ${bound.join(', ') || 'nothing'}: ${own.length} of ${TARGETS.length} targets reach the gateway`, () => {
      assert.deepEqual(reaching(bound, TARGETS).sort(), own.toSorted())
    })
  }

  test('another port does not reach the gateway', () => {
    assert.deepEqual(reaching(['0.0.0.0'], TARGETS, PORT + 1), [])
  })

  test('an interface added later counts', () => {
    const machine = [...MACHINE]
    const own = createOwnListeners(() => machine)
    own.add('0.0.0.0', PORT)
    assert.equal(own.includesHost('10.9.9.9', PORT), false)
    machine.push('10.9.9.9')
    assert.equal(own.includesHost('10.9.9.9', PORT), true)
  })
})
