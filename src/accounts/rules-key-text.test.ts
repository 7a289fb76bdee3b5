import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hashKey, keyHint, mayBeKey, newKeyText } from './rules.ts'

describe('the text of an API key', () => {
  test('a new key has the prefix, 32 random characters and a valid checksum', () => {
    const keys = new Set(Array.from({ length: 100 }, newKeyText))
    assert.equal(keys.size, 100)
    for (const key of keys) {
      assert.match(key, /^sk_[0-9A-Za-z]{38}$/)
      assert.ok(mayBeKey(key))
    }
  })

  test('one changed character makes the checksum wrong', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.constantFrom('0', 'a', 'Z'), (at, character) => {
        const key = newKeyText()
        fc.pre(key[at] !== character)
        assert.equal(mayBeKey(key.slice(0, at) + character + key.slice(at + 1)), false)
      }),
    )
  })

  test('a key of another form is accepted, as keys from the environment may have any form', () => {
    for (const key of ['a key of my own', 'sk_short', '', 'SK_'.padEnd(41, 'a')])
      assert.ok(mayBeKey(key), key)
  })

  test('the hash is SHA-256 in hex', () => {
    assert.equal(hashKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('the hint shows the first five and the last four characters', () => {
    assert.equal(keyHint('sk_abcdefghijklmnop'), 'sk_ab…mnop')
  })
})
