// Which URLs may be given as a receiver or as a media file at all (attack list 4, 7).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FORBIDDEN } from '../../test/support/address-table.ts'
import { createAddressGuard } from './address-guard.ts'
import { parseAllowTargets } from './allow-list.ts'
import { createTargetCheck, type Purpose, TargetRefused } from './target.ts'

const checkWith = (allowed: string[] = [], ownUrls: string[] = []) => {
  const allow = parseAllowTargets(allowed)
  return createTargetCheck({ guard: createAddressGuard(allow.blocks), allow, ownUrls })
}

function refusal(text: string, purpose: Purpose, check = checkWith()): string | undefined {
  const target = check(text, purpose)
  return target instanceof TargetRefused ? target.message : undefined
}

describe('a target', () => {
  const WEBHOOK = 'expected an https URL without credentials'
  const MEDIA = 'expected an http or https URL without credentials'
  const PUBLIC = 'expected a host with a public address'
  const refused: [text: string, purpose: Purpose, message: string][] = [
    ['http://example.com/hook', 'webhook', WEBHOOK],
    ['file:///etc/passwd', 'webhook', WEBHOOK],
    ['https://user@example.com/', 'webhook', WEBHOOK],
    ['https://:secret@example.com/', 'webhook', WEBHOOK],
    ['https://127.0.0.1@example.com/', 'webhook', WEBHOOK],
    ['https://example.com:0/', 'webhook', 'expected a port other than 0'],
    ['https://example.com:65536/', 'webhook', WEBHOOK],
    ['https://', 'webhook', WEBHOOK],
    ['example.com/hook', 'webhook', WEBHOOK],
    ['', 'webhook', WEBHOOK],
    ['/etc/passwd', 'media', MEDIA],
    ['../../etc/passwd', 'media', MEDIA],
    ['file:///etc/passwd', 'media', MEDIA],
    ['data:text/plain,hello', 'media', MEDIA],
    ['ftp://example.com/a.png', 'media', MEDIA],
    ['javascript:alert(1)', 'media', MEDIA],
    ['blob:https://example.com/0', 'media', MEDIA],
    ['ws://example.com/', 'media', MEDIA],
    ['http://user:secret@example.com/a.png', 'media', MEDIA],
    ['http://127.0.0.1:8080/api/v1/instance/list', 'media', PUBLIC],
    ['http://localhost/', 'media', PUBLIC],
    ['http://anything.localhost/', 'media', PUBLIC],
    ['http://127.0.0.1\\@example.com/', 'media', PUBLIC],
    ['https:/127.0.0.1/', 'media', PUBLIC],
    ['https:127.0.0.1', 'media', PUBLIC],
  ]
  for (const [text, purpose, message] of refused) {
    test(`${purpose} ${JSON.stringify(text)} is refused`, () => assert.equal(refusal(text, purpose), message))
  }

  for (const [text, purpose] of [
    ['https://example.com/hook?a=1', 'webhook'],
    ['https://example.com:8443/hook', 'webhook'],
    ['http://example.com/a.png', 'media'],
    ['https://8.8.8.8/a.png', 'media'],
    ['https://[2606:4700:4700::1111]/a.png', 'media'],
    ['https://127.0.0.1.example.com/', 'media'],
    ['http://example.com#@127.0.0.1/', 'media'],
  ] as const) {
    test(`${purpose} ${text} passes`, () => assert.equal(refusal(text, purpose), undefined))
  }

  test('a refusal names no address', () => {
    for (const [address] of FORBIDDEN) {
      const host = address.includes(':') ? `[${address}]` : address
      const message = refusal(`https://${host}/`, 'webhook') ?? assert.fail(address)
      assert.doesNotMatch(message, /\d|::/)
    }
  })

  test('the operator may allow a name, however it is spelt, and no other', () => {
    const check = checkWith(['Intern.Example', 'localhost'])
    for (const text of ['https://intern.example/', 'https://INTERN.example./', 'https://localhost:9000/']) {
      assert.equal(refusal(text, 'webhook', check), undefined, text)
    }
    assert.ok(refusal('https://sub.localhost/', 'webhook', check))
    assert.ok(refusal('https://127.0.0.1/', 'webhook', check))
  })

  test('what the operator allows is still bound to scheme and credentials', () => {
    const check = checkWith(['10.0.0.0/8'])
    assert.equal(refusal('https://10.0.0.1/', 'webhook', check), undefined)
    assert.ok(refusal('http://10.0.0.1/', 'webhook', check))
    assert.ok(refusal('https://a:b@10.0.0.1/', 'webhook', check))
  })

  test('the gateway itself is no target, under whatever scheme it is public', () => {
    const check = checkWith([], ['https://gateway.example/switchboard/'])
    for (const text of [
      'https://gateway.example/switchboard/api/v1',
      'https://gateway.example:443/switchboard/',
    ]) {
      assert.equal(refusal(text, 'media', check), 'expected a host other than this gateway', text)
    }
    assert.equal(refusal('https://gateway.example/files/a.png', 'media', check), undefined)
    assert.equal(refusal('https://gateway.example:8443/switchboard/', 'media', check), undefined)
  })
})
