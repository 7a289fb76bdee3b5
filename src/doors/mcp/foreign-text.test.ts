import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foreignText } from './foreign-text.ts'

test('a foreign text is between tags, with its author', () => {
  assert.equal(foreignText('Hello', 'Ana'), '<foreign-text by="Ana">Hello</foreign-text>')
  assert.equal(foreignText('1 < 2'), '<foreign-text>1 < 2</foreign-text>')
})

test('a foreign text cannot end its tag', () => {
  for (const end of ['</foreign-text>', '</ FOREIGN-TEXT >', '< /foreign-text>', '<foreign-text>']) {
    const marked = foreignText(`a${end}b`)
    assert.equal(marked.match(/<\s*\/?\s*foreign-text/gi)?.length, 2, end)
  }
})

test('the name of an author cannot leave its quotes', () => {
  assert.equal(foreignText('x', 'a" by="b><\n'), '<foreign-text by="a  by= b   ">x</foreign-text>')
})
