// The preparation of files for messages. What cannot be prepared is sent as it is.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { fakeFfmpeg } from '../../../test/support/fake-ffmpeg.ts'
import { until } from '../../../test/support/linked.ts'
import { mp4, ogg, png, webp } from '../../../test/support/sample-files.ts'
import { createMediaCache, isFailure } from '../../kernel/outbound/media-cache.ts'
import { createImages, ImageTooLargeError } from './images.ts'
import { AudioTooLongError, createMediaTools, NoStickerError } from './media-tools.ts'

let directory: string
before(async () => void (directory = await mkdtemp(join(tmpdir(), 'switchboard-'))))
after(() => rm(directory, { recursive: true }))

const logger = { debug: () => undefined }
const without = () => createMediaTools({ images: createImages(), find: async () => undefined, logger })
const withFfmpeg = async () => {
  const found = await fakeFfmpeg(directory)
  return createMediaTools({ images: createImages(), find: async () => found, logger })
}

let files = 0
/** A file that messages share, as the cache hands it out. */
async function share(
  bytes: Buffer,
  detected: string,
  { isTypeGiven = false, accountId = 1, idleBytes = 1000 } = {},
) {
  const cache = createMediaCache({
    async fetch() {
      const path = join(directory, String((files += 1)))
      await writeFile(path, bytes)
      return { path, sizeBytes: bytes.length, contentType: '', reusableMs: 60_000 }
    },
    keepMs: 60_000,
    idleBytes,
  })
  return async () => {
    const acquired = await cache.acquire({ accountId, href: 'a', limitBytes: 1000 })
    assert.ok(!isFailure(acquired))
    return { ...acquired, accountId, mimetype: detected, detected, isTypeGiven }
  }
}
const file = async (...given: Parameters<typeof share>) => (await share(...given))()

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

/** The files that were made of a source. */
const derivedFrom = async ({ path }: { path: string }) =>
  (await readdir(directory)).filter((name) => name.startsWith(`${basename(path)}.`))

/** Conversions of files that contain `slow` wait until it is opened. `runs` counts them. */
async function gate() {
  const path = join(directory, 'ffmpeg-bin')
  await Promise.all(['open', 'runs'].map((name) => rm(join(path, name), { force: true })))
  return {
    open: () => writeFile(join(path, 'open'), ''),
    runs: () =>
      readFile(join(path, 'runs'), 'utf8').then(
        ({ length }) => length,
        () => 0,
      ),
  }
}

describe('with ffmpeg', () => {
  test('a video has a thumbnail, its size and its duration', async () => {
    const prepared = await (await withFfmpeg()).prepare('video', await file(mp4(), 'video/mp4'))
    assert.deepEqual([prepared.facts.width, prepared.facts.height, prepared.facts.seconds], [640, 360, 7.5])
    assert.ok((prepared.facts.jpegThumbnail?.length ?? 0) > 100)
    assert.ok((await buffer(prepared.stream)).equals(mp4()))
  })

  test('audio becomes a voice message, which is removed with the file', async () => {
    const source = await file(Buffer.from('ID3 a song'), 'audio/mpeg', { idleBytes: 0 })
    const prepared = await (await withFfmpeg()).prepare('audio', source)
    assert.deepEqual([prepared.facts.mimetype, prepared.facts.seconds], ['audio/ogg; codecs=opus', 1])
    assert.equal(prepared.facts.waveform?.length, 64)
    assert.ok((await buffer(prepared.stream)).equals(ogg()))
    assert.equal((await derivedFrom(source)).length, 1)
    await source.release()
    assert.deepEqual(await derivedFrom(source), [])
  })

  test('ten messages share one conversion, and all of them get the whole result', async () => {
    const acquire = await share(Buffer.from('ID3 a slow song'), 'audio/mpeg')
    const { open, runs } = await gate()
    const tools = await withFfmpeg()
    const send = async () => {
      const source = await acquire()
      const { stream, facts } = await tools.prepare('audio', source)
      assert.equal(facts.mimetype, 'audio/ogg; codecs=opus')
      const bytes = await buffer(stream)
      await source.release()
      return bytes
    }
    const first = Array.from({ length: 5 }, send)
    await until('a conversion', async () => (await runs()) || undefined)
    await open()
    const early = await Promise.all(first)
    const late = await Promise.all(Array.from({ length: 5 }, send))
    for (const bytes of [...early, ...late]) assert.ok(bytes.equals(ogg()))
    assert.equal(await runs(), 1)
  })

  test('the slow conversions of one account leave a slot to the files of another', async () => {
    const { open } = await gate()
    const tools = await withFfmpeg()
    const song = (name: string, accountId: number) =>
      file(Buffer.from(`ID3 ${name}`), 'audio/mpeg', { accountId })
    const slow = await Promise.all(Array.from({ length: 6 }, () => song('slow', 1)))
    const waiting = slow.map((source) => tools.prepare('audio', source))
    const quick = await tools.prepare('audio', await song('quick', 2))
    assert.equal(quick.facts.mimetype, 'audio/ogg; codecs=opus')
    await open()
    for (const { facts } of await Promise.all(waiting)) assert.equal(facts.mimetype, 'audio/ogg; codecs=opus')
  })

  test('a message that stops waiting leaves the conversion to the others', async () => {
    const { open } = await gate()
    const acquire = await share(Buffer.from('ID3 a slow song'), 'audio/mpeg')
    const [given, kept] = [await acquire(), await acquire()]
    const tools = await withFfmpeg()
    const stop = new AbortController()
    const stopped = tools.prepare('audio', given, stop.signal)
    const prepared = tools.prepare('audio', kept)
    stop.abort(new Error('stopped'))
    await assert.rejects(stopped, { message: 'stopped' })
    await given.release()
    await open()
    assert.ok((await buffer((await prepared).stream)).equals(ogg()))
  })

  test('audio that is too long is refused before it is converted, and a long voice message is not decoded', async () => {
    const tools = await withFfmpeg()
    const long = await file(Buffer.from('ID3 an hour long'), 'audio/mpeg')
    await assert.rejects(tools.prepare('audio', long), AudioTooLongError)
    assert.deepEqual(await derivedFrom(long), [])
    const voice = Buffer.concat([ogg(), Buffer.from('hour long')])
    const { facts } = await tools.prepare('audio', await file(voice, 'audio/ogg; codecs=opus'))
    assert.deepEqual([facts.seconds, facts.waveform], [3600, undefined])
    const given = await file(Buffer.from('ID3 an hour long'), 'audio/mpeg', { isTypeGiven: true })
    assert.equal((await tools.prepare('audio', given)).facts.mimetype, 'audio/mpeg')
  })

  test('closing ends the conversions that run', async () => {
    const { runs } = await gate()
    const tools = await withFfmpeg()
    const prepared = tools.prepare('audio', await file(Buffer.from('ID3 slow'), 'audio/mpeg'))
    await until('a conversion', async () => (await runs()) || undefined)
    tools.close()
    await assert.rejects(prepared)
  })

  test('audio whose type the caller has set stays what it is', async () => {
    const source = await file(Buffer.from('ID3 a song'), 'audio/mpeg', { isTypeGiven: true })
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
    assert.deepEqual(await derivedFrom(source), [])
  })
})
