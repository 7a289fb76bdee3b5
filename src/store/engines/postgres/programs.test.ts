// A connection URL as environment variables of PostgreSQL's programs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionEnvironment } from './maintenance.ts'

test('every part of the URL is passed in its variable, decoded', () => {
  assert.deepEqual(
    connectionEnvironment(
      'postgres://ana:p%40ss%2Fword@[::1]:5433/my%20db?sslmode=verify-full&sslrootcert=/ca.pem',
    ),
    {
      PGHOST: '::1',
      PGPORT: '5433',
      PGUSER: 'ana',
      PGPASSWORD: 'p@ss/word',
      PGDATABASE: 'my db',
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: '/ca.pem',
    },
  )
})

test('missing parts keep their defaults, and a socket directory is passed as the host', () => {
  assert.deepEqual(connectionEnvironment('postgresql:///switch?host=/run/postgresql'), {
    PGHOST: '/run/postgresql',
    PGDATABASE: 'switch',
  })
  assert.deepEqual(connectionEnvironment('postgres://localhost'), { PGHOST: 'localhost' })
})
