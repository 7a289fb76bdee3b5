// Plain text that no value can break out of.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesText, cell, harmless, record, table } from './print.ts'

test('control and direction characters are shown, not obeyed', () => {
  assert.equal(harmless('a\u001b[31mb\nc\u202ed\u009be'), 'a\\u001b[31mb\\nc\\u202ed\\u009be')
  assert.equal(harmless('Olá 👋 مرحبا'), 'Olá 👋 مرحبا')
})

test('columns line up, whatever characters are in them', () => {
  const text = table(
    ['id', 'name', 'note'],
    [
      [1, '👩‍👩‍👧 family', null],
      [22, 'Ana', ''],
    ],
  )
  assert.equal(text, 'ID  NAME      NOTE\n1   👩‍👩‍👧 family  -\n22  Ana       -')
})

test('records, lists and sizes read well', () => {
  assert.equal(record({ id: 1, 'last used': null }), 'id:         1\nlast used:  -')
  assert.deepEqual(
    [cell([]), cell(['a', 'b']), cell({ a: 1 }), cell(false), cell(0)],
    ['-', 'a, b', '{"a":1}', 'false', '0'],
  )
  assert.deepEqual(
    [bytesText(0), bytesText(1023), bytesText(1536), bytesText(2 ** 41)],
    ['0 bytes', '1023 bytes', '1.5 KiB', '2.0 TiB'],
  )
})
