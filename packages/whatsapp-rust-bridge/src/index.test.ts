// The same results as the WebAssembly module that this package replaces.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as module from 'whatsapp-rust-bridge-wasm'
import * as own from './index.ts'

const bytes = (value: Uint8Array): string => Buffer.from(value).toString('hex')

test('md5 and hkdf, with and without salt and info', () => {
  for (const length of [0, 1, 16, 100]) {
    const data = randomBytes(length)
    assert.equal(bytes(own.md5(data)), bytes(module.md5(data)))
    for (const options of [
      {},
      { info: '' },
      { info: 'WhatsApp Image Keys' },
      { info: 'x', salt: randomBytes(32) },
    ])
      for (const size of [32, 64, 112])
        assert.equal(bytes(own.hkdf(data, size, options)), bytes(module.hkdf(data, size, options)))
  }
})

test('hkdf with an info that is not text', () => {
  const info = Buffer.from([...Array(256).keys()]).toString('latin1')
  const data = randomBytes(32)
  assert.equal(bytes(own.hkdf(data, 32, { info })), bytes(module.hkdf(data, 32, { info })))
})

test('the keys of the shared state', () => {
  const keyData = randomBytes(32)
  const [mine, theirs] = [own.expandAppStateKeys(keyData), module.expandAppStateKeys(keyData)]
  for (const [name, key] of Object.entries(mine))
    assert.equal(bytes(key), bytes(theirs[name as keyof typeof mine]), name)
})

test('the hash of a set', () => {
  const entries = Array.from({ length: 6 }, () => randomBytes(32))
  const base = randomBytes(128)
  const [mine, theirs] = [new own.LTHashAntiTampering(), new module.LTHashAntiTampering()]
  const [removed, added] = [entries.slice(0, 2), entries.slice(2)]
  const sum = mine.subtractThenAdd(base, removed, added)
  assert.equal(bytes(sum), bytes(theirs.subtractThenAdd(base, removed, added)))
  assert.equal(bytes(mine.subtractThenAdd(sum, added, removed)), bytes(base))
})
