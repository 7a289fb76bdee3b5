import assert from 'node:assert/strict'
import { test } from 'node:test'
import { albumOf, readAlbum } from './index.ts'
import type { ReadingFacts } from './reading.ts'

const FACTS = {} as ReadingFacts
const inAlbum = (associationType: number, id?: string) => ({
  messageContextInfo: { messageAssociation: { associationType, parentMessageKey: { id: id ?? null } } },
})

test('an album has the number of its images and videos', () => {
  const read = (albumMessage: object) => readAlbum({ albumMessage }, FACTS)?.content
  assert.deepEqual(read({ expectedImageCount: 2, expectedVideoCount: 1 }), { images: 2, videos: 1 })
  assert.deepEqual(read({ expectedImageCount: -1 }), { images: 0, videos: 0 })
  assert.equal(readAlbum({ conversation: 'hi' }, FACTS), null)
})

test('a file names its album', () => {
  assert.deepEqual(albumOf(inAlbum(1, '3EB0AA')), { album: { messageId: '3EB0AA' } })
})

test('other associations, and ids that are missing or too long, name no album', () => {
  for (const message of [{}, inAlbum(7, '3EB0AA'), inAlbum(1), inAlbum(1, ''), inAlbum(1, 'x'.repeat(129))])
    assert.deepEqual(albumOf(message), {})
})
