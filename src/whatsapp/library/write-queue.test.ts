import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import type { Credentials, KeyChange } from '../../network/network.ts'
import { serialized } from './write-queue.ts'

/** A store whose writes end when the test says so. */
function slowStore() {
  const started: { text: string; end: PromiseWithResolvers<void> }[] = []
  const credentials: Credentials = {
    read: async () => new Map(),
    findArrival: async () => undefined,
    write(keys, arrivals) {
      const end = Promise.withResolvers<void>()
      const values = keys.map(({ name, value }) => `${name}=${value && Buffer.from(value).toString()}`)
      started.push({ text: [...values, ...arrivals.map(({ name }) => name)].join(' '), end })
      return end.promise
    },
  }
  return { started, ...serialized(credentials) }
}

const key = (name: string, text: string | null): KeyChange => ({
  kind: 'session',
  name,
  value: text === null ? null : Buffer.from(text),
})
const arrival = (name: string) => ({ name, payload: Buffer.from(name) })

describe('writes of one connection', () => {
  test('are merged while one is running: of each key the last value, and all arrivals in order', async () => {
    const { started, write } = slowStore()
    const ended: string[] = []
    const note = (name: string, writing: Promise<void>) => void writing.then(() => ended.push(name))
    note('first', write([key('a', '1')], [arrival('x')]))
    await promisesSettled()
    note('second', write([key('a', '2'), key('b', '1')], [arrival('y')]))
    note('third', write([key('a', '3'), key('b', null)], [arrival('z')]))
    await promisesSettled()
    assert.deepEqual(
      started.map(({ text }) => text),
      ['a=1 x'],
    )
    started[0]?.end.resolve()
    await promisesSettled()
    assert.deepEqual([started.map(({ text }) => text), ended], [['a=1 x', 'a=3 b=null y z'], ['first']])
    started[1]?.end.resolve()
    await promisesSettled()
    assert.deepEqual(ended, ['first', 'second', 'third'])
    note('fourth', write([], [arrival('w')]))
    await promisesSettled()
    assert.equal(started[2]?.text, 'w')
  })

  test('of one turn are one write, also if one step follows from another', async () => {
    const { started, write } = slowStore()
    const writes = [write([key('a', '1')], [])]
    let step = Promise.resolve()
    for (const name of ['b', 'c', 'd']) step = step.then(() => void writes.push(write([key(name, '1')], [])))
    await promisesSettled()
    assert.deepEqual(
      started.map(({ text }) => text),
      ['a=1 b=1 c=1 d=1'],
    )
    started[0]?.end.resolve()
    await Promise.all(writes)
    assert.equal(started.length, 1)
  })

  test('all fail after one has failed, and nothing more is written', async () => {
    const { started, write } = slowStore()
    const writes = [write([key('a', '1')], [])]
    await promisesSettled()
    writes.push(write([key('a', '2')], []))
    const full = new Error('disk full')
    started[0]?.end.reject(full)
    for (const writing of writes) await assert.rejects(writing, full)
    await assert.rejects(write([key('a', '3')], []), full)
    assert.equal(started.length, 1)
  })
})
