import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { receive, uploaded } from '../../../test/support/wire-messages.ts'
import { fileFields } from '../to-network/uploaded-media.ts'
import { mediaReference } from './received-media.ts'

const file = fileFields(uploaded())

describe('received media', () => {
  test('has every known field of the file', () => {
    const { media } = receive({
      videoMessage: { ...file, mimetype: 'video/3gpp', seconds: 9, width: 640, height: 360 },
    })
    assert.deepEqual(media, {
      kind: 'video',
      mimetype: 'video/3gpp',
      fileName: null,
      sizeBytes: 4096,
      seconds: 9,
      width: 640,
      height: 360,
      sha256: '02'.repeat(32),
      reference: {
        type: 'video',
        directPath: '/v/t62.7118-24/1?ccb=11-4',
        mediaKey: Buffer.alloc(32, 1).toString('base64'),
        fileSha256: Buffer.alloc(32, 2).toString('base64'),
        fileEncSha256: Buffer.alloc(32, 3).toString('base64'),
        sizeBytes: 4096,
      },
    })
  })

  test('of which nothing is known is still media, with the usual type of its kind', () => {
    const { media } = receive({ stickerMessage: {} })
    assert.deepEqual(media, {
      kind: 'sticker',
      mimetype: 'image/webp',
      fileName: null,
      sizeBytes: null,
      seconds: null,
      width: null,
      height: null,
      sha256: null,
      reference: null,
    })
  })

  const paths: [string, { directPath?: string; url?: string }, string | null][] = [
    ['a path', { directPath: '/v/1?x=2' }, '/v/1?x=2'],
    ['an address only', { url: 'https://mmg.whatsapp.net/v/1?x=2' }, '/v/1?x=2'],
    ['an address on a host of the sender', { url: 'https://169.254.169.254/latest' }, '/latest'],
    ['a path that is a host', { directPath: '@evil.example/x' }, null],
    ['a path that goes on with the host', { directPath: '.evil.example/x' }, null],
    ['a port', { directPath: ':8080/x' }, null],
    ['a line break', { directPath: '/x\r\nHost: evil' }, null],
    ['a file', { url: 'file:///etc/passwd' }, null],
    ['no TLS', { url: 'http://mmg.whatsapp.net/v/1' }, null],
    ['nothing', {}, null],
  ]
  for (const [name, { directPath, url }, expected] of paths) {
    test(`is fetched from a host of our choice only: ${name}`, () => {
      const { media } = receive({
        imageMessage: { mediaKey: file.mediaKey, directPath: directPath ?? null, url: url ?? null },
      })
      assert.equal(media?.reference?.['directPath'] ?? null, expected)
      assert.equal(JSON.stringify(media?.reference ?? null).includes('evil'), false)
    })
  }

  test('without a key cannot be fetched', () => {
    assert.equal(receive({ imageMessage: { ...file, mediaKey: new Uint8Array() } }).media?.reference, null)
  })

  test('a stored reference is read back, and nothing else is taken for one', () => {
    const { media } = receive({ imageMessage: file })
    const stored: unknown = JSON.parse(JSON.stringify(media?.reference))
    const reference = mediaReference(stored)
    assert.deepEqual([...reference.mediaKey], [...file.mediaKey])
    assert.equal(reference.type, 'image')
    assert.throws(() => mediaReference(null))
    assert.throws(() => mediaReference({}))
    assert.throws(() => mediaReference({ ...media?.reference, directPath: '@evil.example' }))
  })

  const names: [string | null, string | null][] = [
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['a\r\nX-Evil: 1.pdf', 'aX-Evil: 1.pdf'],
    ['../../', null],
    ['', null],
    [null, null],
    ['x'.repeat(300), 'x'.repeat(255)],
  ]
  for (const [given, expected] of names) {
    test(`a file named ${JSON.stringify(given)?.slice(0, 40)} is called ${expected?.slice(0, 20)}`, () => {
      assert.equal(receive({ documentMessage: { fileName: given } }).media?.fileName, expected)
    })
  }

  for (const mimetype of ['text/html\r\nX: 1', 'nonsense', 'a/b; c', '']) {
    test(`an invalid type (${JSON.stringify(mimetype)}) becomes the usual one`, () => {
      assert.equal(receive({ documentMessage: { mimetype } }).media?.mimetype, 'application/octet-stream')
    })
  }
})
