// The effort that a sender's messages are worth: full until ten of them have failed within a minute.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEffortLimit, type EffortLimit } from './effort.ts'
import { MessageCounterError, SessionError } from './errors.ts'

const fail = (
  limit: EffortLimit,
  sender: string,
  error: Error = new SessionError('Bad MAC'),
): Promise<void> => assert.rejects(limit.run(sender, () => Promise.reject(error)))

const stepsFor = (limit: EffortLimit, sender: string): Promise<number> =>
  limit.run(sender, async ({ steps }) => steps)

async function failOften(limit: EffortLimit, sender: string, times: number, error?: Error): Promise<void> {
  for (let count = 0; count < times; count += 1) await fail(limit, sender, error)
}

test('after ten failures of a sender its messages get few steps, for the rest of the minute', async () => {
  let now = 0
  const limit = createEffortLimit(() => now)
  await failOften(limit, 'stranger', 9)
  assert.equal(await stepsFor(limit, 'stranger'), Infinity)
  await fail(limit, 'stranger')
  assert.equal(await stepsFor(limit, 'stranger'), 100)
  now = 59_999
  assert.equal(await stepsFor(limit, 'stranger'), 100)
  now = 60_000
  assert.equal(await stepsFor(limit, 'stranger'), Infinity)
})

test('other senders are not affected', async () => {
  const limit = createEffortLimit(() => 0)
  await failOften(limit, 'stranger', 10)
  assert.equal(await stepsFor(limit, 'friend'), Infinity)
})

test('messages that are delivered again do not count: their keys were used, which costs nothing', async () => {
  const limit = createEffortLimit(() => 0)
  await failOften(limit, 'friend', 500, new MessageCounterError('Key used already'))
  assert.equal(await stepsFor(limit, 'friend'), Infinity)
})

test('messages that were decrypted at an unusual cost count', async () => {
  const limit = createEffortLimit(() => 0)
  for (let count = 0; count < 10; count += 1) limit.noteCostly('member')
  assert.equal(await stepsFor(limit, 'member'), 100)
})

test('a thousand senders are remembered, so that a flood of senders takes no memory', async () => {
  const limit = createEffortLimit(() => 0)
  await failOften(limit, 'first', 10)
  for (let count = 0; count < 1000; count += 1) await fail(limit, `sender ${count}`)
  assert.equal(await stepsFor(limit, 'first'), Infinity)
})
