// Rate limits as token buckets. Not @fastify/rate-limit: it counts fixed windows and supports neither bursts nor the current
// IETF headers.
import { createBoundedMap } from '../async/bounded-map.ts'
import type { EntryName } from '../async/entry-name.ts'

export interface RateVerdict {
  allowed: boolean
  remaining: number
  retryAfterSeconds: number
}

export interface RateLimit {
  /** Takes one token from this bucket. */
  take(bucket: EntryName, now: number): RateVerdict
  /** Takes tokens that were used on another node. The bucket may then owe up to a burst. */
  charge(bucket: EntryName, count: number, now: number): void
}

interface Bucket {
  tokens: number
  at: number
}

/** Beyond this number the least recently used buckets are dropped, so that invented keys and addresses cannot fill the memory. */
const MAX_BUCKETS = 10_000

export function createRateLimit(perSecond: number, burst: number): RateLimit {
  const buckets = createBoundedMap<EntryName, Bucket>(MAX_BUCKETS)

  function refill(name: EntryName, now: number): Bucket {
    const known = buckets.get(name)
    // A clock that jumps back neither adds nor removes tokens.
    const passed = known ? Math.max(0, now - known.at) / 1000 : 0
    const tokens = known ? Math.min(burst, known.tokens + passed * perSecond) : burst
    return { tokens, at: now }
  }
  const verdict = (allowed: boolean, tokens: number): RateVerdict => ({
    allowed,
    remaining: Math.max(0, Math.floor(tokens)),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
  })

  return {
    take(name, now) {
      const bucket = refill(name, now)
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      buckets.set(name, bucket)
      return verdict(allowed, bucket.tokens)
    },
    charge(name, count, now) {
      const { tokens, at } = refill(name, now)
      buckets.set(name, { tokens: Math.max(-burst, tokens - count), at })
    },
  }
}

/** `RateLimit-Policy` and `RateLimit` in the form of the IETF draft. */
export function rateLimitHeaders(
  perSecond: number,
  burst: number,
  { remaining }: RateVerdict,
): Record<string, string> {
  const windowSeconds = Math.max(1, Math.round(burst / perSecond))
  return {
    'RateLimit-Policy': `"key";q=${burst};w=${windowSeconds}`,
    RateLimit: `"key";r=${remaining};t=${Math.ceil((burst - remaining) / perSecond)}`,
  }
}
