import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisesSettled } from '../../test/support/manual-time.ts'
import type { FileContent } from '../contract/route.ts'
import { NetworkError, type NetworkSession } from '../network/network.ts'
import { createPictureLookups } from './pictures.ts'

/** A session that answers when the test says so. */
function silentSession() {
  const requested: string[] = []
  const waiting: ((answer: FileContent | null) => void)[] = []
  const session = {
    profilePicture(chat: string) {
      requested.push(chat)
      return new Promise<FileContent | null>((resolve) => waiting.push(resolve))
    },
  } as NetworkSession
  return { session, requested, answer: () => waiting.shift()?.(null) }
}

test('at most two lookups of an instance run at a time, and one per picture', async () => {
  const { session, requested, answer } = silentSession()
  const lookUp = createPictureLookups(() => session)
  const answers = ['a', 'a', 'b', 'c'].map((chat) => lookUp(1, chat))
  await promisesSettled()
  assert.deepEqual(requested, ['a', 'b'])
  answer()
  await answers[0]
  await answers[1]
  answer()
  await answers[2]
  answer()
  await answers[3]
  assert.deepEqual(requested, ['a', 'b', 'c'])
})

test('rejects more than a hundred waiting lookups of one instance, not those of another', async () => {
  const { session } = silentSession()
  const lookUp = createPictureLookups(() => session)
  for (let count = 0; count < 100; count += 1) void lookUp(1, `chat ${count}`)
  await assert.rejects(lookUp(1, 'one more'), (error) => error instanceof NetworkError)
  void lookUp(2, 'one more')
})

test('rejects while the instance is not connected, and can be called again', async () => {
  const away = new NetworkError('unavailable', 'not connected')
  const lookUp = createPictureLookups(() => {
    throw away
  })
  for (let call = 0; call < 3; call += 1) await assert.rejects(lookUp(1, 'a'), away)
})
