// The doctor's clock checks, with made-up clocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Maintenance } from '../../../app/maintenance.ts'
import { checkAgainstDatabase, checkNotBehind, checkOffset, checkSteadiness } from './clock.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')
const HOUR_MS = 3_600_000

test('wrong when the clock is before a known past event', () => {
  const events = [
    { what: 'the first migration', atMs: NOW - HOUR_MS },
    { what: 'the last migration', atMs: NOW + HOUR_MS },
  ]
  const behind = checkNotBehind(NOW, events)
  assert.equal(behind.status, 'wrong')
  assert.match(behind.found, /before the last migration \(2026-06-01T01:00:00\.000Z\)/)
  assert.match(behind.todo ?? '', /NTP/)
  assert.equal(checkNotBehind(NOW + HOUR_MS, events).status, 'ok')
  assert.equal(checkNotBehind(NOW, []).status, 'ok')
})

test('warning when the wall clock jumps against the monotonic clock', () => {
  const before = { wallMs: NOW, monotonicMs: 100 }
  assert.equal(checkSteadiness(before, { wallMs: NOW + 900, monotonicMs: 1000 }).status, 'ok')
  assert.equal(checkSteadiness(before, { wallMs: NOW - HOUR_MS, monotonicMs: 1000 }).status, 'warning')
  assert.equal(checkSteadiness(before, { wallMs: NOW + HOUR_MS, monotonicMs: 1000 }).status, 'warning')
})

test('wrong when the clock of the database is far off, in either direction', async () => {
  const database = (offsetMs: number) =>
    ({ engine: 'postgres', now: async () => Date.now() + offsetMs }) as unknown as Maintenance
  const statusAt = async (offsetMs: number) =>
    (await checkAgainstDatabase(database(offsetMs))).map(({ status }) => status)
  assert.deepEqual(await statusAt(0), ['ok'])
  assert.deepEqual(await statusAt(HOUR_MS), ['wrong'])
  assert.deepEqual(await statusAt(-HOUR_MS), ['wrong'])
})

test('warning above a second, with the figure; an hour or more is given in hours', () => {
  assert.equal(checkOffset(900).status, 'ok')
  const noted = checkOffset(-1200)
  assert.deepEqual([noted.status, noted.found], ['warning', "differs from the database's clock by 1200 ms"])
  assert.equal(checkOffset(6000).status, 'wrong')
  assert.match(checkOffset(HOUR_MS).found, /^is about 1 hour behind the database's clock$/)
  assert.match(checkOffset(-3 * HOUR_MS).found, /^is about 3 hours ahead of the database's clock$/)
  assert.match(checkOffset(HOUR_MS).todo ?? '', /time zone/)
})
