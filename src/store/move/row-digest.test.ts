import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRowDigest, type MovedRow } from './row-digest.ts'

const digestOf = (...rows: MovedRow[]): string => {
  const digest = createRowDigest()
  for (const row of rows) digest.add(row)
  return digest.text()
}

test('the order of rows does not matter, their number does', () => {
  const [a, b] = [
    ['1', 'text', null],
    ['2', 'other', Buffer.of(0, 255)],
  ] as const
  assert.equal(digestOf(a, b), digestOf(b, a))
  assert.notEqual(digestOf(a, a), digestOf())
  assert.notEqual(digestOf(a, b), digestOf(a))
})

for (const [what, one, other] of [
  ['a character that moves to the next column', ['ab', 'c'], ['a', 'bc']],
  ['nothing in place of an empty text', ['1', null], ['1', '']],
  ['bytes in place of the same text', ['1', 'a'], ['1', Buffer.from('a')]],
  ['one bit', ['1', Buffer.of(1)], ['1', Buffer.of(3)]],
] as [string, MovedRow, MovedRow][])
  test(`the digest shows ${what}`, () => assert.notEqual(digestOf(one), digestOf(other)))
