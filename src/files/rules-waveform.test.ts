import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waveformOf } from './rules.ts'

test('a waveform has 64 bars, and the loudest is 100', () => {
  const rising = waveformOf(Array.from({ length: 640 }, (_, index) => index))
  assert.equal(rising.length, 64)
  assert.equal(rising[63], 100)
  assert.ok(rising.every((bar, index) => index === 0 || bar >= (rising[index - 1] as number)))
  assert.equal(rising[0], 1)
})

test('a short recording is stretched over all bars', () => {
  const bars = waveformOf([10, 0])
  assert.deepEqual(
    Array.from(bars.slice(0, 32)),
    Array.from({ length: 32 }, () => 100),
  )
  assert.deepEqual(
    Array.from(bars.slice(32)),
    Array.from({ length: 32 }, () => 0),
  )
})

test('silence and no sound at all are flat', () => {
  assert.ok(waveformOf([0, 0, 0]).every((bar) => bar === 0))
  assert.ok(waveformOf([]).every((bar) => bar === 0))
})
