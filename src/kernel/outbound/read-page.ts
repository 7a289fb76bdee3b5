// Reads a whole page of a public host as text, for the gateway itself. One attempt, without redirects.
import { startDeadline } from './deadline.ts'
import { decoded } from './download.ts'
import { failureOf, OutboundError } from './failure.ts'
import type { Pools } from './pools.ts'
import { type Purpose, type TargetCheck, TargetRefused } from './target.ts'

export interface PageRequest {
  url: string
  headers: Record<string, string>
  maxBytes: number
  limitMs: number
  signal: AbortSignal
  /** `webhook`: only https. */
  purpose?: Purpose
}

/** Rejects with a sentence that contains no address. */
export async function readPage(
  { pools, check }: { pools: Pools; check: TargetCheck },
  { url: text, headers, maxBytes, limitMs, signal, purpose = 'media' }: PageRequest,
): Promise<string> {
  const target = check(text, purpose)
  if (target instanceof TargetRefused) throw target
  const { url } = target
  const deadline = startDeadline(limitMs, signal)
  try {
    const response = await pools.request(url.origin, {
      path: url.pathname + url.search,
      method: 'GET',
      headers: { ...headers, 'accept-encoding': 'identity' },
      signal: deadline.signal,
    })
    const { statusCode, body } = response
    body.on('error', () => undefined)
    try {
      if (statusCode !== 200) throw new PageError(`The host answered ${statusCode}.`)
      return await textOf(decoded(body, response.headers['content-encoding']), maxBytes)
    } finally {
      body.destroy()
    }
  } catch (error) {
    if (error instanceof PageError) throw error
    throw new PageError(failureOf(error, deadline.signal).message, error)
  } finally {
    deadline.clear()
  }
}

class PageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'PageError'
  }
}

async function textOf(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new OutboundError('protocol')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
