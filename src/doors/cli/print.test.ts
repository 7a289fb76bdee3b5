// Tables and records escape control characters and align columns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cell, escapeControls, formatBytes, record, table } from './print.ts'

test('control and direction characters are escaped', () => {
  assert.equal(escapeControls('a\u001b[31mb\nc\u202ed\u009be'), 'a\\u001b[31mb\\nc\\u202ed\\u009be')
  assert.equal(escapeControls('Olá 👋 مرحبا'), 'Olá 👋 مرحبا')
})

test('columns are aligned, also with emojis', () => {
  const text = table(
    ['id', 'name', 'note'],
    [
      [1, '👩‍👩‍👧 family', null],
      [22, 'Ana', ''],
    ],
  )
  assert.equal(text, 'ID  NAME      NOTE\n1   👩‍👩‍👧 family  -\n22  Ana       -')
})

test('formats records, lists and sizes', () => {
  assert.equal(record({ id: 1, 'last used': null }), 'id:         1\nlast used:  -')
  assert.deepEqual(
    [cell([]), cell(['a', 'b']), cell({ a: 1 }), cell(false), cell(0)],
    ['-', 'a, b', '{"a":1}', 'false', '0'],
  )
  assert.deepEqual(
    [formatBytes(0), formatBytes(1023), formatBytes(1536), formatBytes(2 ** 41)],
    ['0 bytes', '1023 bytes', '1.5 KiB', '2.0 TiB'],
  )
})
