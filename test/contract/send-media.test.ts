// POST /send/media
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { refuses, sendRules, stores } from './send-rules.ts'
import { freshInstance, storedMessages } from './sender.ts'
import { uploadRules } from './upload-rules.ts'

const mediaUrl = 'https://example.com/photo.jpg'

contract('POST /send/media', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendMedia', type: 'image', drawsDelay: true, to: 'number' })
  uploadRules(fixture, 'sendMedia')

  const all = { mediaUrl, message: 'A caption', fileName: 'invoice 3.pdf', mimetype: 'application/pdf' }
  stores(fixture, 'sendMedia', 'stores images, videos and documents with caption, file name and media type', [
    ...['image', 'video', 'document'].map((type) => [{ ...all, type }, all] as const),
    [{ type: 'document' }, { mediaUrl }],
    [{ message: 'x'.repeat(1024) }, { mediaUrl, message: 'x'.repeat(1024) }],
    [{ mimetype: 'audio/ogg; codecs=opus' }, { mediaUrl, mimetype: 'audio/ogg; codecs=opus' }],
    [{ mediaUrl: 'http://example.com:8080/a?b=c#d' }, { mediaUrl: 'http://example.com:8080/a?b=c#d' }],
    [{ fileName: 'Relatório 📄.pdf' }, { mediaUrl, fileName: 'Relatório 📄.pdf' }],
  ])

  stores(fixture, 'sendMedia', 'ignores a caption for audio', [
    [
      { ...all, type: 'audio' },
      { mediaUrl, fileName: all.fileName, mimetype: all.mimetype },
    ],
  ])

  test('200 returns the kind of media as type', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, 'sendMedia')
    for (const type of ['image', 'video', 'document', 'audio'])
      assert.equal((await send({ type })).json.type, type)
  })

  test('200 derives the type from the upload, the media type, the file name or the URL if it is absent', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, 'sendMedia')
    const typeOf = async (body: Record<string, unknown>) =>
      (await send({ type: undefined, ...body })).json.type
    assert.equal(await typeOf({}), 'image')
    assert.equal(await typeOf({ mediaUrl: 'https://example.com/a', mimetype: 'video/mp4' }), 'video')
    assert.equal(await typeOf({ mediaUrl: 'https://example.com/a', fileName: 'note.ogg' }), 'audio')
    assert.equal(await typeOf({ mediaUrl: 'https://example.com/bill.pdf?x=.png' }), 'document')
    const file = { body: png(2, 2), headers: { 'content-type': 'image/png' } }
    const { mediaId } = (await running.mine.call('uploadMedia', file)).json
    assert.equal(await typeOf({ mediaUrl: undefined, mediaId, fileName: 'bill.pdf' }), 'image')
  })

  stores(fixture, 'sendMedia', 'takes a caption as caption as well', [
    [{ caption: 'A caption' }, { mediaUrl, message: 'A caption' }],
  ])
  refuses(fixture, 'sendMedia', 'caption and message are both given, or caption is not valid', [
    [{ caption: 'a', message: 'a' }, 'caption'],
    [{ caption: 'x'.repeat(1025) }, 'caption'],
    [{ caption: 7 }, 'caption'],
  ])

  refuses(fixture, 'sendMedia', 'type is unknown, or absent and not shown by the file', [
    [{ type: undefined, mediaUrl: 'https://example.com/files/17' }, 'type'],
    [{ type: undefined, mediaUrl: 'https://example.com/bill.pdf', viewOnce: true }, 'viewOnce'],
    [{ type: 'sticker' }, 'type'],
    [{ type: 'text' }, 'type'],
    [{ type: '' }, 'type'],
  ])

  refuses(fixture, 'sendMedia', 'caption, file name or media type is not valid', [
    [{ message: 'x'.repeat(1025) }, 'message'],
    [{ fileName: '' }, 'fileName'],
    [{ fileName: 'x'.repeat(256) }, 'fileName'],
    [{ fileName: '../secret' }, 'fileName'],
    [{ fileName: '..\\secret' }, 'fileName'],
    [{ fileName: 'a\r\nb' }, 'fileName'],
    [{ mimetype: 'pdf' }, 'mimetype'],
    [{ mimetype: 'a/b\r\nx: y' }, 'mimetype'],
    [{ mimetype: 'a/b c' }, 'mimetype'],
    [{ mimetype: `a/${'b'.repeat(126)}` }, 'mimetype'],
    [{ mediaUrl: `https://example.com/${'x'.repeat(2048)}` }, 'mediaUrl'],
    [{ mediaUrl: 7 }, 'mediaUrl'],
    [{ mediaUrl: undefined }, 'mediaUrl'],
  ])

  test('400 url_not_allowed when mediaUrl is not an http or https URL', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, 'sendMedia')
    const wrong = [
      '',
      '/etc/passwd',
      'photo.jpg',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      'ftp://example.com/a',
      'javascript:alert(1)',
      'blob:https://example.com/a',
      '//example.com/a',
      'https://',
      'http://user:pass@example.com/a',
      'https://user@example.com/a',
    ]
    for (const url of wrong) {
      const answer = await send({ mediaUrl: url })
      assert.equal(answer.status, 400, url)
      assert.equal(answer.json.reason, 'url_not_allowed')
      assert.equal(answer.json.details[0].path, 'mediaUrl')
      assert.ok(!JSON.stringify(answer.json).includes('pass'), 'the refused address is not repeated')
    }
    assert.equal((await storedMessages(running, instance.id)).length, 0)
  })
})
