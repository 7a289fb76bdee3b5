import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFrameReader, frame } from './framing.ts'

const INTRO = Buffer.from([87, 65, 6, 3])
const PAYLOADS = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(3000, 7)]

test('frames are read as a whole, no matter how the stream is split into chunks', () => {
  const stream = Buffer.concat([INTRO, ...PAYLOADS.map(frame)])
  for (const size of [1, 2, 3, 5, 1024, stream.length]) {
    const read = createFrameReader()
    const frames: Buffer[] = []
    for (let at = 0; at < stream.length; at += size) frames.push(...read(stream.subarray(at, at + size)))
    assert.deepEqual(frames, PAYLOADS, `in pieces of ${size}`)
  }
})

test('routing info before the intro is skipped', () => {
  const routing = Buffer.concat([Buffer.from('ED'), Buffer.from([0, 1, 0, 0, 5]), Buffer.from('hello')])
  const read = createFrameReader()
  assert.deepEqual(read(Buffer.concat([routing, INTRO, frame(Buffer.from('x'))])), [Buffer.from('x')])
})

test('a stream of another protocol is refused', () => {
  assert.throws(() => createFrameReader()(Buffer.from('GET / HTTP/1.1')))
})
