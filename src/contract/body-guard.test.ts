// A hostile body is refused before it is expensive: by its text if possible, otherwise by its values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFault } from './body-guard.ts'
import { findTextFault } from './text-guard.ts'

const MAX_VALUES = 20_000
const listOf = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(',')}]`
const nested = (depth: number) => '['.repeat(depth) + ' '.repeat(MAX_VALUES) + ']'.repeat(depth)

const TEXTS: [name: string, text: string][] = [
  ['a megabyte of empty lists', listOf(333_333, '[]')],
  ['one value too many', listOf(MAX_VALUES, '1')],
  ['one empty object too many', listOf(MAX_VALUES, '{ }')],
  ['a hundred thousand fields', `{${Array.from({ length: 100_000 }, (_, at) => `"${at}":1`).join(',')}}`],
  ['one level too many', nested(33)],
  ['half a megabyte of opening brackets', '['.repeat(500_000)],
]
for (const [name, text] of TEXTS) {
  test(`refused: ${name}`, () => assert.ok(findTextFault(text) ?? findFault(JSON.parse(text))))
}

const GOOD: [name: string, text: string][] = [
  ['as many values as are allowed', listOf(MAX_VALUES - 1, '1')],
  ['as many empty objects as are allowed', listOf(MAX_VALUES - 1, '{ }')],
  ['as many levels as are allowed', nested(32)],
  ['brackets and commas inside a text', JSON.stringify({ text: '[{,"\\'.repeat(50_000) })],
  [
    'a text that ends in a backslash',
    JSON.stringify({ text: `${'x'.repeat(MAX_VALUES)}\\`, more: ['[', ','] }),
  ],
]
for (const [name, text] of GOOD) {
  test(`both checks accept ${name}`, () => {
    assert.equal(findTextFault(text), undefined)
    assert.equal(findFault(JSON.parse(text)), undefined)
  })
}

test('a text that is slow to parse is refused before parsing', () => {
  for (const [name, text] of TEXTS) if (text.length > 200_000) assert.ok(findTextFault(text), name)
})

test('a fault contains the path', () => {
  assert.deepEqual(findFault({ a: [1, { b: 'x\0' }] })?.path, 'a.1.b')
  assert.deepEqual(findFault({ a: { 'x\0': 1 } }), {
    path: 'a',
    message: 'field name must not contain the NUL character',
  })
})
