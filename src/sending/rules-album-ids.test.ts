import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newMessageId } from '../kernel/names.ts'
import { memberId } from './rules.ts'

test('ids of members follow from the album, differ, and have the form of all ids', () => {
  const albumId = newMessageId()
  const ids = Array.from({ length: 30 }, (_, index) => memberId(albumId, index))
  assert.equal(new Set([...ids, memberId(newMessageId(), 0)]).size, 31)
  assert.deepEqual(
    ids,
    ids.map((_, index) => memberId(albumId, index)),
  )
  for (const id of ids) assert.match(id, /^3EB0[0-9A-F]{18}$/)
})
