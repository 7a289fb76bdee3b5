// Emojis by category and by words, in three languages.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EMOJIS } from './emojis.ts'
import { EMOJI_CATEGORIES, findEmojis, namedEmojis, withRecent } from './find-emojis.ts'
import { emojiNames as en } from './texts/en.ts'
import { emojiNames as es } from './texts/es.ts'
import { emojiNames as pt } from './texts/pt.ts'

const LANGUAGES = { en, pt, es }
const found = (language: keyof typeof LANGUAGES, query: string): string[] =>
  findEmojis(namedEmojis(LANGUAGES[language]).values(), query).map(({ emoji }) => emoji)

describe('emojis', () => {
  test('every emoji has a name in every language', () => {
    for (const category of EMOJI_CATEGORIES) {
      const { length } = EMOJIS[category].split(' ')
      for (const [language, names] of Object.entries(LANGUAGES)) {
        const described = names[category].split('|')
        assert.equal(described.length, length, `${category} in ${language}`)
        assert.ok(described.every((text) => /^[^,]/.test(text)))
      }
    }
  })

  test('words find emojis by the beginnings of names and keywords, without accents', () => {
    assert.equal(found('en', 'party pop')[0], '🎉')
    assert.ok(found('en', 'celebrat').includes('🎉'), 'by a keyword')
    assert.equal(found('pt', 'coração verm')[0], '❤️')
    assert.equal(found('pt', 'CORACAO VERM')[0], '❤️')
    assert.ok(found('es', 'corazon rojo').includes('❤️'))
  })

  test('names come before keywords, and nothing is found by nothing', () => {
    const [first, ...others] = found('en', 'dog')
    assert.equal(first, '🐶')
    assert.ok(others.includes('🦴'), 'a bone, which Unicode lists before, by its keyword')
    assert.deepEqual(found('en', ' '), [])
    assert.deepEqual(found('en', 'xyzzy'), [])
    assert.equal(found('en', 'face').length, 96)
  })

  test('the last chosen emoji is the first of the recent ones, once', () => {
    assert.deepEqual(withRecent(['a', 'b'], 'b'), ['b', 'a'])
    assert.deepEqual(withRecent(['a', 'b'], 'c', 2), ['c', 'a'])
  })
})
