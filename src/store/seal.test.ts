// A sealed value opens only with its key and in its cell.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { KEY_BYTES, seal, sealLarge, unseal, unsealLarge } from './seal.ts'

const cell = { table: 'webhooks', column: 'sealed_secret', row: 7 }
const key = randomBytes(KEY_BYTES)
const plain = Buffer.from('the secret')

test('a sealed value of any length opens again', () => {
  for (const bytes of [plain, Buffer.alloc(0), randomBytes(100_000)]) {
    assert.deepEqual(unseal(key, cell, seal(key, cell, bytes)), bytes)
  }
})

test('large values have the same format and are authenticated as well', async () => {
  const bytes = randomBytes(2 * 1024 * 1024 + 3)
  const sealed = await sealLarge(key, cell, bytes)
  assert.ok(bytes.equals(unseal(key, cell, sealed)))
  assert.ok(bytes.equals(await unsealLarge(key, cell, seal(key, cell, bytes))))
  sealed[sealed.length - 1] = (sealed.at(-1) as number) ^ 1
  await assert.rejects(unsealLarge(key, cell, sealed))
  await assert.rejects(unsealLarge(key, { ...cell, row: 8 }, seal(key, cell, bytes)))
})

test('the event loop runs while a large value is sealed', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  await sealLarge(key, cell, Buffer.alloc(32 * 1024 * 1024))
  clearInterval(timer)
  assert.ok(turns > 1)
})

test('sealing the same value twice gives different bytes', () => {
  assert.notDeepEqual(seal(key, cell, plain), seal(key, cell, plain))
})

test('a single flipped bit anywhere is detected', () => {
  const sealed = seal(key, cell, plain)
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Uint8Array.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.throws(() => unseal(key, cell, changed), `bit ${bit}`)
  }
})

test('a value cut short at any byte is refused', () => {
  const sealed = seal(key, cell, plain)
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => unseal(key, cell, sealed.subarray(0, length)), `length ${length}`)
  }
})

test('another key, table, column or row does not open it', () => {
  const sealed = seal(key, cell, plain)
  assert.throws(() => unseal(randomBytes(KEY_BYTES), cell, sealed))
  for (const other of [{ table: 'facts' }, { column: 'name' }, { row: 8 }, { row: '7,8' }]) {
    assert.throws(() => unseal(key, { ...cell, ...other }, sealed))
  }
  // Two cells whose parts give the same text when they are joined without separators.
  const joined = seal(key, { table: 'a', column: 'b,c', row: 'd' }, plain)
  assert.throws(() => unseal(key, { table: 'a,b', column: 'c', row: 'd' }, joined))
})
