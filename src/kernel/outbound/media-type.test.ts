// Which files may be sent as an image, video, audio or document, by their bytes.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gif, jpeg, mp4, ogg, pdf, png, webp, webpLossless } from '../../../test/support/sample-files.ts'
import { type ClaimedTypes, checkMediaType, detectType, type FileKind, markupType } from './media-type.ts'

let directory: string
before(async () => void (directory = await mkdtemp(join(tmpdir(), 'switchboard-'))))
after(() => rm(directory, { recursive: true }))

let files = 0
async function check(bytes: Buffer | string, kind: FileKind, claimed: ClaimedTypes = {}) {
  const path = join(directory, String((files += 1)))
  await writeFile(path, bytes)
  const result = await checkMediaType(path, kind, claimed)
  return 'failed' in result ? result : { mimetype: result.mimetype }
}

describe('the type of a file', () => {
  test('is detected from the bytes, not from the Content-Type header', async () => {
    const contentType = 'text/html; charset=utf-8'
    assert.deepEqual(await check(png(), 'image', { contentType }), { mimetype: 'image/png' })
    assert.deepEqual(await check(jpeg(10, 10), 'image', { contentType }), { mimetype: 'image/jpeg' })
    assert.deepEqual(await check(mp4(), 'video', { contentType }), { mimetype: 'video/mp4' })
    assert.deepEqual(await check(ogg(), 'audio', { contentType }), { mimetype: 'audio/ogg; codecs=opus' })
    assert.deepEqual(await check(pdf(), 'document', { contentType }), { mimetype: 'application/pdf' })
  })

  test('is the type given by the sender, if the bytes fit the kind', async () => {
    assert.deepEqual(await check(mp4(), 'audio', { mimetype: 'audio/mp4' }), { mimetype: 'audio/mp4' })
    assert.deepEqual(await check('a;b', 'document', { mimetype: 'text/csv' }), { mimetype: 'text/csv' })
    assert.deepEqual(await check('raw', 'audio', { mimetype: 'audio/x-raw' }), { mimetype: 'audio/x-raw' })
  })

  test('falls back to the Content-Type header, then to application/octet-stream', async () => {
    const contentType = 'Text/CSV; charset=utf-8'
    assert.deepEqual(await check('a;b', 'document', { contentType }), { mimetype: 'text/csv' })
    const nonsense = await check('a;b', 'document', { contentType: 'no type\r\nx: y' })
    assert.deepEqual(nonsense, { mimetype: 'application/octet-stream' })
  })

  test('the detected type is reported beside a given one, and undefined if the bytes do not show it', async () => {
    const path = join(directory, 'detected')
    const detected = async (bytes: Buffer | string) => {
      await writeFile(path, bytes)
      const result = await checkMediaType(path, 'document', { mimetype: 'application/x-given' })
      return 'failed' in result ? assert.fail(result.message) : result.detected
    }
    assert.equal(await detected(png()), 'image/png')
    assert.equal(await detected('a;b'), undefined)
    assert.equal(await detectType(png()), 'image/png')
    assert.equal(await detectType(Buffer.from('<svg/>')), 'image/svg+xml')
    assert.equal(await detectType(Buffer.from('a;b')), undefined)
  })

  test('any file can be a document', async () => {
    assert.deepEqual(await check('<html></html>', 'document'), { mimetype: 'text/html' })
    assert.deepEqual(await check('<svg/>', 'document'), { mimetype: 'image/svg+xml' })
  })
})

describe('a file that does not fit its kind is refused', () => {
  const html = '<!DOCTYPE html><script>alert(1)</script>'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  const mismatched: [name: string, bytes: Buffer | string, kind: FileKind][] = [
    ['HTML as an image', html, 'image'],
    ['HTML as a video', html, 'video'],
    ['HTML as audio', html, 'audio'],
    ['SVG as an image', svg, 'image'],
    ['SVG behind a prolog and a comment', `\n<?xml version="1.0"?>\n<!-- GIF89a -->\n${svg}`, 'image'],
    ['SVG behind a byte order mark', `\ufeff${svg}`, 'image'],
    ['SVG in UTF-16', Buffer.from(`\ufeff${svg}`, 'utf16le'), 'image'],
    ['SVG in UTF-16, the other way round', Buffer.from(`\ufeff${svg}`, 'utf16le').swap16(), 'image'],
    ['SVG with a prefix', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>', 'image'],
    ['SVG with a document type', '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg/>', 'image'],
    ['a PDF as an image', pdf(), 'image'],
    ['an image as a video', png(), 'video'],
    ['a video as an image', mp4(), 'image'],
  ]
  for (const [name, bytes, kind] of mismatched) {
    test(`${name}, even if sender and host claim the right type`, async () => {
      const type = { image: 'image/png', video: 'video/mp4', audio: 'audio/ogg', document: '' }[kind]
      for (const claimed of [{}, { mimetype: type, contentType: type }]) {
        const result = await check(bytes, kind, claimed)
        assert.equal('failed' in result && result.failed, 'media_unavailable')
      }
    })
  }

  test('an unknown type is sent as an image only if the sender gives an image type', async () => {
    const result = await check('no image', 'image', { contentType: 'image/png' })
    assert.equal('failed' in result && result.failed, 'media_unavailable')
    assert.deepEqual(await check('raw', 'image', { mimetype: 'image/x-raw' }), { mimetype: 'image/x-raw' })
  })

  const bombs: [name: string, bytes: () => Buffer][] = [
    ['PNG', () => png(16_384, 16_384)],
    ['JPEG', () => jpeg(20_000, 20_000)],
    ['JPEG behind a megabyte of profiles', () => jpeg(20_000, 20_000, 1_000_000)],
    ['GIF', () => gif(20_000, 20_000)],
    ['WebP', () => webp(10_000, 10_000)],
    ['lossless WebP', () => webpLossless(16_000, 16_000)],
  ]
  for (const [name, bytes] of bombs) {
    test(`decompression bomb: ${name}`, async () => {
      const result = await check(bytes(), 'image')
      assert.equal('failed' in result && result.failed, 'media_too_large')
    })
  }

  test('40 million pixels are allowed', async () => {
    for (const bytes of [jpeg(8000, 5000), gif(8000, 5000), webp(8000, 5000), webpLossless(8000, 5000)]) {
      assert.ok('mimetype' in (await check(bytes, 'image')))
    }
  })

  test('truncated headers do not throw', async () => {
    for (const whole of [png(), jpeg(10, 10, 100), gif(1, 1), webp(2, 2), mp4(), ogg()]) {
      for (let length = 1; length < Math.min(whole.length, 40); length += 1) {
        assert.ok(await check(whole.subarray(0, length), 'image'))
      }
    }
  })
})

describe('markup', () => {
  test('is detected by its first tag only', () => {
    for (const text of ['plain text <b>', '{"a":"<svg>"}', '< 3', '', '\x89PNG<svg>']) {
      assert.equal(markupType(Buffer.from(text, 'latin1')), undefined, text)
    }
    assert.equal(markupType(Buffer.from('<rss version="2.0">')), 'application/xml')
    assert.equal(markupType(Buffer.from('  <BODY onload=x>')), 'text/html')
  })

  test('long runs of comments or spaces are scanned quickly', { timeout: 5000 }, () => {
    for (const text of ['<!--'.repeat(1000), ' '.repeat(4100), '<?'.repeat(2000), ' <!---->'.repeat(500)]) {
      markupType(Buffer.from(text))
    }
  })
})
