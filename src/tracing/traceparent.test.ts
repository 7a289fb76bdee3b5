// Reading and writing of the header `traceparent`.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

describe('traceparent', () => {
  for (const [name, header] of [
    ['of version 00', `00-${TRACE}-${SPAN}-01`],
    ['that is not sampled', `00-${TRACE}-${SPAN}-00`],
    ['of a later version', `cc-${TRACE}-${SPAN}-01`],
    ['of a later version with more fields', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`],
  ] as const)
    test(`a header ${name} is read`, () =>
      assert.deepEqual(parseTraceparent(header), { traceId: TRACE, spanId: SPAN }))

  for (const [name, header] of [
    ['absent', undefined],
    ['empty', ''],
    ['of the forbidden version ff', `ff-${TRACE}-${SPAN}-01`],
    ['of version 00 with more fields', `00-${TRACE}-${SPAN}-01-more`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['with a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['with a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['with a line break', `00-${TRACE}-${SPAN}-01\n`],
  ] as const)
    test(`a header that is ${name} is ignored`, () => assert.equal(parseTraceparent(header), undefined))

  test('what is written can be read', () => {
    const context = { traceId: TRACE, spanId: SPAN }
    assert.equal(formatTraceparent(context), `00-${TRACE}-${SPAN}-01`)
    assert.deepEqual(parseTraceparent(formatTraceparent(context)), context)
  })
})
