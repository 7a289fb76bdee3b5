import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { limitUpload } from './bodies.ts'

const tooLarge = () => new Error('too large')

test('a stream within the limit passes unchanged', async () => {
  const bytes = await limitUpload(
    Readable.from([Buffer.from('ab'), Buffer.from('cd')]),
    4,
    tooLarge,
  ).toArray()
  assert.equal(Buffer.concat(bytes).toString(), 'abcd')
})

test('one byte too many fails the copy; the rest of the source is read and discarded', async () => {
  const source = new PassThrough()
  const copy = limitUpload(source, 4, tooLarge)
  source.write('abcde')
  await assert.rejects(copy.toArray(), /too large/)
  source.end('more')
  await new Promise((resolve) => source.once('end', resolve))
})

test('the copy fails when the source ends early', async () => {
  const source = new PassThrough()
  const copy = limitUpload(source, 4, tooLarge)
  source.write('ab')
  source.destroy()
  await assert.rejects(copy.toArray(), /ended before it was complete/)
})

test('the rest of the source is read and discarded when the copy is abandoned', async () => {
  const source = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(64 * 1024)))
  const ended = new Promise((resolve) => source.once('end', resolve))
  const copy = limitUpload(source, 100 * 1024 * 1024, tooLarge)
  // More than the copy buffers has arrived, so the source waits for it.
  await new Promise((resolve) => copy.once('readable', resolve))
  copy.destroy()
  await ended
})

test('an upload that is aborted before it is read does not end the process, and its reader gets the error', async () => {
  const source = new PassThrough()
  const copy = limitUpload(source, 4, tooLarge)
  source.write('ab')
  source.destroy(new Error('reset'))
  await new Promise((resolve) => copy.once('close', resolve))
  await assert.rejects(copy.toArray(), /ended before it was complete/)
})
