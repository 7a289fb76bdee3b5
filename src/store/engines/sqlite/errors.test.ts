// Which SQLite errors are outages, which are constraint violations, and which are bugs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStoreError } from './worker-client.ts'

const kindOf = (errcode: number) => toStoreError({ message: 'no', errcode }).kind

test('unavailable: errors of disk, file and locks, with all their extended codes', () => {
  const READONLY_DBMOVED = 1032
  const IOERR_WRITE = 778
  const CANTOPEN_ISDIR = 526
  const BUSY_SNAPSHOT = 517
  for (const code of [
    5,
    6,
    7,
    8,
    10,
    13,
    14,
    15,
    READONLY_DBMOVED,
    IOERR_WRITE,
    CANTOPEN_ISDIR,
    BUSY_SNAPSHOT,
  ])
    assert.equal(kindOf(code), 'unavailable', String(code))
})

test('constraint violations have their own kinds, and any other code is "failed"', () => {
  assert.deepEqual([1555, 2067, 787].map(kindOf), ['unique', 'unique', 'reference'])
  const [TOOBIG, CONSTRAINT_NOTNULL, CONSTRAINT_CHECK, MISMATCH] = [18, 1299, 275, 20]
  for (const code of [TOOBIG, CONSTRAINT_NOTNULL, CONSTRAINT_CHECK, MISMATCH])
    assert.equal(kindOf(code), 'refused', String(code))
  const [ERROR, CORRUPT, NOTADB] = [1, 11, 26]
  for (const code of [0, ERROR, CORRUPT, NOTADB]) assert.equal(kindOf(code), 'failed', String(code))
})
