// A request that the network does not answer ends, so that it does not hold the library's locks for ever.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { assertNodeErrorFree, type BinaryNode } from 'baileys'
import { manualTime } from '../../../test/support/manual-time.ts'
import { endUnansweredQueries } from './open-library.ts'

const log = { debug: () => undefined }

function begin() {
  const time = manualTime()
  const socket = new EventEmitter()
  const inner = new EventEmitter()
  endUnansweredQueries(socket, inner, log, undefined, time.timers)
  const answers: BinaryNode[] = []
  const request = (id: string) => socket.once(`TAG:${id}`, (answer) => answers.push(answer))
  return { time, socket, inner, answers, request }
}

test('a request without an answer ends as refused, once', () => {
  const { time, answers, request } = begin()
  request('1.2-3')
  time.pass(59_000)
  assert.deepEqual(answers, [])
  time.pass(600_000)
  const [answer, ...more] = answers
  assert.ok(answer)
  assert.deepEqual(more, [])
  assert.throws(() => assertNodeErrorFree(answer), /did not answer/)
})

test('answered requests and other events are left alone', () => {
  const { time, socket, answers, request } = begin()
  socket.on('CB:message', () => assert.fail('an event of the network'))
  for (let turn = 0; turn < 10; turn++) {
    request(`1.2-${turn}`)
    time.pass(15_000)
    socket.emit(`TAG:1.2-${turn}`, { tag: 'iq', attrs: { type: 'result' } })
  }
  assert.equal(answers.length, 10)
  assert.ok(answers.every(({ attrs }) => attrs.type === 'result'))
})

test('requests that are open when the connection closes end at once, and nothing is checked any longer', () => {
  const { time, inner, answers, request } = begin()
  request('1.2-3')
  request('1.2-4')
  inner.emit('close')
  assert.equal(answers.length, 2)
  for (const answer of answers) assert.throws(() => assertNodeErrorFree(answer), /connection was closed/)
  assert.equal(time.nextInMs(), undefined)
})
