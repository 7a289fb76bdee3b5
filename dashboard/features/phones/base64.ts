// The content of a file as the API takes it inside of JSON.
import { ApiError } from '../../gateway/api.ts'

/** Bodies are JSON of at most 1 MB, and base64 is a third larger than the file. */
const MOST_BYTES = 700_000

export async function base64Of(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new ApiError(413, 'body_too_large', 'The file is too large.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}
