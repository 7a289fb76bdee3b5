import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberCandidates } from './rules-numbers.ts'

const cases: [number: string, forms: string[]][] = [
  ['5511987654321', ['5511987654321', '551187654321']],
  ['551187654321', ['551187654321', '5511987654321']],
  ['551198765432', ['551198765432', '5511998765432']],
  ['5215512345678', ['5215512345678', '525512345678']],
  ['525512345678', ['525512345678', '5215512345678']],
  ['5491123456789', ['5491123456789', '541123456789']],
  ['541123456789', ['541123456789', '5491123456789']],
  ['5492966123456', ['5492966123456', '542966123456']],
]
for (const [number, forms] of cases) {
  test(`${number}: the given form first, then the other form`, () => {
    assert.deepEqual(numberCandidates(number), forms)
  })
}

const single: [what: string, number: string][] = [
  ['a Brazilian landline', '551131234567'],
  ['a Brazilian landline that begins with 5', '552155551234'],
  ['a Brazilian mobile number that is newer than the ninth digit', '5511931234567'],
  ['a Brazilian number with a digit too many', '55119876543210'],
  ['a Brazilian number without an area code', '5511876543'],
  ['twelve digits with the code of Mexico, the first of them 1', '521234567890'],
  ['a toll-free number of Argentina', '548001234567'],
  ['a number of Germany', '4915112345678'],
  ['a number of the United States', '14155550123'],
]
for (const [what, number] of single) {
  test(`${what} has one form`, () => {
    assert.deepEqual(numberCandidates(number), [number])
  })
}
