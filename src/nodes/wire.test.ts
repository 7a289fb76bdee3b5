import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreError } from '../kernel/store-error.ts'
import { NetworkError } from '../network/network.ts'
import { decode, encode, fromWireError, toWireError } from './wire.ts'

test('arguments and results arrive as they were: bytes, nothing, lists', () => {
  const value = {
    bytes: new Uint8Array([0, 1, 255]),
    buffer: Buffer.from('text'),
    list: [1, null, 'a'],
    nested: { file: { bytes: new Uint8Array(0), contentType: 'image/png' } },
  }
  assert.deepEqual(decode(encode(value)), { ...value, buffer: new Uint8Array(Buffer.from('text')) })
  assert.equal(decode(encode(undefined)), null)
})

test('errors keep their kind, so that callers of any node get the same answer', () => {
  const refused = fromWireError(toWireError(new NetworkError('refused', 'no', undefined, 406)))
  assert.ok(refused instanceof NetworkError)
  assert.deepEqual([refused.kind, refused.message, refused.code], ['refused', 'no', 406])
  const unavailable = fromWireError(toWireError(new StoreError('unavailable', 'disk')))
  assert.ok(unavailable instanceof StoreError)
  assert.equal(unavailable.kind, 'unavailable')
  assert.match(fromWireError(toWireError(new TypeError('bug'))).message, /another node failed.*bug/)
})
