// The first line of a migration, and the statements of a concurrent one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexStatements, readHeader } from './migration-header.ts'

test('without a header, older programs have to stop', () => {
  assert.deepEqual(readHeader(11, '-- Day partitions.\nselect 1;'), { worksWith: 11, isConcurrent: false })
  assert.deepEqual(readHeader(11, ''), { worksWith: 11, isConcurrent: false })
})

test('the header names the oldest version that may go on, and a concurrent migration', () => {
  assert.deepEqual(readHeader(11, '-- works with: 9\nselect 1;'), { worksWith: 9, isConcurrent: false })
  assert.deepEqual(readHeader(11, '-- works with: 11; concurrently\r\n'), {
    worksWith: 11,
    isConcurrent: true,
  })
})

test('a header that cannot be read, or names an impossible version, is refused', () => {
  for (const line of [
    '-- works with 9',
    '-- concurrently',
    '-- Works with: 9',
    '-- works with: 9, concurrently',
  ])
    assert.throws(() => readHeader(11, line), /migration 11: cannot read/)
  for (const line of ['-- works with: 12', '-- works with: 0'])
    assert.throws(() => readHeader(11, line), /expected 1 to 11/)
})

test('a concurrent migration has statements that can be repeated, and no others', () => {
  const sql = `-- works with: 9; concurrently
    -- One comment; with a semicolon.
    create unique index concurrently if not exists first_index
      on messages (id);
    drop index concurrently if exists second_index;`
  assert.deepEqual(
    indexStatements({ version: 11, sql }).map(({ index }) => index),
    ['first_index', 'second_index'],
  )
  for (const other of [
    'create index concurrently a on b (c)',
    'create index if not exists a on b (c)',
    'select 1',
  ])
    assert.throws(() => indexStatements({ version: 11, sql: other }), /expected "create index concurrently/)
})
