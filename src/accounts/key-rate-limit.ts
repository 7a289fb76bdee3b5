// The rate limit of each credential: keys, tokens of instances, addresses that Chatwoot posts to. Plans with a rate of their own have buckets of their own size.
import type { FastifyReply } from 'fastify'
import { GatewayError } from '../errors.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import type { EntryName } from '../kernel/async/entry-name.ts'
import { createRateLimit, type RateLimit, rateLimitHeaders } from '../kernel/http/rate-limit.ts'

/** Beyond this the least recently used rate is dropped with its buckets: the rates of plans that were changed would stay for ever. */
const MAX_RATES = 100

export interface KeyRateLimit {
  /** Takes one token of the credential's bucket and sets the headers; throws when the bucket is empty. */
  take(reply: FastifyReply, key: EntryName, planLimit: number | null): void
}

/** Uses of keys on several nodes. */
export interface SharedKeyUses {
  note(key: EntryName, perSecond: number): void
  onReceived(listener: (uses: readonly { key: EntryName; perSecond: number; count: number }[]) => void): void
}

export interface KeyRateLimitParts {
  /** 0: no limit. */
  requestsPerSecond: number
  clock: () => number
  /** Absent: there is only one process. */
  sharedUses?: SharedKeyUses | undefined
}

export function createKeyRateLimit({
  requestsPerSecond,
  clock,
  sharedUses,
}: KeyRateLimitParts): KeyRateLimit {
  const byRate = createBoundedMap<number, RateLimit>(MAX_RATES)
  function limitOf(perSecond: number): RateLimit {
    const known = byRate.get(perSecond)
    if (known) return known
    const limit = createRateLimit(perSecond, perSecond * 2)
    byRate.set(perSecond, limit)
    return limit
  }
  sharedUses?.onReceived((uses) => {
    for (const { key, perSecond, count } of uses) limitOf(perSecond).charge(key, count, clock())
  })
  return {
    take(reply, key, planLimit) {
      const perSecond = Math.min(planLimit ?? Infinity, requestsPerSecond || Infinity)
      if (perSecond === Infinity) return
      const verdict = limitOf(perSecond).take(key, clock())
      reply.headers(rateLimitHeaders(perSecond, perSecond * 2, verdict))
      if (verdict.allowed) sharedUses?.note(key, perSecond)
      if (!verdict.allowed) {
        throw new GatewayError('rate_limited', {}, { retryAfterSeconds: verdict.retryAfterSeconds })
      }
    },
  }
}
