// Numbers on the wire have 32 bits; what a stranger writes beyond that is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReader, createWriter, MAX_NUMBER } from './bytes.ts'

const encoded = (value: number): Buffer => {
  const writer = createWriter()
  writer.number(value)
  return writer.finish()
}

test('numbers of up to 32 bits are read', () => {
  for (const value of [0, 1, 127, 128, 2 ** 31, MAX_NUMBER]) {
    const reader = createReader(encoded(value))
    assert.equal(reader.number(), value)
    assert.ok(reader.isAtEnd())
  }
})

test('larger numbers are refused, however they are written', () => {
  for (const value of [MAX_NUMBER + 1, 2 ** 35, 2 ** 42, Number.MAX_SAFE_INTEGER, 2 ** 53, 2 ** 55])
    assert.throws(() => createReader(encoded(value)).number(), /number/i, String(value))
  assert.throws(() => createReader(Buffer.alloc(12, 0xff)).number(), /number/i)
  assert.throws(() => createReader(Buffer.from([0x80, 0x80])).number(), /number/i)
})

test('bytes that are longer than the message are refused', () => {
  assert.throws(() => createReader(Buffer.from([5, 1, 2])).bytes(), /cut off/)
  assert.throws(() => createReader(encoded(2 ** 40)).bytes(), /number/i)
})

test('a stored number may be a time', () => {
  const now = 1_795_000_000_000
  assert.equal(createReader(encoded(now)).storedNumber(), now)
})
