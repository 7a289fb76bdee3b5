// Rate limits as token buckets. By hand, because @fastify/rate-limit counts fixed windows and has neither a burst nor the
// current IETF header form.

export interface Verdict {
  allowed: boolean
  remaining: number
  retryAfterSeconds: number
}

export interface RateLimit {
  /** Takes one token of this bucket. */
  take(bucket: string, now: number): Verdict
}

interface Bucket {
  tokens: number
  at: number
}

/** Buckets beyond this are forgotten oldest first: whoever makes up keys or addresses gains nothing by it. */
const MAX_BUCKETS = 10_000

export function createRateLimit(perSecond: number, burst: number): RateLimit {
  const buckets = new Map<string, Bucket>()

  function refill(name: string, now: number): Bucket {
    const known = buckets.get(name)
    // A clock that jumps back neither grants nor takes tokens.
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
