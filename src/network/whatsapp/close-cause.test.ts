import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DisconnectReason } from 'baileys'
import { closeCause } from './close-cause.ts'

test('each of the library’s reasons to close has a cause of its own kind', () => {
  const causes = Object.fromEntries(
    Object.values(DisconnectReason)
      .filter((code): code is DisconnectReason => typeof code === 'number')
      .map((code) => [code, closeCause(code, false)]),
  )
  assert.deepEqual(causes, {
    401: 'logged_out',
    403: 'logged_out',
    408: 'lost',
    411: 'logged_out',
    428: 'lost',
    440: 'replaced',
    500: 'bad_session',
    503: 'lost',
    515: 'restart',
  })
})

test('a time-out while pairing means that nobody scanned; any other cause is what it is', () => {
  assert.equal(closeCause(408, true), 'code_expired')
  assert.equal(closeCause(503, true), 'lost')
  assert.equal(closeCause(515, true), 'restart')
})

test('what is not known is worth another try; an unknown log-out of the network is one', () => {
  assert.equal(closeCause(undefined, false), 'lost')
  assert.equal(closeCause(999, true), 'lost')
  assert.equal(closeCause(406, false), 'logged_out')
})
