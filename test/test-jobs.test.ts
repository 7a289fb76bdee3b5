// The shards of a test run together are the whole run: no file is forgotten or run twice, whatever the number of machines.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Job, jobsOfShard, readShard, spread } from './support/test-jobs.ts'

const seconds = fc.double({ min: 0.1, max: 200, noNaN: true })
const jobs: fc.Arbitrary<Job[]> = fc
  .array(
    fc.record({ seconds, together: fc.constantFrom(undefined, undefined, 'a', 'b'), last: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((each) =>
    each.map((some, index) => ({
      ...some,
      name: `job ${index}`,
      files: [`${index}.test.ts`],
      environment: {},
      waits: false,
    })),
  )
const counts = fc.integer({ min: 1, max: 8 })
const shardsOf = (all: Job[], count: number): Job[][] =>
  Array.from({ length: count }, (_, index) => jobsOfShard(all, { index: index + 1, count }))

describe('the shards of a run', () => {
  test('each job is in one shard', () =>
    fc.assert(
      fc.property(jobs, counts, (all, count) => {
        const names = shardsOf(all, count).flatMap((shard) => shard.map(({ name }) => name))
        assert.deepEqual(names.toSorted(), all.map(({ name }) => name).toSorted())
      }),
    ))

  test('jobs that belong together are in one shard, and keep their order', () =>
    fc.assert(
      fc.property(jobs, counts, (all, count) => {
        for (const together of ['a', 'b']) {
          const wanted = all.filter((job) => job.together === together)
          const found = shardsOf(all, count).map((shard) => shard.filter((job) => job.together === together))
          assert.deepEqual(found.flat(), wanted)
          assert.ok(found.filter((some) => some.length > 0).length <= 1)
        }
      }),
    ))

  test('two machines come to the same division, and no shard has more than its share and one job', () =>
    fc.assert(
      fc.property(jobs, counts, (all, count) => {
        assert.deepEqual(shardsOf(all, count), shardsOf(structuredClone(all), count))
        const alone = all.map((job) => ({ ...job, together: undefined }))
        const sum = alone.reduce((total, job) => total + job.seconds, 0)
        const longest = Math.max(...alone.map((job) => job.seconds))
        for (const shard of shardsOf(alone, count))
          assert.ok(shard.reduce((total, job) => total + job.seconds, 0) <= sum / count + longest + 1e-6)
      }),
    ))

  test('the files of a suite are spread over its processes, each once', () =>
    fc.assert(
      fc.property(fc.array(seconds), counts, (items, count) => {
        const parts = spread(items, count, (item) => item)
        assert.deepEqual(parts.flatMap((part) => part.items).toSorted(), items.toSorted())
      }),
    ))

  test('a shard is written as its number and the number of all', () => {
    assert.deepEqual(readShard('2/3'), { index: 2, count: 3 })
    for (const text of ['', '3', '0/3', '4/3', '1/0', '1/3/3', '-1/3', 'a/b'])
      assert.throws(() => readShard(text))
  })
})
