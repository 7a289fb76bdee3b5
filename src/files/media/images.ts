// The only place where pictures are decoded: thumbnails and sizes, stickers, pictures of groups and profiles. A picture is decoded only
// if its header stays within the limits below, and few are decoded at a time. The library decodes in threads of its own.
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { entryName } from '../../kernel/async/entry-name.ts'
import { createFairSemaphore } from '../../kernel/async/locks.ts'

/** As for downloads: a small file can decode to gigabytes. */
const MAX_PIXELS = 40_000_000
/** What one picture may take in memory, if its format forces the library to hold all of it: 40 million pixels of four bytes. */
const MAX_DECODED_BYTES = 160_000_000
const DECODE_SECONDS = 10
/** Two pictures of one account must not delay those of others. */
const SLOTS = { size: 2, perKey: 1 }
/** What phones show until the file is loaded. A JPEG of this size has a few kilobytes. */
const THUMBNAIL_PIXELS = 100
const THUMBNAIL_QUALITY = 60
const STICKER_PIXELS = 512
const STICKER_QUALITY = 80
/** What the official clients upload as the picture of a group or a profile. */
const PROFILE_PIXELS = 640
const PROFILE_QUALITY = 50

export interface ImageFacts {
  width: number
  height: number
  isAnimated: boolean
  jpegThumbnail: Uint8Array
}

/** The image would need too much memory. */
export class ImageTooLargeError extends Error {}

export const IMAGE_TOO_LARGE =
  'The image has more than 40 million pixels, or needs more than 160 MB to decode.'

/** A path or the bytes of a file. */
type Image = string | Uint8Array

/** Each call rejects with `ImageTooLargeError`, or with another error if the image cannot be decoded. Accounts take turns. */
export interface Images {
  describe(accountId: number, image: Image): Promise<ImageFacts>
  /** A WebP of 512 by 512 pixels; what the image does not cover is transparent. */
  toSticker(accountId: number, image: Image): Promise<Uint8Array>
  /** A square JPEG, as the network takes it for groups and profiles. */
  toProfilePicture(accountId: number, image: Image): Promise<Uint8Array>
}

export function createImages(): Images {
  const acquire = createFairSemaphore(SLOTS)
  let library: ReturnType<typeof loadSharp> | undefined
  const decoding =
    <T>(work: Decode<T>) =>
    async (accountId: number, image: Image): Promise<T> => {
      const release = await acquire(entryName('account', accountId))
      try {
        return await withImage((await (library ??= loadSharp())).default, image, work)
      } finally {
        release()
      }
    }
  return {
    describe: decoding(describe),
    toSticker: decoding(toSticker),
    toProfilePicture: decoding(toProfilePicture),
  }
}

type Decode<T> = (decoded: Sharp, metadata: Metadata) => Promise<T>

const describe: Decode<ImageFacts> = async (decoded, { autoOrient: { width, height }, pages = 1 }) => {
  const jpegThumbnail = await decoded
    .autoOrient()
    .resize({ width: THUMBNAIL_PIXELS, height: THUMBNAIL_PIXELS, fit: 'inside', withoutEnlargement: true })
    // JPEG has no transparency.
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: THUMBNAIL_QUALITY })
    .toBuffer()
  return { width, height, isAnimated: pages > 1, jpegThumbnail }
}

const toSticker: Decode<Uint8Array> = (decoded) =>
  decoded
    .autoOrient()
    .resize({
      width: STICKER_PIXELS,
      height: STICKER_PIXELS,
      fit: 'contain',
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .webp({ quality: STICKER_QUALITY })
    .toBuffer()

const toProfilePicture: Decode<Uint8Array> = (decoded) =>
  decoded
    .autoOrient()
    .resize({ width: PROFILE_PIXELS, height: PROFILE_PIXELS, fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: PROFILE_QUALITY })
    .toBuffer()

/** Only the first frame of an animation is decoded. */
const OPTIONS: SharpOptions = { limitInputPixels: MAX_PIXELS, sequentialRead: true, pages: 1 }

async function withImage<T>(
  sharp: (image: Image, options: SharpOptions) => Sharp,
  image: Image,
  work: Decode<T>,
): Promise<T> {
  try {
    const decoded = sharp(image, OPTIONS).timeout({ seconds: DECODE_SECONDS })
    const metadata = await decoded.metadata()
    if (decodedBytes(metadata) > MAX_DECODED_BYTES) throw new ImageTooLargeError('the image is too large')
    return await work(decoded, metadata)
  } catch (error) {
    if (error instanceof Error && error.message.includes('exceeds pixel limit'))
      throw new ImageTooLargeError('the image has too many pixels', { cause: error })
    throw error
  }
}

const BYTES_PER_SAMPLE: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2 }
const LARGEST_SAMPLE_BYTES = 16

/** A progressive JPEG is held as coefficients of two bytes until its last part is read. */
function decodedBytes({ width, height, channels, depth, format, isProgressive }: Metadata): number {
  const sampleBytes = BYTES_PER_SAMPLE[depth] ?? LARGEST_SAMPLE_BYTES
  return width * height * channels * (format === 'jpeg' && isProgressive ? 2 : sampleBytes)
}

/** The formats that people send. Others, such as SVG and PDF, can refer to other files or run programs. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif']

/** Loaded with the first image. Files are rarely used twice, so that a cache of decoded ones only takes memory. */
async function loadSharp() {
  const loaded = await import('sharp')
  const { cache, concurrency, block, unblock } = loaded.default
  cache(false)
  concurrency(1)
  block({ operation: ['VipsForeignLoad'] })
  unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) })
  return loaded
}
