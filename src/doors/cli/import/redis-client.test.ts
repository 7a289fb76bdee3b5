import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReply } from './redis-client.ts'

const read = (text: string) => readReply(Buffer.from(text), 0, 0)?.reply

test('every kind of answer is read', () => {
  assert.equal(read('+OK\r\n'), 'OK')
  assert.equal(read(':-7\r\n'), -7)
  assert.equal(read('$5\r\nh\r\nél\r\n'), 'h\r\né')
  assert.equal(read('$-1\r\n'), null)
  assert.deepEqual(read('*2\r\n$1\r\n0\r\n*1\r\n$1\r\na\r\n'), ['0', ['a']])
  assert.deepEqual(read('*0\r\n'), [])
})

test('no part of an answer is taken for the whole', () => {
  const whole = '*2\r\n$1\r\n0\r\n*2\r\n$3\r\na\r\n\r\n$1\r\nb\r\n'
  assert.deepEqual(read(whole), ['0', ['a\r\n', 'b']])
  for (let length = 0; length < whole.length; length += 1)
    assert.equal(read(whole.slice(0, length)), undefined)
})

for (const [what, text] of [
  ['HTTP', 'HTTP/1.1 400 Bad Request\r\n'],
  ['a length that is not a number', '$x\r\n'],
  ['a length out of range', '$99999999999999999999\r\n'],
  ['lists in lists without end', '*1\r\n'.repeat(10)],
] as const)
  test(`${what} is not the protocol of Redis`, () =>
    assert.throws(() => read(text), /does not speak the protocol of Redis/))

test('an error of Redis is reported by its kind alone', () =>
  assert.throws(() => read('-WRONGPASS invalid secret of someone\r\n'), {
    message: 'Redis refuses a command (WRONGPASS)',
  }))
