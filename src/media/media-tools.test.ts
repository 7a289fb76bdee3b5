// The preparation of files for messages. What cannot be prepared is sent as it is.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { fakeFfmpeg } from '../../test/support/fake-ffmpeg.ts'
import { mp4, ogg, png, webp } from '../../test/support/sample-files.ts'
import { ImageTooLargeError } from './images.ts'
import { createMediaTools, NoStickerError } from './media-tools.ts'

let directory: string
before(async () => void (directory = await mkdtemp(join(tmpdir(), 'switchboard-'))))
after(() => rm(directory, { recursive: true }))

const logger = { debug: () => undefined }
const without = () => createMediaTools({ find: async () => undefined, logger })
const withFfmpeg = async () => {
  const found = await fakeFfmpeg(directory)
  return createMediaTools({ find: async () => found, logger })
}

let files = 0
async function file(bytes: Buffer, detected: string, isTypeGiven = false) {
  const path = join(directory, String((files += 1)))
  await writeFile(path, bytes)
  return { path, mimetype: detected, detected, isTypeGiven }
}

describe('without ffmpeg', () => {
  test('an image has a thumbnail and its size', async () => {
    const prepared = await without().prepare('image', await file(png(30, 20), 'image/png'))
    assert.deepEqual([prepared.facts.width, prepared.facts.height], [30, 20])
    assert.ok((prepared.facts.jpegThumbnail?.length ?? 0) > 100)
    assert.ok((await buffer(prepared.stream)).equals(png(30, 20)))
  })

  test('video, audio and documents are sent as they are', async () => {
    for (const [kind, bytes, type] of [
      ['video', mp4(), 'video/mp4'],
      ['audio', ogg(), 'audio/ogg; codecs=opus'],
      ['document', png(), 'image/png'],
    ] as const) {
      const prepared = await without().prepare(kind, await file(bytes, type))
      assert.ok((await buffer(prepared.stream)).equals(bytes))
      assert.deepEqual(
        [prepared.facts.mimetype, prepared.facts.jpegThumbnail, prepared.facts.seconds],
        [type, undefined, undefined],
      )
    }
  })

  test('an image that cannot be decoded is sent without a thumbnail, and a bomb is refused', async () => {
    const half = png(900, 900).subarray(0, 60)
    const prepared = await without().prepare('image', await file(half, 'image/png'))
    assert.equal(prepared.facts.jpegThumbnail, undefined)
    assert.ok((await buffer(prepared.stream)).equals(half))
    await assert.rejects(
      without().prepare('image', await file(png(16_384, 16_384), 'image/png')),
      ImageTooLargeError,
    )
  })

  test('a WebP is a sticker as it is, another image becomes one, and nothing else does', async () => {
    const original = await sharp(png(40, 40)).webp().toBuffer()
    const same = await without().prepare('sticker', await file(original, 'image/webp'))
    assert.ok((await buffer(same.stream)).equals(original))
    assert.deepEqual([same.facts.width, same.facts.height], [40, 40])
    const made = await without().prepare('sticker', await file(png(40, 20), 'image/png'))
    assert.deepEqual([made.facts.mimetype, made.facts.width, made.facts.height], ['image/webp', 512, 512])
    assert.equal((await sharp(await buffer(made.stream)).metadata()).format, 'webp')
    await assert.rejects(without().prepare('sticker', await file(webp(8, 8), 'image/webp')), NoStickerError)
  })
})

describe('with ffmpeg', () => {
  test('a video has a thumbnail, its size and its duration', async () => {
    const prepared = await (await withFfmpeg()).prepare('video', await file(mp4(), 'video/mp4'))
    assert.deepEqual([prepared.facts.width, prepared.facts.height, prepared.facts.seconds], [640, 360, 7.5])
    assert.ok((prepared.facts.jpegThumbnail?.length ?? 0) > 100)
    assert.ok((await buffer(prepared.stream)).equals(mp4()))
  })

  test('audio becomes a voice message, whose copy is removed afterwards', async () => {
    const source = await file(Buffer.from('ID3 a song'), 'audio/mpeg')
    const prepared = await (await withFfmpeg()).prepare('audio', source)
    assert.deepEqual([prepared.facts.mimetype, prepared.facts.seconds], ['audio/ogg; codecs=opus', 1])
    assert.equal(prepared.facts.waveform?.length, 64)
    assert.ok((await buffer(prepared.stream)).equals(ogg()))
    assert.ok((await readdir(directory)).some((name) => name.endsWith('.ogg')))
    await prepared.release()
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.endsWith('.ogg')),
      [],
    )
  })

  test('audio whose type the caller has set stays what it is', async () => {
    const source = await file(Buffer.from('ID3 a song'), 'audio/mpeg', true)
    const prepared = await (await withFfmpeg()).prepare('audio', source)
    assert.equal(prepared.facts.mimetype, 'audio/mpeg')
    assert.equal(String(await buffer(prepared.stream)), 'ID3 a song')
  })

  test('a voice message keeps its bytes, and gets its duration and waveform', async () => {
    const prepared = await (await withFfmpeg()).prepare('audio', await file(ogg(), 'audio/ogg; codecs=opus'))
    assert.deepEqual([prepared.facts.seconds, prepared.facts.waveform?.length], [1, 64])
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    assert.equal(digest(await buffer(prepared.stream)), digest(ogg()))
  })

  test('a file that ffmpeg cannot read is sent as it is', async () => {
    const source = await file(Buffer.from('broken'), 'audio/mpeg')
    const prepared = await (await withFfmpeg()).prepare('audio', source)
    assert.equal(prepared.facts.mimetype, 'audio/mpeg')
    assert.equal(String(await buffer(prepared.stream)), 'broken')
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.endsWith('.ogg')),
      [],
    )
  })
})
