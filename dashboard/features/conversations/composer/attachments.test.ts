// Which calls send several files with a text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ReadyFile, requestsFor } from './attachments.ts'

const file = (mediaId: string, type: ReadyFile['type']): ReadyFile => ({
  mediaId,
  type,
  fileName: `${mediaId}.bin`,
})
const recipient = { instanceName: 'line', to: { chat: 'ana' } }
const plan = (files: ReadyFile[], caption = '', common: Record<string, unknown> = {}) =>
  requestsFor({ chat: 'ana', files, caption, recipient, common })

describe('several files', () => {
  test('one file is one message, with the text as its caption', () => {
    const [only, ...others] = plan([file('a', 'document')], 'The invoice', { quotedMessageId: 'q' })
    assert.deepEqual(others, [])
    assert.equal(only?.route, 'sendMedia')
    assert.deepEqual(only.body, {
      instanceName: 'line',
      chat: 'ana',
      quotedMessageId: 'q',
      type: 'document',
      mediaId: 'a',
      fileName: 'a.bin',
      message: 'The invoice',
    })
  })

  test('pictures and videos become an album; other files are sent one by one, in order', () => {
    const requests = plan(
      [file('a', 'image'), file('b', 'video'), file('c', 'document'), file('d', 'image')],
      'Look',
    )
    assert.deepEqual(
      requests.map(({ route }) => route),
      ['sendAlbum', 'sendMedia', 'sendMedia'],
    )
    const album = requests[0]?.body.files as { mediaId: string; message?: string }[] | undefined
    assert.deepEqual(
      album?.map(({ mediaId, message }) => [mediaId, message]),
      [
        ['a', 'Look'],
        ['b', undefined],
      ],
    )
    assert.equal(requests[2]?.body.message, undefined)
  })

  test('an album has at most 30 files', () => {
    const files = Array.from({ length: 31 }, (_, index) => file(`f${index}`, 'image'))
    assert.deepEqual(
      plan(files).map(({ route }) => route),
      ['sendAlbum', 'sendMedia'],
    )
  })

  test('audio has no caption: the text is a message of its own, behind it', () => {
    const requests = plan([file('a', 'audio')], 'Listen', { quotedMessageId: 'q', mentions: ['1'] })
    assert.deepEqual(
      requests.map(({ route, body }) => [route, body.message, body.quotedMessageId, body.mentions]),
      [
        ['sendMedia', undefined, 'q', undefined],
        ['sendText', 'Listen', undefined, ['1']],
      ],
    )
  })
})
