// Voice that Chromium recorded, packed for phones.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { samplesOf, voiceFile, voiceFormat, voiceProblem, webmToOgg } from './voice-format.ts'

const HEAD = Buffer.from('OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0', 'latin1')
const element = (id: number[], content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(id),
    Buffer.from([0x40 | (content.length >> 8), content.length & 0xff]),
    content,
  ])
/** As a recording has it: without its size. */
const endless = (id: number[], content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id), Buffer.from([0x01, 255, 255, 255, 255, 255, 255, 255]), content])
const block = (packet: Buffer): Buffer =>
  element([0xa3], Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), packet]))

const webm = (packets: Buffer[], head = HEAD): Buffer =>
  Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], Buffer.from('header')),
    endless(
      [0x18, 0x53, 0x80, 0x67],
      Buffer.concat([
        element([0x16, 0x54, 0xae, 0x6b], element([0xae], element([0x63, 0xa2], head))),
        endless([0x1f, 0x43, 0xb6, 0x75], Buffer.concat(packets.map(block))),
      ]),
    ),
  ])

/** A packet of 20 ms. */
const packet = (length: number, fill = 7): Buffer =>
  Buffer.concat([Buffer.from([0x78]), Buffer.alloc(length - 1, fill)])

interface OggPage {
  flags: number
  granule: bigint
  index: number
  packets: Buffer[]
}

function pagesOf(ogg: Buffer): OggPage[] {
  const pages: OggPage[] = []
  for (let at = 0; at < ogg.length; ) {
    assert.equal(ogg.toString('latin1', at, at + 4), 'OggS')
    const lacing = [...ogg.subarray(at + 27, at + 27 + ogg.readUInt8(at + 26))]
    let data = at + 27 + lacing.length
    const packets: Buffer[] = []
    let length = 0
    for (const part of lacing) {
      length += part
      if (part === 255) continue
      packets.push(ogg.subarray(data, data + length))
      data += length
      length = 0
    }
    pages.push({
      flags: ogg.readUInt8(at + 5),
      granule: ogg.readBigUInt64LE(at + 6),
      index: ogg.readUInt32LE(at + 18),
      packets,
    })
    at = data
  }
  return pages
}

describe('voice from WebM', () => {
  test('every packet is in the Ogg file, in order, behind the two headers', () => {
    const packets = [
      ...Array.from({ length: 120 }, (_, index) => packet(80, index)),
      packet(255),
      packet(600),
    ]
    const ogg = webmToOgg(webm(packets))
    assert.ok(ogg)
    const pages = pagesOf(Buffer.from(ogg))
    assert.deepEqual(pages[0]?.packets, [HEAD])
    assert.equal(pages[1]?.packets[0]?.toString('latin1', 0, 8), 'OpusTags')
    assert.deepEqual(
      pages.slice(2).flatMap((page) => page.packets),
      packets,
    )
    assert.deepEqual(
      pages.map(({ index }) => index),
      pages.map((_, index) => index),
    )
    assert.deepEqual([pages[0].flags, pages.at(-1)?.flags], [2, 4])
    assert.equal(pages.at(-1)?.granule, 122n * 960n, 'the length in samples')
  })

  test('a page is byte for byte as ffmpeg writes it, with its checksum', () => {
    const page =
      '4f676753000200000000000000007613d40600000000a3f31abd01134f707573486561640101380180bb0000000000'
    const head = Buffer.from('4f707573486561640101380180bb0000000000', 'hex')
    const ogg = Buffer.from(webmToOgg(webm([packet(3)], head), 0x6d41376) ?? [])
    assert.equal(ogg.subarray(0, page.length / 2).toString('hex'), page)
  })

  test('the length of a packet follows from its first bytes', () => {
    assert.equal(samplesOf(Buffer.from([0x78])), 960)
    assert.equal(samplesOf(Buffer.from([0x79])), 1920, 'two frames')
    assert.equal(samplesOf(Buffer.from([0x7b, 3])), 2880, 'three frames')
    assert.equal(samplesOf(Buffer.from([0x18])), 2880, '60 ms')
    assert.equal(samplesOf(Buffer.from([0x80])), 120, '2.5 ms')
  })

  test('what is not WebM with Opus is not packed', () => {
    assert.equal(webmToOgg(Buffer.from('no such file')), undefined)
    assert.equal(webmToOgg(webm([packet(9)], Buffer.from('Vorbis..'))), undefined)
    assert.equal(webmToOgg(webm([])), undefined)
  })

  test('a recording that was cut off keeps what is whole', () => {
    const whole = webm([packet(80), packet(80), packet(80)])
    const pages = pagesOf(Buffer.from(webmToOgg(whole.subarray(0, -1)) ?? []))
    assert.ok((pages.at(-1)?.packets.length ?? 0) >= 2)
  })
})

describe('the format of voice', () => {
  test('a format that phones play is preferred', () => {
    const supports = (...types: string[]) => voiceFormat((type) => types.includes(type))
    assert.equal(
      supports('audio/ogg;codecs=opus', 'audio/webm;codecs=opus')?.mimetype,
      'audio/ogg;codecs=opus',
    )
    assert.deepEqual(supports('audio/webm;codecs=opus', 'audio/mp4')?.isVoice, true)
    assert.deepEqual(supports('audio/mp4')?.isVoice, false)
    assert.equal(supports(), undefined)
  })

  test('the file has the type of its content', () => {
    const recorded = new Uint8Array(webm([packet(80)]))
    const file = voiceFile(recorded, { mimetype: 'audio/webm;codecs=opus', isVoice: true })
    assert.deepEqual([file.name, file.type], ['voice.ogg', 'audio/ogg'])
    const other = voiceFile(new Uint8Array(4), { mimetype: 'audio/mp4', isVoice: false })
    assert.deepEqual([other.name, other.type], ['voice.m4a', 'audio/mp4'])
  })

  test('errors of the browser have a reason', () => {
    assert.equal(voiceProblem(new DOMException('', 'NotAllowedError')), 'denied')
    assert.equal(voiceProblem(new Error('else')), 'failed')
  })
})
