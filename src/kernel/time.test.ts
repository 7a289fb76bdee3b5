import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromIso, fromIsoOrNull, iso, isoOrNull } from './time.ts'

test('a time survives the conversion to ISO 8601 and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }), (ms) => {
      assert.equal(fromIso(iso(ms)), ms)
    }),
  )
})

test('null stays null in both directions', () => {
  assert.equal(isoOrNull(null), null)
  assert.equal(fromIsoOrNull(null), null)
  assert.equal(isoOrNull(0), '1970-01-01T00:00:00.000Z')
  assert.equal(fromIsoOrNull('1970-01-01T00:00:01Z'), 1000)
})
