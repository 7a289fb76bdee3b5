// A sealed value opens with its key in its place, and in no other way.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { KEY_BYTES, seal, unseal } from './seal.ts'

const place = { table: 'webhooks', column: 'sealed_secret', row: 7 }
const key = randomBytes(KEY_BYTES)
const plain = Buffer.from('the secret')

test('what was sealed opens again, whatever its length', () => {
  for (const bytes of [plain, Buffer.alloc(0), randomBytes(100_000)]) {
    assert.deepEqual(unseal(key, place, seal(key, place, bytes)), bytes)
  }
})

test('the same value sealed twice looks different', () => {
  assert.notDeepEqual(seal(key, place, plain), seal(key, place, plain))
})

test('a single flipped bit anywhere is noticed', () => {
  const sealed = seal(key, place, plain)
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Uint8Array.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.throws(() => unseal(key, place, changed), `bit ${bit}`)
  }
})

test('a value cut short at any byte is refused', () => {
  const sealed = seal(key, place, plain)
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => unseal(key, place, sealed.subarray(0, length)), `length ${length}`)
  }
})

test('another key, table, column or row does not open it', () => {
  const sealed = seal(key, place, plain)
  assert.throws(() => unseal(randomBytes(KEY_BYTES), place, sealed))
  for (const other of [{ table: 'facts' }, { column: 'name' }, { row: 8 }, { row: '7,8' }]) {
    assert.throws(() => unseal(key, { ...place, ...other }, sealed))
  }
  // Two places that would be the same text if they were merely joined.
  const joined = seal(key, { table: 'a', column: 'b,c', row: 'd' }, plain)
  assert.throws(() => unseal(key, { table: 'a,b', column: 'c', row: 'd' }, joined))
})
