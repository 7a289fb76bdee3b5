// Which URLs are accepted for webhook receivers and media files.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FORBIDDEN } from '../../../test/support/address-table.ts'
import { createAddressGuard, parseAllowTargets } from './address-guard.ts'
import { createOwnListeners } from './own-listeners.ts'
import { createTargetCheck, type Purpose, TargetRefused } from './target.ts'

const checkWith = (allowed: string[] = [], ownUrls: string[] = [], own = createOwnListeners()) => {
  const allow = parseAllowTargets(allowed)
  return createTargetCheck({ guard: createAddressGuard(allow.blocks), allow, ownUrls, own })
}

function refusal(text: string, purpose: Purpose, check = checkWith()): string | undefined {
  const target = check(text, purpose)
  return target instanceof TargetRefused ? target.message : undefined
}

describe('a target', () => {
  const WEBHOOK = 'expected an https URL without credentials, or http to a host in ALLOW_TARGETS'
  const MEDIA = 'expected an http or https URL without credentials'
  const PUBLIC = 'expected a host with a public address'
  const PLAIN = 'expected a URL without whitespace or control characters'
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
    ['https://example.com/ho\tok', 'webhook', PLAIN],
    ['https://exam\nple.com/hook', 'webhook', PLAIN],
    ['https://example.com/hook\r\n', 'webhook', PLAIN],
    ['ht\ttps://example.com/hook', 'webhook', PLAIN],
    [' https://example.com/hook', 'webhook', PLAIN],
    ['https://example.com/hook ', 'webhook', PLAIN],
    ['https://example.com/my hook', 'webhook', PLAIN],
    ['https://example.com/a\u0000b', 'webhook', PLAIN],
    ['https://example.com/a\u007fb', 'webhook', PLAIN],
    ['https://example.com/a\u0085b', 'webhook', PLAIN],
    ['https://example.com/a\u00a0b', 'webhook', PLAIN],
    ['https://example.com/a\u2028b', 'webhook', PLAIN],
    ['https://example.com/a\ufeffb', 'webhook', PLAIN],
    ['http://example.com/a b.png', 'media', PLAIN],
    ['http://example.com/a.png\n', 'media', PLAIN],
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
    ['http://example.com/a%20b.png', 'media'],
    ['http://example.com/%0A', 'media'],
    ['http://example.com/ação.png', 'media'],
    ['https://8.8.8.8/a.png', 'media'],
    ['https://[2606:4700:4700::1111]/a.png', 'media'],
    ['https://127.0.0.1.example.com/', 'media'],
    ['http://example.com#@127.0.0.1/', 'media'],
  ] as const) {
    test(`${purpose} ${text} is allowed`, () => assert.equal(refusal(text, purpose), undefined))
  }

  test('a refusal contains no address', () => {
    for (const [address] of FORBIDDEN) {
      const host = address.includes(':') ? `[${address}]` : address
      const message = refusal(`https://${host}/`, 'webhook') ?? assert.fail(address)
      assert.doesNotMatch(message, /\d|::/)
    }
  })

  test('an allowed host name is allowed in any spelling; other names are not', () => {
    const check = checkWith(['Intern.Example', 'localhost'])
    for (const text of ['https://intern.example/', 'https://INTERN.example./', 'https://localhost:9000/']) {
      assert.equal(refusal(text, 'webhook', check), undefined, text)
    }
    assert.ok(refusal('https://sub.localhost/', 'webhook', check))
    assert.ok(refusal('https://127.0.0.1/', 'webhook', check))
  })

  test('a webhook may be plain only to a host that the allow list has, by name or by address', () => {
    const check = checkWith(['10.0.0.0/8', 'n8n', '::1'])
    for (const text of ['http://10.0.0.1/', 'http://N8N.:5678/hook', 'http://[::1]/', 'https://10.0.0.1/'])
      assert.equal(refusal(text, 'webhook', check), undefined, text)
    for (const text of [
      'http://11.0.0.1/',
      'http://sub.n8n/',
      'http://example.com/',
      'ftp://n8n/',
      'ws://n8n/',
    ])
      assert.equal(refusal(text, 'webhook', check), WEBHOOK, text)
  })

  test('the rules for credentials apply to allowed hosts too', () => {
    const check = checkWith(['10.0.0.0/8'])
    for (const scheme of ['http', 'https'])
      assert.equal(refusal(`${scheme}://a:b@10.0.0.1/`, 'webhook', check), WEBHOOK)
  })

  test('the public URL of the gateway is refused, over http and https', () => {
    const check = checkWith([], ['https://gateway.example/switchboard/'])
    for (const text of [
      'https://gateway.example/switchboard/api/v1',
      'https://gateway.example:443/switchboard/',
      'https://gateway.example./switchboard/',
      'http://gateway.example/switchboard/',
      'https://gateway.example//switchboard/',
      'https://gateway.example/%73witchboard/',
      'https://gateway.example/%2Fswitchboard/',
      'https://gateway.example/a/..%2fswitchboard/',
    ]) {
      assert.equal(refusal(text, 'media', check), 'expected a host other than this gateway', text)
    }
    assert.equal(refusal('https://gateway.example/files/a.png', 'media', check), undefined)
    assert.equal(refusal('https://gateway.example:8443/switchboard/', 'media', check), undefined)
  })

  test('an address the gateway listens on is refused in any spelling, even if the allow list contains it', () => {
    const own = createOwnListeners()
    const check = checkWith(['127.0.0.0/8', '::1', '0.0.0.0', 'localhost', '64:ff9b::/96'], [], own)
    const hosts = ['127.0.0.1', '127.1', '0x7f000001', '[::ffff:127.0.0.1]', '0.0.0.0', 'localhost']
    const at = (port: number) => hosts.map((host) => refusal(`http://${host}:${port}/`, 'media', check))
    assert.deepEqual(at(8080), Array(6).fill(undefined))
    own.add('127.0.0.1', 8080)
    assert.deepEqual(at(8080), Array(6).fill('expected a host other than this gateway'))
    assert.deepEqual(at(8081), Array(6).fill(undefined))
    own.add('127.0.0.1', 443)
    assert.ok(refusal('https://127.0.0.1/', 'webhook', check), 'the default port counts')
  })
})
