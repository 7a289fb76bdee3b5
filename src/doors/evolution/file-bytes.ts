// A file in memory as a whole, with a limit on its length.
import { GatewayError } from '../../errors.ts'

/** Its callers limit how many files are in memory at the same time. */
export async function bytesOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > maxBytes) throw new GatewayError('body_too_large')
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}
