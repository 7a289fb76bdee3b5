// Which SQLite errors are outages, which are constraint violations, and which are bugs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStoreError } from './errors.ts'

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
  const [ERROR, CORRUPT, CONSTRAINT_NOTNULL, NOTADB] = [1, 11, 1299, 26]
  for (const code of [0, ERROR, CORRUPT, CONSTRAINT_NOTNULL, NOTADB])
    assert.equal(kindOf(code), 'failed', String(code))
})
