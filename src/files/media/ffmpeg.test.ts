// What ffmpeg prints, and the conversions themselves where it is installed.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createMeter, type Ffmpeg, findFfmpeg, formatOf, listen, readProbe, toVoice } from './ffmpeg.ts'

test('the format of a file follows from its detected type, and lists of other files have none', () => {
  for (const [type, format] of [
    ['video/mp4', 'mov'],
    ['audio/x-m4a', 'mov'],
    ['audio/ogg; codecs=opus', 'ogg'],
    ['audio/mpeg', 'mp3'],
    ['video/webm', 'matroska'],
    ['AUDIO/WAV', 'wav'],
    ['application/vnd.apple.mpegurl', undefined],
    ['audio/x-mpegurl', undefined],
    ['application/dash+xml', undefined],
    ['text/plain', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(formatOf(type), format, type)
})

test('size and duration of a video are read, turned where it was recorded upright', () => {
  const stream = { width: 1920, height: 1080 }
  const format = { duration: '12.480000' }
  assert.deepEqual(readProbe(JSON.stringify({ streams: [stream], format })), {
    width: 1920,
    height: 1080,
    seconds: 12.48,
  })
  const turned = { ...stream, side_data_list: [{}, { rotation: -90 }] }
  assert.deepEqual(readProbe(JSON.stringify({ streams: [turned], format: {} })), {
    width: 1080,
    height: 1920,
    seconds: undefined,
  })
  assert.deepEqual(readProbe('{}'), { width: undefined, height: undefined, seconds: undefined })
})

test('samples are summed up to a level per tenth of a second, wherever they are cut', () => {
  const samples = Buffer.alloc(3200)
  for (let at = 0; at < 1600; at += 2) samples.writeInt16LE(at % 4 === 0 ? 100 : -100, at)
  for (const size of [3200, 7, 1]) {
    const meter = createMeter()
    for (let at = 0; at < samples.length; at += size) meter.add(samples.subarray(at, at + size))
    assert.deepEqual(meter.read(), { seconds: 0.2, levels: [100, 0] })
  }
})

/** One second of a tone, then one of silence. */
function wav(): Buffer {
  const rate = 16_000
  const samples = Buffer.alloc(rate * 2 * 2)
  for (let at = 0; at < rate; at += 1) samples.writeInt16LE(Math.round(12_000 * Math.sin(at / 5)), at * 2)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

describe('the ffmpeg of this machine', () => {
  let directory: string
  let found: Ffmpeg | undefined
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'switchboard-'))
    found = await findFfmpeg()
  })
  after(() => rm(directory, { recursive: true }))

  test('audio becomes Ogg with Opus, with its duration and levels', async (t) => {
    if (!found) return t.skip('there is no ffmpeg on the PATH')
    const [path, target] = [join(directory, 'tone.wav'), join(directory, 'tone.ogg')]
    await writeFile(path, wav())
    await toVoice(found, 'wav', { path, target, maxSeconds: 60 })
    const bytes = await readFile(target)
    assert.equal(bytes.toString('latin1', 0, 4), 'OggS')
    assert.ok(bytes.includes('OpusHead'))
    const { seconds, levels } = await listen(found, 'ogg', target)
    assert.equal(Math.round(seconds), 2)
    assert.ok((levels[5] ?? 0) > 100 * ((levels[15] ?? 0) + 1), 'the tone is louder than the silence')
  })

  test('a file that is not of its format is refused, even a list of other files', async (t) => {
    if (!found) return t.skip('there is no ffmpeg on the PATH')
    const [path, other] = [join(directory, 'list.m3u8'), join(directory, 'other.wav')]
    await writeFile(other, wav())
    await writeFile(path, `#EXTM3U\n#EXTINF:1,\n${other}\n`)
    await assert.rejects(listen(found, 'mov', path))
  })
})
