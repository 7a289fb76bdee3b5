import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { page, rowsToRead } from './page.ts'

test('pages of any size return every row once and in order, and only the last page has no more', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), (total, limit) => {
      const rows = Array.from({ length: total }, (_row, index) => index)
      const seen: number[] = []
      for (let number = 1, hasMore = true; hasMore; number += 1) {
        const window = rowsToRead({ page: number, limit })
        const read = page(rows.slice(window.offset, window.offset + window.limit), { limit })
        assert.ok(read.items.length <= limit)
        seen.push(...read.items)
        hasMore = read.hasMore
      }
      assert.deepEqual(seen, rows)
    }),
  )
})

test('a page that is exactly full has no more rows after it', () => {
  assert.deepEqual(page(['a', 'b'], { limit: 2 }), { items: ['a', 'b'], hasMore: false })
  assert.deepEqual(page(['a', 'b', 'c'], { limit: 2 }), { items: ['a', 'b'], hasMore: true })
})
