import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { DELETED_MARK, indexedWords, searchTerms, wordsOf } from './rules-search-words.ts'

const message = (content: object) => ({ account_id: 3, instance_id: 7, content: JSON.stringify(content) })

describe('words of messages', () => {
  test('case and accents are folded, signs separate, each word is there once', () => {
    assert.deepEqual(wordsOf('Olá, OLÁ ação! Straße Ørsted naïve'), [
      'ola',
      'acao',
      'strasse',
      'orsted',
      'naive',
    ])
    assert.deepEqual(wordsOf('ana@example.com +55 (11) 9.123'), [
      'ana',
      'example',
      'com',
      '55',
      '11',
      '9',
      '123',
    ])
    assert.deepEqual(wordsOf('İstanbul Ёлка 👍 — …'), ['istanbul', 'елка'])
  })

  test('characters of scripts without spaces are words', () => {
    assert.deepEqual(wordsOf('東京 OK'), ['東', '京', 'ok'])
  })

  test('a long text is indexed up to a limit, and a long word is cut', () => {
    assert.equal(wordsOf('a'.repeat(100))[0]?.length, 64)
    assert.equal(wordsOf(Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' ')).length, 1000)
  })

  test('a word of three letters or more is the beginning of one', () => {
    assert.deepEqual(searchTerms('in Voi'), [
      { word: 'in', isPrefix: false },
      { word: 'voi', isPrefix: true },
    ])
  })

  test('syntax of any engine only separates words', () => {
    const hostile = `"a" OR NOT (b*) & !c | d:* -- '; drop NEAR/2 {x} ^y \\ <->`
    const words = searchTerms(hostile).map(({ word }) => word)
    assert.deepEqual(words, ['a', 'or', 'not', 'b', 'c', 'd', 'drop', 'near', '2', 'x', 'y'])
    assert.deepEqual(searchTerms('*** "" & |'), [])
  })

  test('words contain letters, digits and marks only, of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of wordsOf(text)) assert.match(word, /^[\p{L}\p{N}\p{M}]+$/u)
      }),
    )
  })

  test('a message is found by text, file, place, poll and contacts', () => {
    assert.deepEqual(indexedWords(message({ text: 'Hi', media: { fileName: 'Bill.pdf' } })), [
      '¤a3',
      '¤i7',
      'hi',
      'bill',
      'pdf',
    ])
    const poll = message({ pollName: 'Lunch?', options: ['Pizza', 'Salad'] })
    assert.deepEqual(indexedWords(poll).slice(2), ['lunch', 'pizza', 'salad'])
    assert.deepEqual(indexedWords(message({ contacts: [{ name: 'Bia' }, null] })).slice(2), ['bia'])
    assert.deepEqual(indexedWords(message({ emoji: 'x' })), [])
  })

  test('an edit replaces the text and keeps the rest; a deletion leaves nothing', () => {
    const stored = message({ message: 'before', fileName: 'a.png' })
    assert.deepEqual(indexedWords(stored, 'after').slice(2), ['after', 'a', 'png'])
    assert.deepEqual(indexedWords(stored, null), ['¤a3', '¤i7', DELETED_MARK])
    assert.deepEqual(indexedWords(message({ message: 'before' }), '👍'), ['¤a3', '¤i7'])
  })
})
