import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundError } from '../../kernel/outbound/failure.ts'
import { TargetRefused } from '../../kernel/outbound/target.ts'
import { sentenceOf } from './destinations.ts'
import { BrokerError } from './publisher.ts'

const never = new AbortController().signal
const withCode = (code: string, name = 'Error') =>
  Object.assign(new Error('text of the broker at 10.0.0.1'), { code, name })

test('each failure has a sentence without addresses and without text of the broker', () => {
  const cases: [unknown, string][] = [
    [new BrokerError('The stream refused the message (10).'), 'The stream refused the message (10).'],
    [new TargetRefused('expected …'), 'The URL points to a host that is not allowed.'],
    [new OutboundError('dns'), 'The host name could not be resolved.'],
    [withCode('ECONNREFUSED'), 'The host could not be reached.'],
    [new AggregateError([withCode('ECONNREFUSED')], 'text'), 'The host could not be reached.'],
    [withCode('ECONNRESET'), 'The host closed the connection unexpectedly.'],
    [withCode('CERT_HAS_EXPIRED'), 'The host has no trusted TLS certificate. (CERT_HAS_EXPIRED)'],
    [withCode('', 'ProtocolError'), 'The connection to the broker failed (ProtocolError).'],
    [new Error('x', { cause: withCode('EHOSTUNREACH') }), 'The host could not be reached.'],
    [withCode('a code with 10.0.0.1'), 'The connection to the broker failed.'],
    [undefined, 'The connection to the broker failed.'],
  ]
  for (const [error, sentence] of cases) assert.equal(sentenceOf(error, never), sentence)
  assert.equal(
    sentenceOf(new Error('x'), AbortSignal.abort()),
    'The broker did not confirm the message in time.',
  )
})
