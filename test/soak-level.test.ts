// The rule by which a long run says that memory and descriptors stay level.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeLevel, type Sample } from './soak/level.ts'

const MB = 1024 * 1024
/** A sample every ten seconds for half an hour; `at` gives MB and descriptors for each. */
const run = (at: (seconds: number) => [mb: number, descriptors: number]): Sample[] =>
  Array.from({ length: 181 }, (_, index) => {
    const [mb, descriptors] = at(index * 10)
    return { seconds: index * 10, rssBytes: mb * MB, descriptors }
  })
const faultsOf = (at: (seconds: number) => [number, number]) => judgeLevel('gateway', run(at)).faults

describe('a line is level', () => {
  test('when it stays where it was', () => {
    assert.deepEqual(
      faultsOf(() => [300, 50]),
      [],
    )
    assert.equal(
      judgeLevel(
        'gateway',
        run(() => [300, 50]),
      ).words,
      'gateway: RSS 300 → 300 → 300 MB, descriptors 50 → 50',
    )
  })

  test('when it rises in the warm-up alone', () => {
    assert.deepEqual(
      faultsOf((seconds) => [Math.min(400, 300 + seconds), Math.min(90, 40 + seconds)]),
      [],
    )
  })

  test('when it swings, and when a single sample is far out', () => {
    assert.deepEqual(
      faultsOf((seconds) => [300 + 80 * Math.sin(seconds / 20), 50 + (seconds % 40)]),
      [],
    )
    assert.deepEqual(
      faultsOf((seconds) => (seconds === 1790 ? [900, 900] : [300, 50])),
      [],
    )
  })

  test('when the collector lets memory rise for eight minutes at a time', () => {
    assert.deepEqual(
      faultsOf((seconds) => [150 + (seconds % 480) / 6, 50]),
      [],
    )
  })

  test('up to the limit that the run gives, however far it rises in the warm-up', () => {
    const risen = run((seconds) => [Math.min(700, 300 + seconds), 50])
    assert.deepEqual(judgeLevel('gateway', risen, 800).faults, [])
    assert.deepEqual(judgeLevel('gateway', risen, 600).faults, ['gateway: RSS 300 → 700 → 700 MB'])
    assert.deepEqual(judgeLevel('gateway', risen).faults, ['gateway: RSS 300 → 700 → 700 MB'])
  })

  test('not when memory creeps up by more than a tenth from the second part of the run to the last', () => {
    assert.deepEqual(
      faultsOf((seconds) => [300 + seconds / 30, 50]),
      [],
    )
    const faults = faultsOf((seconds) => [300 + seconds / 15, 50])
    assert.deepEqual(faults, ['gateway: RSS 300 → 360 → 400 MB'])
  })

  test('not when memory doubles in the first minutes and stays there', () => {
    const faults = faultsOf((seconds) => [Math.min(558, 267 + seconds), 50])
    assert.deepEqual(faults, ['gateway: RSS 267 → 558 → 558 MB'])
  })

  test('not when descriptors stay behind', () => {
    const faults = faultsOf((seconds) => [300, 50 + Math.floor(seconds / 40)])
    assert.deepEqual(faults, ['gateway: descriptors 72 → 87'])
  })

  test('not when there is nothing to compare', () => {
    assert.equal(judgeLevel('gateway', []).faults.length, 1)
    assert.equal(judgeLevel('gateway', run(() => [300, 50]).slice(0, 1)).faults.length, 1)
  })
})
