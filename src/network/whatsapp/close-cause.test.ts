import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DisconnectReason } from 'baileys'
import { banEnd, closeCause } from './close-cause.ts'

test('each disconnect reason of the library has a cause', () => {
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

test('a timeout while pairing means an expired QR code', () => {
  assert.equal(closeCause(408, true), 'code_expired')
  assert.equal(closeCause(503, true), 'lost')
  assert.equal(closeCause(515, true), 'restart')
})

test('an unknown status code is a loss, which is retried', () => {
  assert.equal(closeCause(undefined, false), 'lost')
  assert.equal(closeCause(999, true), 'lost')
  assert.equal(closeCause(406, false), 'logged_out')
})

test('status codes without a reason in the library: a temporary ban and an outdated client', () => {
  assert.equal(closeCause(402, false), 'temporarily_banned')
  assert.equal(closeCause(405, false), 'client_outdated')
})

test('the end of a ban counts from now, and is null if the network gives none', () => {
  assert.equal(banEnd({ reason: '402', code: '101', expire: '3600' }, 1000), 3_601_000)
  for (const attributes of [undefined, {}, { expire: '0' }, { expire: 'soon' }, { expire: '-5' }])
    assert.equal(banEnd(attributes, 1000), null)
})
