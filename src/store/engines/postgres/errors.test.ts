// Which errors of PostgreSQL and its driver are outages, which are conflicts, and which are bugs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreError, type StoreErrorKind } from '../../../kernel/store-error.ts'
import { toConnectError, toStoreError } from './errors.ts'

const withCode = (code: string, message = 'no') => Object.assign(new Error(message), { code })

const CODES: Record<StoreErrorKind, string[]> = {
  unique: ['23505'],
  reference: ['23503'],
  conflict: ['40001', '40P01'],
  unavailable: [
    // The connection.
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
    '08P01',
    // Role, password, database, rights.
    '28000',
    '28P01',
    '3D000',
    '42501',
    // Read-only; a session that idled or ran too long; the outcome of a commit is unknown.
    '25006',
    '25P03',
    '25P04',
    '40003',
    // Disk, memory, connections.
    '53000',
    '53100',
    '53200',
    '53300',
    '53400',
    // No connections allowed; a lock that was not granted.
    '55000',
    '55P03',
    // Cancelled, shut down, crashed, starting, dropped.
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '57P04',
    '57P05',
    // The server's disk and configuration, and what poolers report.
    '58000',
    '58030',
    '58P01',
    'F0000',
    'XX000',
    // Descriptors, names, the way to the server.
    'EMFILE',
    'ENFILE',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAI_FAIL',
    'EAI_NODATA',
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'ENETUNREACH',
    'ENETDOWN',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'EADDRNOTAVAIL',
    'ENOBUFS',
    'ENOENT',
    'EACCES',
    // TLS.
    'EPROTO',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SOCKET_CLOSED',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  ],
  // Too long, a NUL, out of range, not a number, missing, too long for an index.
  refused: ['22001', '22021', '22003', '22P02', '23502', '54000'],
  failed: ['42601', '42P01', '42703', '25P02', 'XX001', 'ERR_INVALID_ARG_TYPE'],
}

for (const [kind, codes] of Object.entries(CODES)) {
  test(`${kind}: ${codes.length} codes`, () => {
    for (const code of codes) assert.equal(toStoreError(withCode(code)).kind, kind, code)
  })
}

test('conflict: a row for which a partition was created meanwhile; a violated check is refused', () => {
  assert.equal(toStoreError(withCode('23514')).kind, 'conflict')
  const violated = Object.assign(withCode('23514'), { constraint: 'deliveries_status_check' })
  assert.equal(toStoreError(violated).kind, 'refused')
})

test('unavailable: errors that the driver throws without a code when its connection is lost', () => {
  for (const message of [
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Cannot use a pool after calling end on the pool',
    'The server does not support SSL connections',
    'Received unexpected commandComplete message from backend.',
  ])
    assert.equal(toStoreError(new Error(message)).kind, 'unavailable', message)
  assert.equal(toStoreError(new TypeError('x is not a function')).kind, 'failed')
})

test('unavailable: any error while connecting, with or without a code', () => {
  const password = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  for (const error of [password, withCode('0A000'), withCode('42P01'), new AggregateError([])])
    assert.equal(toConnectError(error).kind, 'unavailable')
})

test('a StoreError is passed on unchanged', () => {
  const error = new StoreError('conflict', 'met')
  assert.equal(toStoreError(error), error)
  assert.equal(toConnectError(error), error)
})
