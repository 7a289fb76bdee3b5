import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numbersIn } from './numbers-in.ts'

test('numbers are separated by commas or lines, each once', () => {
  assert.deepEqual(numbersIn('+55 11 91234-5678, 5511912345679\n\n5511912345679;'), [
    '+55 11 91234-5678',
    '5511912345679',
  ])
})
