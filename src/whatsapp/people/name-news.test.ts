import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createNameNews } from './name-news.ts'

describe('names that the library repeats', () => {
  test('a name is news once, and again after it has changed', () => {
    const isNews = createNameNews()
    const said = ['Ana', 'Ana', 'Ana Maria', 'Ana Maria', 'Ana'].map((notify) =>
      isNews({ id: '1@lid', notify }),
    )
    assert.deepEqual(said, [true, false, true, false, true])
  })

  test('other fields, and the same name of another person, are news', () => {
    const isNews = createNameNews()
    assert.deepEqual(
      [
        { id: '1@lid', notify: 'Ana' },
        { id: '2@lid', notify: 'Ana' },
        { id: '1@lid', notify: 'Ana', username: 'ana' },
      ].map((contact) => isNews(contact)),
      [true, true, true],
    )
  })
})
