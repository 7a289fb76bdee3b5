import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateOf } from './key-state.ts'

test('a key can be used until it is revoked or expires', () => {
  const now = Date.UTC(2026, 0, 31)
  const [before, after] = [-1, 1].map((ms) => new Date(now + ms).toISOString()) as [string, string]
  assert.equal(stateOf({ revokedAt: null, expiresAt: null }, now), 'usable')
  assert.equal(stateOf({ revokedAt: null, expiresAt: after }, now), 'usable')
  assert.equal(stateOf({ revokedAt: null, expiresAt: before }, now), 'expired')
  assert.equal(stateOf({ revokedAt: before, expiresAt: before }, now), 'revoked')
})
