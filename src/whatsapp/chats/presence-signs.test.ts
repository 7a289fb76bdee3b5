import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { createPresenceSigns } from './presence-signs.ts'

const [ANA, BIA] = ['ana', 'bia']

function signsWith() {
  const time = manualTime()
  const sent: [string, string][] = []
  const signs = createPresenceSigns(async (chat, presence) => void sent.push([chat, presence]), time.timers)
  return { signs, sent, ...time }
}

test('a sign is repeated while it lasts, and ends by itself', async () => {
  const { signs, sent, pass, nextInMs } = signsWith()
  await signs.show(ANA, 'typing', 25)
  pass(60_000)
  assert.deepEqual(sent, [
    [ANA, 'typing'],
    [ANA, 'typing'],
    [ANA, 'typing'],
    [ANA, 'paused'],
  ])
  assert.equal(nextInMs(), undefined)
})

test('a new call replaces the running one of the same chat only', async () => {
  const { signs, sent, pass } = signsWith()
  await signs.show(ANA, 'typing', 5)
  await signs.show(BIA, 'typing', 5)
  await signs.show(ANA, 'recording', 9)
  pass(6000)
  assert.deepEqual(sent.slice(3), [[BIA, 'paused']])
  await signs.show(ANA, 'paused', 9)
  pass(60_000)
  assert.deepEqual(sent.slice(4), [[ANA, 'paused']])
})

test('all signs end when the connection is closed by the gateway, and none is sent after it is lost', async () => {
  const { signs, sent, pass } = signsWith()
  await signs.show(ANA, 'typing', 60)
  assert.equal(signs.isAnyShown(), true)
  await signs.endAll()
  assert.deepEqual(sent.at(-1), [ANA, 'paused'])
  assert.equal(signs.isAnyShown(), false)
  await signs.show(ANA, 'typing', 60)
  signs.forgetAll()
  const before = sent.length
  pass(60_000)
  assert.equal(sent.length, before)
})
