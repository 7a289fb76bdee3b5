import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberCandidates } from './number-candidates.ts'

const cases: [number: string, forms: string[]][] = [
  ['5511912345678', ['5511912345678', '551112345678']],
  ['551112345678', ['551112345678', '5511912345678']],
  ['5215512345678', ['5215512345678', '525512345678']],
  ['525512345678', ['525512345678', '5215512345678']],
  ['5491123456789', ['5491123456789', '541123456789']],
  ['541123456789', ['541123456789', '5491123456789']],
  ['4915112345678', ['4915112345678']],
  ['14155550123', ['14155550123']],
  ['55119123456789', ['55119123456789']],
]
for (const [number, forms] of cases) {
  test(`${number}: the given form first, then the other form`, () => {
    assert.deepEqual(numberCandidates(number), forms)
  })
}
