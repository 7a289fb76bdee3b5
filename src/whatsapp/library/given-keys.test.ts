// A record is taken as stored only while it is certain that the store has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGivenKeys, GIVEN_KEYS } from './given-keys.ts'

const GROUP = 'group@g.us'
const [few, more] = [Buffer.from('{"a.0":true}'), Buffer.from('{"a.0":true,"b.0":true}')]
const prepare = () => {
  const given = createGivenKeys()
  return {
    begin: (value: Uint8Array | null) => given.beginWrite(GIVEN_KEYS, GROUP, value),
    read: (value: Uint8Array | null) => given.noteRead(GIVEN_KEYS, GROUP, value),
    isStored: (value: Uint8Array) => given.isStored(GIVEN_KEYS, GROUP, value),
  }
}

test('a write counts when it has succeeded', () => {
  const { begin, isStored } = prepare()
  const succeed = begin(few)
  assert.equal(isStored(few), false)
  succeed()
  assert.deepEqual([isStored(few), isStored(more)], [true, false])
})

test('of writes that follow each other, only the last counts', () => {
  const { begin, isStored } = prepare()
  const [first, second] = [begin(few), begin(more)]
  first()
  assert.deepEqual([isStored(few), isStored(more)], [false, false])
  second()
  assert.deepEqual([isStored(few), isStored(more)], [false, true])
})

test('a read during a write does not count, and neither does a write that has failed', () => {
  const { begin, read, isStored } = prepare()
  begin(more)
  read(few)
  assert.deepEqual([isStored(few), isStored(more)], [false, false])
})

test('a deleted record is not stored', () => {
  const { begin, read, isStored } = prepare()
  read(few)
  begin(null)()
  assert.equal(isStored(few), false)
})
