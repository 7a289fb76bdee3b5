import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQrImages } from './qr-images.ts'

test('concurrent requests for one code share one image', async () => {
  let drawn = 0
  const images = createQrImages(async () => Uint8Array.of((drawn += 1)))
  const bytes = await Promise.all(Array.from({ length: 20 }, () => images('a')))
  assert.deepEqual(new Set(bytes.map(([first]) => first)), new Set([1]))
  assert.deepEqual(await images('a'), Uint8Array.of(2), 'a finished drawing is not kept')
})

test('the event loop runs between two drawings', async () => {
  const order: string[] = []
  const images = createQrImages(async (code) => {
    order.push(code)
    setImmediate(() => order.push('turn'))
    return new Uint8Array()
  })
  await Promise.all(['a', 'b', 'c'].map((code) => images(code)))
  assert.deepEqual(order.slice(0, 5), ['a', 'turn', 'b', 'turn', 'c'])
})

test('a failed drawing fails only the requests for its code', async () => {
  const images = createQrImages(async (code) =>
    code === 'bad' ? Promise.reject(new Error('too long')) : new Uint8Array(),
  )
  const [bad, good] = await Promise.allSettled([images('bad'), images('good')])
  assert.deepEqual([bad.status, good.status], ['rejected', 'fulfilled'])
})

test('the image is a PNG', async () => {
  const bytes = await createQrImages()('https://example.com/#code')
  assert.equal(Buffer.from(bytes.subarray(1, 4)).toString(), 'PNG')
})
