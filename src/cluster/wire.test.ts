import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../network/network.ts'
import { StoreError } from '../store/store-error.ts'
import { decode, encode, fromWireError, isSigned, nodeKey, type Signed, sign, toWireError } from './wire.ts'

const key = nodeKey(new Uint8Array(32).fill(1))
const message: Signed = { kind: 'request', time: 1000, to: 7, body: '{"call":"hello"}' }

test('a message is accepted as it was signed, and refused after any change', () => {
  const signature = sign(key, message)
  assert.equal(isSigned(key, message, signature, 1000), true)
  for (const change of [
    { kind: 'answer' as const },
    { time: 1001 },
    { to: 8 },
    { body: '{"call":"wake"}' },
  ]) {
    assert.equal(isSigned(key, { ...message, ...change }, signature, 1000), false, JSON.stringify(change))
  }
  assert.equal(isSigned(nodeKey(new Uint8Array(32)), message, signature, 1000), false, 'another master key')
  for (const wrong of ['', 'x', `${signature}x`]) assert.equal(isSigned(key, message, wrong, 1000), false)
})

test('a message is valid for 30 s in both directions', () => {
  const signature = sign(key, message)
  assert.equal(isSigned(key, message, signature, 31_000), true)
  assert.equal(isSigned(key, message, signature, 31_001), false)
  assert.equal(isSigned(key, message, signature, -29_001), false)
  const timeless = { ...message, time: Number.NaN }
  assert.equal(isSigned(key, timeless, sign(key, timeless), 1000), false)
})

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
