// Rate limits as token buckets. Not @fastify/rate-limit: it counts fixed windows and supports neither bursts nor the current
// IETF headers.

export interface Verdict {
  allowed: boolean
  remaining: number
  retryAfterSeconds: number
}

export interface RateLimit {
  /** Takes one token from this bucket. */
  take(bucket: string, now: number): Verdict
}

interface Bucket {
  tokens: number
  at: number
}

/** Beyond this number the oldest buckets are dropped, so that invented keys and addresses cannot fill the memory. */
const MAX_BUCKETS = 10_000

export function createRateLimit(perSecond: number, burst: number): RateLimit {
  const buckets = new Map<string, Bucket>()

  function refill(name: string, now: number): Bucket {
    const known = buckets.get(name)
    // A clock that jumps back neither adds nor removes tokens.
    const passed = known ? Math.max(0, now - known.at) / 1000 : 0
    const tokens = known ? Math.min(burst, known.tokens + passed * perSecond) : burst
    return { tokens, at: now }
  }
  const verdict = (allowed: boolean, tokens: number): Verdict => ({
    allowed,
    remaining: Math.floor(tokens),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
  })

  return {
    take(name, now) {
      const bucket = refill(name, now)
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      buckets.delete(name)
      buckets.set(name, bucket)
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value as string)
      return verdict(allowed, bucket.tokens)
    },
  }
}

/** `RateLimit-Policy` and `RateLimit` in the form of the IETF draft. */
export function rateLimitHeaders(
  perSecond: number,
  burst: number,
  { remaining }: Verdict,
): Record<string, string> {
  const windowSeconds = Math.max(1, Math.round(burst / perSecond))
  return {
    'RateLimit-Policy': `"key";q=${burst};w=${windowSeconds}`,
    RateLimit: `"key";r=${remaining};t=${Math.ceil((burst - remaining) / perSecond)}`,
  }
}
