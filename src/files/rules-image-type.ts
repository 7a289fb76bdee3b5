// Detects the type of an image by its first bytes. The declared type of a file is not trusted.

const startsWith = (bytes: Uint8Array, offset: number, text: string): boolean =>
  Buffer.from(bytes.subarray(offset, offset + text.length)).toString('latin1') === text

/** The media type of a JPEG, PNG or WebP; undefined for everything else, SVG included. */
export function imageType(bytes: Uint8Array): 'image/jpeg' | 'image/png' | 'image/webp' | undefined {
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return 'image/webp'
  return undefined
}
