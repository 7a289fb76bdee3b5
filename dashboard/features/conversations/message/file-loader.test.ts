// How files of messages are loaded: once, a few at a time, and forgotten.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { BusyError, createFileLoader, type LoadedFile, type LoadState } from './file-loader.ts'

const picture = (messageId: string, mediaId: string | null = null): LoadedFile => ({
  messageId,
  instanceName: 'line',
  kind: 'picture',
  mediaId,
})

function world() {
  const reads = new Map<string, PromiseWithResolvers<Blob | undefined>>()
  const signals = new Map<string, AbortSignal>()
  const started: string[] = []
  const revoked: string[] = []
  let count = 0
  const loader = createFileLoader({
    read({ messageId }, signal) {
      started.push(messageId)
      const answer = Promise.withResolvers<Blob | undefined>()
      reads.set(messageId, answer)
      signals.set(messageId, signal)
      return answer.promise
    },
    createAddress: () => `blob:${(count += 1)}`,
    revokeAddress: (address) => void revoked.push(address),
    pause: async () => undefined,
  })
  const use = (file: LoadedFile) => {
    const states: LoadState[] = []
    return { states, stop: loader.use(file, (state) => states.push(state)) }
  }
  return { loader, use, reads, signals, started, revoked }
}
const ready = (address: string): LoadState => ({ at: 'ready', address })

describe('the files of messages', () => {
  test('a file that is shown twice is read once', async () => {
    const { use, reads, started } = world()
    const [one, two] = [use(picture('a')), use(picture('a'))]
    await settled()
    reads.get('a')?.resolve(new Blob([]))
    await settled()
    assert.deepEqual(
      [started, one.states.at(-1), two.states.at(-1)],
      [['a'], ready('blob:1'), ready('blob:1')],
    )
  })

  test('two files are read at a time; one that is no longer used is not read', async () => {
    const { use, reads, started } = world()
    const [, , third, fourth] = ['a', 'b', 'c', 'd'].map((id) => use(picture(id)))
    await settled()
    assert.deepEqual(started, ['a', 'b'])
    third?.stop()
    reads.get('a')?.resolve(new Blob([]))
    await settled()
    assert.deepEqual(started, ['a', 'b', 'd'])
    reads.get('d')?.resolve(undefined)
    await settled()
    assert.deepEqual(fourth?.states, [{ at: 'gone' }])
  })

  test('leaving a file that is being read ends the request', async () => {
    const { use, signals } = world()
    const one = use(picture('a'))
    await settled()
    one.stop()
    assert.equal(signals.get('a')?.aborted, true)
  })

  test('a refusal because of too many downloads is followed by another attempt', async () => {
    const { use, reads, started } = world()
    const one = use(picture('a'))
    await settled()
    reads.get('a')?.reject(new BusyError())
    await settled()
    await settled()
    assert.deepEqual(started, ['a', 'a'])
    reads.get('a')?.resolve(new Blob([]))
    await settled()
    assert.deepEqual(one.states, [ready('blob:1')])
  })

  test('addresses of files without a user are revoked, the longest unused first', async () => {
    const { use, reads, revoked } = world()
    for (let index = 0; index < 26; index += 1) {
      const one = use(picture(`m${index}`))
      await settled()
      reads.get(`m${index}`)?.resolve(new Blob([]))
      await settled()
      one.stop()
    }
    assert.deepEqual(revoked, ['blob:1', 'blob:2'])
    assert.deepEqual(use(picture('m25')).states, [ready('blob:26')], 'a recent one is still there')
  })

  test('a file of this device is shown without a download', async () => {
    const { loader, use, started } = world()
    loader.keepLocal('med_1', new Blob([]))
    const one = use(picture('a', 'med_1'))
    await settled()
    assert.deepEqual([started, one.states], [[], [ready('blob:1')]])
  })
})
