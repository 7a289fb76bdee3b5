import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { apiInstanceName, apiNamePattern, didYouMean, newMessageId, randomTypingMs, slug } from './names.ts'

describe('slug', () => {
  const cases: [displayName: string, expected: string][] = [
    ['Support Brasil', 'support-brasil'],
    ['Atenção São Paulo', 'atencao-sao-paulo'],
    ['  --Sales!!  ', 'sales'],
    ['日本語', 'instance'],
    ['', 'instance'],
  ]
  for (const [displayName, expected] of cases) {
    test(`"${displayName}" → ${expected}`, () => assert.equal(slug(displayName), expected))
  }

  test('any display name gives 1 to 40 characters without a dash at either end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const text = slug(name)
        assert.match(text, /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
        assert.ok(text.length <= 40)
      }),
    )
  })
})

describe('generated names', () => {
  test('an API name is the slug and eight characters from the random source', () => {
    assert.equal(
      apiInstanceName('Support', () => 0),
      'support-aaaaaaaa',
    )
    assert.match(apiInstanceName('Support'), /^support-[a-z0-9]{8}$/)
    assert.notEqual(apiInstanceName('Support'), apiInstanceName('Support'))
  })

  test('a message id has the form that clients of the network use', () => {
    assert.match(newMessageId(), /^3EB0[0-9A-F]{18}$/)
    assert.notEqual(newMessageId(), newMessageId())
  })

  test('the typing delay lies between 3 and 5 seconds, both included', () => {
    assert.equal(
      randomTypingMs(() => 0),
      3000,
    )
    assert.equal(
      randomTypingMs((max) => max - 1),
      5000,
    )
  })
})

describe('names that may be meant', () => {
  test('the pattern fits every API name of the display name, and has no other wildcard', () => {
    assert.equal(apiNamePattern('Loja São_%'), 'loja-sao-________')
    assert.equal(apiInstanceName('Loja São_%').length, apiNamePattern('Loja São_%').length)
  })

  test('one name is proposed as such, several as a list, and none with no sentence', () => {
    assert.equal(didYouMean([]), '')
    assert.equal(didYouMean(['a-1']), ' Did you mean a-1?')
    assert.equal(didYouMean(['a-1', 'a-2']), ' Did you mean one of a-1, a-2?')
  })
})
