import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type AssertionParts, passkeyOptions, signedAssertion } from '../../test/support/passkey-assertion.ts'
import type { PasskeyAssertion } from '../network/passkey.ts'
import { checkAssertion } from './rules-passkey.ts'

const options = passkeyOptions()
const { challenge } = options
const good = signedAssertion({ challenge })
const check = (assertion: PasskeyAssertion) => checkAssertion(assertion, options)
const made = (parts: Partial<AssertionParts>) => check(signedAssertion({ challenge, ...parts }))
const withResponse = (change: Partial<PasskeyAssertion['response']>): PasskeyAssertion => ({
  ...good,
  response: { ...good.response, ...change },
})
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('an assertion of a passkey', () => {
  test('is accepted for the pending challenge, also without a user handle and with a padded challenge', () => {
    assert.equal(check(good), null)
    assert.equal(made({ userHandle: null }), null)
    assert.equal(checkAssertion(good, { ...options, challenge: `${challenge}=` }), null)
  })

  const wrong: [parts: Partial<AssertionParts>, reason: string, field: string][] = [
    [{ type: 'webauthn.create' }, 'passkey_wrong_type', 'response.clientDataJSON.type'],
    [
      { challenge: passkeyOptions().challenge },
      'passkey_wrong_challenge',
      'response.clientDataJSON.challenge',
    ],
    [{ challenge: '' }, 'passkey_wrong_challenge', 'response.clientDataJSON.challenge'],
    [{ origin: 'https://whatsapp.com' }, 'passkey_wrong_origin', 'response.clientDataJSON.origin'],
    [{ origin: 'https://web.whatsapp.com/' }, 'passkey_wrong_origin', 'response.clientDataJSON.origin'],
    [{ origin: 'http://web.whatsapp.com' }, 'passkey_wrong_origin', 'response.clientDataJSON.origin'],
    [
      { origin: 'https://web.whatsapp.com.evil.example' },
      'passkey_wrong_origin',
      'response.clientDataJSON.origin',
    ],
    [{ crossOrigin: true }, 'passkey_wrong_origin', 'response.clientDataJSON.crossOrigin'],
    [{ site: 'web.whatsapp.com' }, 'passkey_wrong_site', 'response.authenticatorData'],
    [{ flags: 0x04 }, 'passkey_without_presence', 'response.authenticatorData'],
    [{ flags: 0x01 }, 'passkey_without_verification', 'response.authenticatorData'],
  ]
  for (const [parts, reason, field] of wrong) {
    test(`with ${JSON.stringify(parts)} is refused as ${reason}`, () => {
      assert.deepEqual(made(parts), { reason, field })
    })
  }

  const malformed: [field: string, PasskeyAssertion][] = [
    ['rawId', { ...good, id: '', rawId: '' }],
    ['rawId', { ...good, id: 'A', rawId: 'A' }],
    ['rawId', { ...good, rawId: `${good.rawId}==` }],
    ['rawId', { ...good, rawId: Buffer.alloc(1024).toString('base64url') }],
    ['id', { ...good, id: 'AQIDBA' }],
    ['response.clientDataJSON', withResponse({ clientDataJSON: '+/+/' })],
    ['response.clientDataJSON', withResponse({ clientDataJSON: encoded('a text') })],
    ['response.clientDataJSON', withResponse({ clientDataJSON: encoded([]) })],
    ['response.clientDataJSON', withResponse({ clientDataJSON: encoded(null) })],
    ['response.clientDataJSON', withResponse({ clientDataJSON: Buffer.from('{"a').toString('base64url') })],
    [
      'response.clientDataJSON',
      withResponse({ clientDataJSON: Buffer.from([0x22, 0xff, 0x22]).toString('base64url') }),
    ],
    ['response.clientDataJSON', withResponse({ clientDataJSON: encoded({ type: 'x'.repeat(5000) }) })],
    [
      'response.authenticatorData',
      withResponse({ authenticatorData: Buffer.alloc(36).toString('base64url') }),
    ],
    [
      'response.authenticatorData',
      withResponse({ authenticatorData: Buffer.alloc(5000).toString('base64url') }),
    ],
    ['response.signature', withResponse({ signature: '' })],
    ['response.signature', withResponse({ signature: Buffer.alloc(1025).toString('base64url') })],
    ['response.userHandle', withResponse({ userHandle: '' })],
    ['response.userHandle', withResponse({ userHandle: Buffer.alloc(65).toString('base64url') })],
  ]
  for (const [index, [field, assertion]] of malformed.entries()) {
    test(`malformed in ${field} is refused (${index})`, () => {
      assert.deepEqual(check(assertion), { reason: 'passkey_malformed', field })
    })
  }

  test('is refused when options contain no challenge', () => {
    for (const each of [{}, { challenge: 7 }, { challenge: undefined }])
      assert.equal(checkAssertion(good, each)?.reason, 'passkey_wrong_challenge')
  })

  test('is refused after a change of any bit of the site or of the flags UP and UV', () => {
    const bytes = Buffer.from(good.response.authenticatorData, 'base64url')
    const bits = [...Array.from({ length: 32 * 8 }, (_, bit) => bit), 32 * 8, 32 * 8 + 2]
    for (const bit of bits) {
      const changed = Buffer.from(bytes)
      const at = Math.floor(bit / 8)
      changed[at] = (changed[at] as number) ^ (1 << (bit % 8))
      assert.notEqual(check(withResponse({ authenticatorData: changed.toString('base64url') })), null)
    }
  })

  test('is refused after a change of any character of the client data', () => {
    const text = Buffer.from(good.response.clientDataJSON, 'base64url').toString()
    // The value of crossOrigin may be anything but true.
    const end = text.indexOf(',"crossOrigin"')
    for (let at = 0; at < end; at += 1) {
      const changed = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
      const clientDataJSON = Buffer.from(changed).toString('base64url')
      assert.notEqual(check(withResponse({ clientDataJSON })), null, changed)
    }
  })

  test('any texts are refused without an exception', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 6, maxLength: 6 }), (texts) => {
        const [
          id = '',
          rawId = '',
          clientDataJSON = '',
          authenticatorData = '',
          signature = '',
          handle = '',
        ] = texts
        const response = { clientDataJSON, authenticatorData, signature, userHandle: handle }
        assert.notEqual(check({ id, rawId, type: 'public-key', response }), null)
      }),
    )
  })
})
