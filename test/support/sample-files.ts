// Small files of known types, made byte by byte, with just enough of a header to be recognised.
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A grey PNG. A large one is a bomb: few bytes that claim to unfold to many; it is whole up to a million pixels. */
export const png = (width = 1, height = 1): Buffer =>
  pngOf(width, height, deflateSync(Buffer.alloc(Math.min(width * height + height, 1_001_000))))

function pngOf(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * A complete grey PNG of 256 million pixels in a few hundred kilobytes: it can be decoded, which takes hundreds of megabytes. The
 * compressed rows are one part that is repeated, because compressing all of them would take seconds.
 */
export function pixelBomb(width = 16_000, height = 16_000, parts = 16): Buffer {
  const bytes = (width + 1) * height
  const part = deflateRawSync(Buffer.alloc(bytes / parts), { finishFlush: constants.Z_FULL_FLUSH })
  const checksum = Buffer.alloc(4)
  // Adler-32 of zeros.
  checksum.writeUInt32BE((bytes % 65_521) * 65_536 + 1)
  const data = [
    Buffer.from([0x78, 1]),
    ...Array.from({ length: parts }, () => part),
    Buffer.from([3, 0]),
    checksum,
  ]
  return pngOf(width, height, Buffer.concat(data))
}

/** Up to the frame header, behind `profileBytes` of other segments. */
export function jpeg(width: number, height: number, profileBytes = 0): Buffer {
  const segments: Buffer[] = []
  for (let left = profileBytes; left > 0; left -= 60_000) {
    const size = Math.min(left, 60_000)
    const head = Buffer.from([0xff, 0xe2, 0, 0])
    head.writeUInt16BE(size + 2, 2)
    segments.push(head, Buffer.alloc(size))
  }
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const start = Buffer.from([
    0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0,
  ])
  return Buffer.concat([start, ...segments, frame, Buffer.from([0xff, 0xd9])])
}

export function gif(width: number, height: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x00\0\0;', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  return head
}

/** The extended form, which is what tools write for large or moving pictures. */
export function webp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(56, 4)
  bytes.write('WEBPVP8X', 8, 'latin1')
  bytes.writeUInt32LE(10, 16)
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return bytes
}

/** The lossless form keeps both sizes in 28 bits. */
export function webpLossless(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(56, 4)
  bytes.write('WEBPVP8L', 8, 'latin1')
  bytes.writeUInt8(0x2f, 20)
  bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), 21)
  return bytes
}

export function mp4(): Buffer {
  return Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypisom\0\0\x02\0isomiso2', 'latin1'),
    Buffer.alloc(64),
  ])
}

export const ogg = (): Buffer =>
  Buffer.concat([
    Buffer.from('OggS\0\x02', 'latin1'),
    Buffer.alloc(20),
    Buffer.from('\x01\x13OpusHead\x01\x01', 'latin1'),
    Buffer.alloc(64),
  ])

export const pdf = (): Buffer => Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n', 'latin1')
