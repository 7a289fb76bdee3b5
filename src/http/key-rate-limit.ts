// The rate limit of each API key. Plans with a rate of their own have buckets of their own size.
import type { FastifyReply } from 'fastify'
import { GatewayError } from '../errors.ts'
import { createRateLimit, type RateLimit, rateLimitHeaders } from './rate-limit.ts'

/** Beyond this all buckets are dropped: the rates of plans that were changed would stay for ever. */
const MAX_RATES = 100

export interface KeyRateLimit {
  /** Takes one token of the key's bucket and sets the headers; throws when the bucket is empty. */
  take(reply: FastifyReply, key: string, planLimit: number | null): void
}

export function createKeyRateLimit({
  requestsPerSecond,
  clock,
}: {
  /** 0: no limit. */
  requestsPerSecond: number
  clock: () => number
}): KeyRateLimit {
  const byRate = new Map<number, RateLimit>()
  return {
    take(reply, key, planLimit) {
      const perSecond = Math.min(planLimit ?? Infinity, requestsPerSecond || Infinity)
      if (perSecond === Infinity) return
      const burst = perSecond * 2
      const limit = byRate.get(perSecond) ?? createRateLimit(perSecond, burst)
      if (byRate.size >= MAX_RATES && !byRate.has(perSecond)) byRate.clear()
      byRate.set(perSecond, limit)
      const verdict = limit.take(key, clock())
      reply.headers(rateLimitHeaders(perSecond, burst, verdict))
      if (!verdict.allowed) {
        throw new GatewayError('rate_limited', {}, { retryAfterSeconds: verdict.retryAfterSeconds })
      }
    },
  }
}
