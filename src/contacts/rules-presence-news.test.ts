// A repeated presence is not reported again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPresenceNews } from './rules-presence-news.ts'

test('the first presence and every other one are news, a repeated one is not', () => {
  const typing = { presence: 'typing', lastSeenMs: null }
  assert.ok(isPresenceNews({ presence: null, last_seen: null }, typing))
  assert.ok(isPresenceNews({ presence: 'available', last_seen: null }, typing))
  assert.ok(!isPresenceNews({ presence: 'typing', last_seen: null }, typing))
})

test('of a person who is away, another last-seen time is news', () => {
  const away = { presence: 'unavailable', lastSeenMs: 2000 }
  assert.ok(isPresenceNews({ presence: 'unavailable', last_seen: 1000 }, away))
  assert.ok(!isPresenceNews({ presence: 'unavailable', last_seen: 2000 }, away))
})
