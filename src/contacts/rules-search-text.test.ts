import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchText } from './rules-search-text.ts'

test('parts are separated, so that no text matches across two of them; case does not matter', () => {
  assert.equal(searchText(['Ana', null, '5511', 'ANA@x']), 'ana\n5511\nana@x')
  assert.equal(searchText([null]), '')
})
