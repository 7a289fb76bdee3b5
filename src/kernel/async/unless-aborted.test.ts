import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import { unlessAborted } from './waiting.ts'

test('settles as the work does', async () => {
  const { signal } = new AbortController()
  assert.equal(await unlessAborted(Promise.resolve(1), signal), 1)
  assert.equal(await unlessAborted(Promise.resolve(1), undefined), 1)
  await assert.rejects(unlessAborted(Promise.reject(new Error('no')), signal), /^Error: no$/)
})

test('rejects when the signal is aborted; a later failure of the work is ignored', async () => {
  const stop = new AbortController()
  const work = Promise.withResolvers<void>()
  const waiting = [
    unlessAborted(work.promise, stop.signal),
    unlessAborted(work.promise, stop.signal, () => new Error('stopped')),
  ]
  stop.abort(new Error('the reason'))
  const errors = (await Promise.allSettled(waiting)).map(
    (result) => result.status === 'rejected' && String(result.reason),
  )
  assert.deepEqual(errors, ['Error: the reason', 'Error: stopped'])
  work.reject(new Error('later'))
  await promisesSettled()
})

test('rejects at once when the signal is aborted already', async () => {
  await assert.rejects(
    unlessAborted(new Promise(() => undefined), AbortSignal.abort(new Error('over'))),
    /over/,
  )
})
