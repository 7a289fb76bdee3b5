// Reads an image's pixel count from its header without decoding it, to detect decompression bombs: small files that decode
// to gigabytes. Not with sharp: it takes a header whose image data is missing or cut for a damaged file, so that such a bomb would be sent
// as it is. This also keeps decoders out of the process that downloads.
import type { FileHandle } from 'node:fs/promises'

/** Undefined for an unknown format or an invalid header. */
export async function countPixels(file: FileHandle): Promise<number | undefined> {
  const head = await readAt(file, 0, HEAD_BYTES)
  const format = FORMATS.find(({ matches }) => matches(head))
  return format?.pixels(head, file)
}

const HEAD_BYTES = 32
/** More than any camera writes before the frame header. */
const MAX_JPEG_SEGMENTS = 1000

interface ImageFormat {
  matches(head: Buffer): boolean
  pixels(head: Buffer, file: FileHandle): number | undefined | Promise<number | undefined>
}

const hasTextAt = (head: Buffer, at: number, text: string): boolean =>
  head.toString('latin1', at, at + text.length) === text

const FORMATS: readonly ImageFormat[] = [
  {
    matches: (head) => hasTextAt(head, 0, '\x89PNG\r\n\x1a\n') && head.length >= 24,
    pixels: (head) => head.readUInt32BE(16) * head.readUInt32BE(20),
  },
  {
    matches: (head) => head.length > 3 && head.readUInt16BE(0) === 0xffd8,
    pixels: (_, file) => jpegPixels(file),
  },
  {
    matches: (head) => hasTextAt(head, 0, 'GIF8') && head.length >= 10,
    pixels: (head) => head.readUInt16LE(6) * head.readUInt16LE(8),
  },
  {
    matches: (head) => hasTextAt(head, 0, 'RIFF') && hasTextAt(head, 8, 'WEBP') && head.length >= 30,
    pixels: webpPixels,
  },
  {
    matches: (head) => hasTextAt(head, 0, 'BM') && head.length >= 26,
    pixels: (head) => Math.abs(head.readInt32LE(18) * head.readInt32LE(22)),
  },
]

function webpPixels(head: Buffer): number | undefined {
  if (hasTextAt(head, 12, 'VP8X')) return (head.readUIntLE(24, 3) + 1) * (head.readUIntLE(27, 3) + 1)
  if (hasTextAt(head, 12, 'VP8L')) {
    const bits = head.readUInt32LE(21)
    return ((bits & 0x3fff) + 1) * (((bits >> 14) & 0x3fff) + 1)
  }
  if (hasTextAt(head, 12, 'VP8 ')) return (head.readUInt16LE(26) & 0x3fff) * (head.readUInt16LE(28) & 0x3fff)
  return undefined
}

/** Skips segments, such as color profiles and previews, up to the frame header. */
async function jpegPixels(file: FileHandle): Promise<number | undefined> {
  let at = 2
  for (let segment = 0; segment < MAX_JPEG_SEGMENTS; segment += 1) {
    const bytes = await readAt(file, at, 9)
    if (bytes.length < 9 || bytes[0] !== 0xff) return undefined
    const marker = bytes.readUInt8(1)
    if (marker === 0xff) at += 1
    else if (isFrameHeader(marker)) return bytes.readUInt16BE(5) * bytes.readUInt16BE(7)
    else at += 2 + bytes.readUInt16BE(2)
  }
  return undefined
}

const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
