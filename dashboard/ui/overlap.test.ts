import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hoursIn } from './overlap.ts'

test('an empty overlap is not 0 hours, which would end the old key immediately', () => {
  for (const text of ['', '  ', 'x']) assert.ok(Number.isNaN(hoursIn(text)), text)
  assert.deepEqual(['0', ' 24 '].map(hoursIn), [0, 24])
})
