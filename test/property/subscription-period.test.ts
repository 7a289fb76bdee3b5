// Periods of a subscription: every moment after the anchor is in exactly one, without gap or overlap.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currentPeriod, periodStart } from '../../src/accounts/rules.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const interval = fc.constantFrom('day', 'week', 'month', 'year')
const moment = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2099, 11, 31) })
const SHORTEST_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 28 * DAY_MS, year: 365 * DAY_MS }
const LONGEST_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 31 * DAY_MS, year: 366 * DAY_MS }

test('each period begins where the previous one ended, and is as long as its interval', () => {
  fc.assert(
    fc.property(moment, interval, fc.integer({ min: 0, max: 500 }), (anchor, every, n) => {
      const lengthMs = periodStart(anchor, every, n + 1) - periodStart(anchor, every, n)
      assert.ok(lengthMs >= SHORTEST_MS[every] && lengthMs <= LONGEST_MS[every], `${lengthMs / DAY_MS} days`)
    }),
  )
})

test('the first period begins at the anchor, and months keep its day and time where the month has that day', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 200 }), (anchor, n) => {
      assert.equal(periodStart(anchor, 'month', 0), anchor)
      const [first, later] = [new Date(anchor), new Date(periodStart(anchor, 'month', n))]
      const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate()
      assert.equal(later.getUTCDate(), Math.min(first.getUTCDate(), lastDay))
      assert.equal(later.getTime() % DAY_MS, anchor % DAY_MS)
      assert.equal(
        later.getUTCFullYear() * 12 + later.getUTCMonth(),
        first.getUTCFullYear() * 12 + first.getUTCMonth() + n,
      )
    }),
  )
})

test('the current period contains now, and is one of the periods of the anchor', () => {
  fc.assert(
    fc.property(moment, interval, fc.integer({ min: 0, max: 3000 * DAY_MS }), (anchor, every, passedMs) => {
      const now = anchor + passedMs
      const start = currentPeriod(anchor, every, now)
      let n = 0
      while (periodStart(anchor, every, n) < start) n += 1
      assert.equal(periodStart(anchor, every, n), start)
      assert.ok(start <= now && now < periodStart(anchor, every, n + 1))
    }),
  )
})

test('the start of a period belongs to it, the moment before to the previous one', () => {
  fc.assert(
    fc.property(moment, interval, fc.integer({ min: 1, max: 300 }), (anchor, every, n) => {
      const start = periodStart(anchor, every, n)
      assert.equal(currentPeriod(anchor, every, start), start)
      assert.equal(currentPeriod(anchor, every, start - 1), periodStart(anchor, every, n - 1))
    }),
  )
})

test('before the anchor the first period counts', () => {
  assert.equal(currentPeriod(1000, 'month', 1), 1000)
})
