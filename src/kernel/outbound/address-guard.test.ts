// Every address and every spelling in test/support/address-table.ts gets the result listed there.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALLOWED, FORBIDDEN, SPELLINGS } from '../../../test/support/address-table.ts'
import { createAddressGuard, parseAllowTargets } from './address-guard.ts'
import { type IpAddress, parseAddress, parseBlock } from './ip-address.ts'
import { createOwnListeners } from './own-listeners.ts'
import { createTargetCheck, TargetRefused } from './target.ts'

const guard = createAddressGuard([])
const address = (text: string): IpAddress => parseAddress(text) ?? assert.fail(`${text} is not an address`)
const allowing = (...entries: string[]) => createAddressGuard(parseAllowTargets(entries).blocks)

describe('the address guard', () => {
  test('the table is complete', () => {
    assert.deepEqual([FORBIDDEN.length, ALLOWED.length, SPELLINGS.length], [60, 8, 48])
  })

  for (const [text, reason] of FORBIDDEN) {
    test(`refuses ${text}: ${reason}`, () => assert.equal(guard(address(text))?.reason, reason))
  }

  for (const text of ALLOWED) {
    test(`allows ${text}`, () => assert.equal(guard(address(text)), undefined))
  }

  test('each refusal names its registry', () => {
    for (const [text] of FORBIDDEN) assert.match(guard(address(text))?.registry ?? '', /\w/, text)
  })

  test('an allowed block also allows its IPv4-mapped forms, and nothing outside the block', () => {
    const open = allowing('10.1.0.0/16')
    assert.equal(open(address('10.1.2.3')), undefined)
    assert.equal(open(address('::ffff:10.1.2.3')), undefined)
    assert.equal(open(address('64:ff9b::10.1.2.3')), undefined)
    for (const other of ['10.2.0.1', '::10.1.2.3', '2002:a01:203::1', '127.0.0.1', '::1']) {
      assert.ok(open(address(other)), other)
    }
  })

  test('a single IPv4 or IPv6 address can be allowed', () => {
    assert.equal(allowing('::1')(address('0:0:0:0:0:0:0:1')), undefined)
    assert.ok(allowing('::1')(address('127.0.0.1')))
    assert.equal(allowing('fd00::/8')(address('fd12::1')), undefined)
    assert.equal(allowing('127.1')(address('127.0.0.1')), undefined)
  })

  test('an invalid entry of the allow list throws', () => {
    for (const entry of [
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/x',
      '10.0.0.0/8/8',
      'http://a',
      'a:1',
      'a@b',
      '',
      '256.1.1.1',
    ]) {
      assert.throws(() => parseAllowTargets([entry]), entry)
    }
  })
})

describe('parsing addresses', () => {
  test('zones are ignored; other text is not an address', () => {
    assert.deepEqual(parseAddress('fe80::1%eth0'), parseAddress('fe80::1'))
    for (const text of ['', 'localhost', '1.2.3', '01.2.3.4', '1.2.3.4.5', '::1::', '1.2.3.4/8']) {
      assert.equal(parseAddress(text), undefined, text)
    }
  })

  test('parsed values are exact', () => {
    assert.equal(address('255.255.255.255').value, 2n ** 32n - 1n)
    assert.equal(address('ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255').value, 2n ** 128n - 1n)
    assert.equal(address('1::').value, 1n << 112n)
    assert.equal(address('::1:2').value, 0x1_0002n)
    assert.deepEqual(parseBlock('1.2.3.4'), { family: 4, value: 0x01020304n, prefix: 32 })
  })
})

describe('spellings of a host', () => {
  const check = createTargetCheck({
    guard,
    allow: parseAllowTargets([]),
    ownUrls: [],
    own: createOwnListeners(),
  })
  for (const [written, host, allowed] of SPELLINGS) {
    test(`${JSON.stringify(written)} parses as ${host ?? 'no URL'} and is ${allowed ? 'allowed' : 'refused'}`, () => {
      for (const scheme of ['http', 'https']) {
        const text = `${scheme}://${written}/path`
        assert.equal(URL.parse(text)?.hostname ?? null, host)
        assert.equal(check(text, 'media') instanceof TargetRefused, !allowed)
      }
    })
  }
})
