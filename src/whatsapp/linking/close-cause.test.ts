import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DisconnectReason } from '../library/protocol.ts'
import { banEnd, type CloseError, closeCause, codesEnded } from './close-cause.ts'

const causeOf = (statusCode: number | undefined, isPairing: boolean) =>
  closeCause({ message: 'x', output: statusCode === undefined ? {} : { statusCode } }, isPairing)

test('each disconnect reason of the library has a cause', () => {
  const causes = Object.fromEntries(
    Object.values(DisconnectReason)
      .filter((code): code is DisconnectReason => typeof code === 'number')
      .map((code) => [code, causeOf(code, false)]),
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

test('while pairing only the end of the QR codes is an expired code, not another error with its status', () => {
  const ended = codesEnded() as CloseError
  assert.equal(ended.output?.statusCode, 408)
  assert.equal(closeCause(ended, true), 'code_expired')
  assert.equal(closeCause(ended, false), 'lost')
  for (const message of [
    'WebSocket Error (connect ECONNREFUSED 127.0.0.1:443)',
    'WebSocket Error (Opening handshake has timed out)',
    'Connection was lost',
  ])
    assert.equal(closeCause({ message, output: { statusCode: 408 } }, true), 'lost', message)
  assert.equal(causeOf(503, true), 'lost')
  assert.equal(causeOf(515, true), 'restart')
})

test('an unknown status code is a loss, which is retried', () => {
  assert.equal(causeOf(undefined, false), 'lost')
  assert.equal(causeOf(999, true), 'lost')
  assert.equal(causeOf(406, false), 'logged_out')
})

test('status codes without a reason in the library: a temporary ban and an outdated client', () => {
  assert.equal(causeOf(402, false), 'temporarily_banned')
  assert.equal(causeOf(405, false), 'client_outdated')
})

test('the end of a ban counts from now, and is null if the network gives none', () => {
  assert.equal(banEnd({ reason: '402', code: '101', expire: '3600' }, 1000), 3_601_000)
  for (const attributes of [undefined, {}, { expire: '0' }, { expire: 'soon' }, { expire: '-5' }])
    assert.equal(banEnd(attributes, 1000), null)
})
