// Images: their size, their thumbnail, and their conversion to a sticker. The library decodes in threads of its own.
import type { Sharp, SharpOptions } from 'sharp'

/** As for downloads: a small file can decode to gigabytes. */
const MAX_PIXELS = 40_000_000
const DECODE_SECONDS = 10
/** What phones show until the file is loaded. A JPEG of this size has a few kilobytes. */
const THUMBNAIL_PIXELS = 100
const THUMBNAIL_QUALITY = 60
const STICKER_PIXELS = 512
const STICKER_QUALITY = 80

export interface ImageFacts {
  width: number
  height: number
  isAnimated: boolean
  jpegThumbnail: Uint8Array
}

/** The image would need too much memory. */
export class ImageTooLargeError extends Error {}

/** Rejects if the image cannot be decoded. */
export const describeImage = (image: string | Uint8Array): Promise<ImageFacts> =>
  withImage(image, async (decoded) => {
    const { autoOrient, pages = 1 } = await decoded.metadata()
    const thumbnail = await decoded
      .autoOrient()
      .resize({ width: THUMBNAIL_PIXELS, height: THUMBNAIL_PIXELS, fit: 'inside', withoutEnlargement: true })
      // JPEG has no transparency.
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: THUMBNAIL_QUALITY })
      .toBuffer()
    const { width, height } = autoOrient
    return { width, height, isAnimated: pages > 1, jpegThumbnail: thumbnail }
  })

/** A WebP of 512 by 512 pixels; what the image does not cover is transparent. */
export const toSticker = (image: string): Promise<Uint8Array> =>
  withImage(image, (decoded) =>
    decoded
      .autoOrient()
      .resize({
        width: STICKER_PIXELS,
        height: STICKER_PIXELS,
        fit: 'contain',
        background: { r: 0, g: 0, b: 0, alpha: 0 },
      })
      .webp({ quality: STICKER_QUALITY })
      .toBuffer(),
  )

/** Only the first frame of an animation is decoded. */
const OPTIONS: SharpOptions = { limitInputPixels: MAX_PIXELS, sequentialRead: true, pages: 1 }

async function withImage<T>(image: string | Uint8Array, work: (decoded: Sharp) => Promise<T>): Promise<T> {
  const { default: sharp } = await loadSharp()
  try {
    return await work(sharp(image, OPTIONS).timeout({ seconds: DECODE_SECONDS }))
  } catch (error) {
    if (error instanceof Error && error.message.includes('exceeds pixel limit'))
      throw new ImageTooLargeError('the image has too many pixels', { cause: error })
    throw error
  }
}

/** Loaded with the first image. Files are rarely used twice, so that a cache of decoded ones only takes memory. */
async function loadSharp() {
  const loaded = await import('sharp')
  loaded.default.cache(false)
  loaded.default.concurrency(1)
  return loaded
}
