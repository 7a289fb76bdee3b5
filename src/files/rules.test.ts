import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageFiles, uploadsOf } from './rules.ts'

const MB = 1024 * 1024

test('a file of a message is named by its field, with the limit of its kind', () => {
  const content = { mediaId: 'media-a' }
  for (const [kind, limit] of [
    ['image', 16],
    ['sticker', 16],
    ['document', 100],
    ['audio', 100],
  ] as const)
    assert.deepEqual(uploadsOf({ kind, content }), [
      { path: 'mediaId', mediaId: 'media-a', limitBytes: limit * MB },
    ])
})

test('each card of a carousel has its own file', () => {
  const cards = [
    { header: { mediaUrl: 'https://example.com/a.png' } },
    { header: { mediaId: 'media-b' } },
    { header: { mediaId: 'media-b' } },
  ]
  assert.deepEqual(
    uploadsOf({ kind: 'carousel', content: { interactive: { body: 'x', cards } } }).map(({ path }) => path),
    ['interactive.cards.1.header.mediaId', 'interactive.cards.2.header.mediaId'],
  )
})

test('the file above buttons has the limit of its own kind', () => {
  for (const [type, limit] of [
    ['image', 16],
    ['video', 100],
    ['document', 100],
  ] as const)
    assert.deepEqual(
      uploadsOf({ kind: 'button', content: { interactive: { header: { type, mediaId: 'media-a' } } } }),
      [{ path: 'interactive.header.mediaId', mediaId: 'media-a', limitBytes: limit * MB }],
    )
})

test('other messages use none', () => {
  assert.deepEqual(uploadsOf({ kind: 'text', content: { message: 'media-a' } }), [])
  assert.deepEqual(uploadsOf({ kind: 'image', content: { mediaUrl: 'https://example.com' } }), [])
  assert.deepEqual(uploadsOf({ kind: 'button', content: { interactive: { body: 'x' } } }), [])
})

test('the files of a message are the parts of its content that name one, in the order in which they are sent', () => {
  const headers = [{ mediaUrl: 'https://example.com/a.png' }, { mediaId: 'media-b' }]
  const interactive = { body: 'x', cards: headers.map((header) => ({ header })) }
  const files = messageFiles({ kind: 'carousel', content: { interactive } })
  assert.deepEqual(
    files.map(({ path, kind }) => [path, kind]),
    [
      ['interactive.cards.0.header.', 'image'],
      ['interactive.cards.1.header.', 'image'],
    ],
  )
  assert.ok(files.every(({ named }, index) => named === headers[index]))
  const sticker = messageFiles({ kind: 'sticker', content: { mediaUrl: 'https://example.com/a.webp' } })
  assert.deepEqual(
    sticker.map(({ path, kind }) => [path, kind]),
    [['', 'image']],
  )
})
