// What is known about the file of a message, and what a page shows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Message } from '../model/message-fields.ts'
import { fileOf, shownType } from './message-file.ts'

const message = (fields: Partial<Message>) =>
  ({ messageId: 'A', instanceName: 'line', status: 'delivered', content: {}, ...fields }) as Message

describe('the file of a message', () => {
  test('a received file can be read; a sent one once the message was sent', () => {
    const media = { mimetype: 'image/png', width: 4, height: 2 }
    const received = fileOf(message({ type: 'image', content: { media } }))
    assert.deepEqual([received?.kind, received?.isReadable, received?.size], ['picture', true, [4, 2]])
    const content = { mediaId: 'med_1', fileName: 'a.ogg' } as unknown as Message['content']
    const readable = (status: Message['status']) =>
      fileOf(message({ type: 'audio', status, content }))?.isReadable
    assert.deepEqual((['queued', 'sent', 'failed', 'played'] as const).map(readable), [
      false,
      true,
      false,
      true,
    ])
    assert.equal(fileOf(message({ type: 'text' })), null)
  })

  test('a page shows known types only, and no type that contains scripts', () => {
    assert.equal(shownType('picture', 'IMAGE/JPEG; x=y'), 'image/jpeg')
    assert.equal(shownType('audio', 'audio/ogg; codecs=opus'), 'audio/ogg')
    assert.equal(shownType('video', 'video/mp4'), 'video/mp4')
    for (const type of ['image/svg+xml', 'text/html', 'application/pdf', '', 'video/mp4'])
      assert.equal(shownType('picture', type), undefined, type)
    assert.equal(shownType('document', 'image/png'), undefined)
  })
})
