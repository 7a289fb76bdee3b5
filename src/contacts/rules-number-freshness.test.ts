import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFresh } from './rules-numbers.ts'

const NOW = 1_000_000_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const JID = '551187654321@s.whatsapp.net'

test('an unregistered number is asked for again after five minutes, a registered one after seven days', () => {
  const ages: [string | null, number, boolean][] = [
    [null, 0, true],
    [null, 5 * MINUTE_MS - 1, true],
    [null, 5 * MINUTE_MS, false],
    [JID, 7 * DAY_MS - 1, true],
    [JID, 7 * DAY_MS, false],
  ]
  for (const [jid, age, fresh] of ages)
    assert.equal(isFresh({ jid, askedAt: NOW }, NOW + age), fresh, `${age}`)
})

test('an answer from the future is not used', () => {
  for (const jid of [null, JID]) assert.equal(isFresh({ jid, askedAt: NOW }, NOW - 1), false)
})
