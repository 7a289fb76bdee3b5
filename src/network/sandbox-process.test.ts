import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restartBackoffMs } from './sandbox-process.ts'

test('starts of the sandbox are retried without limit, with a backoff that doubles up to 30 s', () => {
  assert.deepEqual(
    [0, 1, 2, 5, 6, 7, 1000, 100_000].map(restartBackoffMs),
    [500, 1000, 2000, 16_000, 30_000, 30_000, 30_000, 30_000],
  )
})
