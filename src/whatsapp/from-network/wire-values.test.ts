import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { countOf, numberOf, type WireNumber } from './wire-values.ts'

describe('numbers on the wire', () => {
  test('a Long is read exactly, positive or negative', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.boolean(), (number, unsigned) => {
        const bits = BigInt.asUintN(64, BigInt(unsigned ? Math.abs(number) : number))
        const long = { low: Number(bits & 0xffffffffn) | 0, high: Number(bits >> 32n) | 0, unsigned }
        assert.equal(numberOf(long), unsigned ? Math.abs(number) : number)
      }),
    )
  })

  const cases: [WireNumber, number | null, number | null][] = [
    [null, null, null],
    [undefined, null, null],
    [Number.NaN, null, null],
    [Infinity, null, null],
    ['12', 12, 12],
    ['x', null, null],
    [3n, 3, 3],
    [-1, -1, null],
    [1.5, 1.5, null],
    [{ low: -1, high: -1, unsigned: true }, 2 ** 64, null],
    [{ low: -1, high: -1 }, -1, null],
  ]
  for (const [value, number, count] of cases) {
    test(`${String(typeof value === 'object' ? JSON.stringify(value) : value)} is ${number}, as a count ${count}`, () => {
      assert.equal(numberOf(value), number)
      assert.equal(countOf(value), count)
    })
  }
})
