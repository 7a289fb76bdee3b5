// Reads the beginning of a public page or picture, for link previews. One attempt; a failure is not an error.
import { decoded, followRedirects } from './download.ts'
import type { Pools } from './pools.ts'
import type { TargetCheck } from './target.ts'

export interface PeekRequest {
  url: string
  /** Reading stops there. */
  maxBytes: number
  /** Ends the attempt. */
  signal: AbortSignal
}

export interface PeekedPage {
  bytes: Buffer
  /** Whether there is more. */
  isCut: boolean
  /** The host's Content-Type header; may be empty. */
  contentType: string
}

/** Undefined: the host refuses, is not allowed, or does not answer in time. Never rejects. */
export async function peek(
  parts: { pools: Pools; check: TargetCheck; limits: { idleMs: number } },
  { url, maxBytes, signal }: PeekRequest,
): Promise<PeekedPage | undefined> {
  try {
    const answer = await followRedirects(parts, url, signal)
    if (!answer) return undefined
    const { statusCode, headers, body } = answer.response
    body.on('error', () => undefined)
    try {
      if (statusCode !== 200) return undefined
      const start = await readStart(decoded(body, headers['content-encoding']), maxBytes)
      return { ...start, contentType: String(headers['content-type'] ?? '') }
    } finally {
      body.destroy()
    }
  } catch {
    return undefined
  }
}

async function readStart(body: AsyncIterable<Buffer>, maxBytes: number) {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: sizeBytes > maxBytes }
}
