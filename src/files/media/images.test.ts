// Thumbnails and stickers, by the decoder that is used for messages.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { png } from '../../../test/support/sample-files.ts'
import { createImages, ImageTooLargeError } from './images.ts'

let directory: string
before(async () => void (directory = await mkdtemp(join(tmpdir(), 'switchboard-'))))
after(() => rm(directory, { recursive: true }))

const images = createImages()
const describeImage = (image: string | Uint8Array) => images.describe(1, image)

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } })

describe('the description of an image', () => {
  test('has its size and a small JPEG of the same shape', async () => {
    for (const bytes of [
      await picture(800, 400).png().toBuffer(),
      await picture(800, 400).webp().toBuffer(),
      await picture(800, 400).jpeg().toBuffer(),
      await picture(800, 400).gif().toBuffer(),
    ]) {
      const { width, height, jpegThumbnail, isAnimated } = await describeImage(bytes)
      assert.deepEqual([width, height, isAnimated], [800, 400, false])
      const thumbnail = await sharp(jpegThumbnail).metadata()
      assert.deepEqual([thumbnail.format, thumbnail.width, thumbnail.height], ['jpeg', 100, 50])
      assert.ok(jpegThumbnail.length < 32_768)
    }
  })

  test('has the size that is shown, when the camera was held upright', async () => {
    const upright = await picture(80, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { width, height, jpegThumbnail } = await describeImage(upright)
    assert.deepEqual([width, height], [40, 80])
    const thumbnail = await sharp(jpegThumbnail).metadata()
    assert.deepEqual([thumbnail.width, thumbnail.height], [40, 80], 'a small image is not enlarged')
  })

  test('a decompression bomb is refused before it is decoded', async () => {
    await assert.rejects(describeImage(png(16_384, 16_384)), ImageTooLargeError)
    const tiff = await picture(7000, 7000).tiff({ compression: 'deflate' }).toBuffer()
    await assert.rejects(describeImage(tiff), ImageTooLargeError)
  })

  test('an image with few pixels that would need too much memory is refused', async () => {
    const raw = { width: 4600, height: 4600, channels: 4 } as const
    const deep = await sharp({ create: { ...raw, background: '#123456' } })
      .toColourspace('rgb16')
      .png({ progressive: true, compressionLevel: 1 })
      .toBuffer()
    await assert.rejects(describeImage(deep), ImageTooLargeError)
    const progressive = await picture(6000, 5000).jpeg({ progressive: true }).toBuffer()
    await assert.rejects(describeImage(progressive), ImageTooLargeError)
    assert.equal((await describeImage(await picture(6000, 5000).jpeg().toBuffer())).width, 6000)
  })

  test('formats that can refer to other files are not decoded', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'
    await assert.rejects(describeImage(Buffer.from(svg)))
  })

  test('bytes that are not an image are refused', async () => {
    for (const bytes of [Buffer.from('no image'), png(100, 100).subarray(0, 50)])
      await assert.rejects(describeImage(bytes), (error) => !(error instanceof ImageTooLargeError))
  })
})

describe('a sticker', () => {
  test('is a WebP of 512 by 512 pixels, transparent where the image does not cover it', async () => {
    const path = join(directory, 'wide.png')
    await writeFile(path, await picture(300, 100).removeAlpha().png().toBuffer())
    const sticker = await images.toSticker(1, path)
    const { format, width, height, hasAlpha } = await sharp(sticker).metadata()
    assert.deepEqual([format, width, height, hasAlpha], ['webp', 512, 512, true])
    const corner = await sharp(sticker).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer()
    assert.equal(corner[3], 0)
  })

  test('an animation is recognized', async () => {
    const frames = Buffer.alloc(8 * 16 * 3).fill(200, 8 * 8 * 3)
    const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const
    const animated = await sharp(frames, { raw })
      .webp({ delay: [100, 100], loop: 0 })
      .toBuffer()
    const { isAnimated, width, height } = await describeImage(animated)
    assert.deepEqual([isAnimated, width, height], [true, 8, 8])
  })
})

describe('the picture of a group or a profile', () => {
  test('is a square JPEG, whatever the shape of the image', async () => {
    for (const [width, height] of [
      [900, 300],
      [30, 60],
    ] as const) {
      const made = await images.toProfilePicture(1, await picture(width, height).png().toBuffer())
      const { format, width: w, height: h } = await sharp(made).metadata()
      assert.deepEqual([format, w, h], ['jpeg', 640, 640])
    }
  })

  test('a decompression bomb is refused before it is decoded', async () => {
    await assert.rejects(images.toProfilePicture(1, png(16_384, 16_384)), ImageTooLargeError)
    await assert.rejects(images.toSticker(1, png(16_384, 16_384)), ImageTooLargeError)
  })
})
