// The nonces of requests that this node has accepted: none is accepted twice while its signature is valid.
import { MAX_AGE_MS } from './signing.ts'

/** A request may be dated 30 s ahead and is then valid for 60 s. Nonces are forgotten in groups, after one to two of these times. */
const GENERATION_MS = 2 * MAX_AGE_MS
/** Calls of a minute. A hundred nodes that wake this one as often as they can make 120,000; each takes about 100 bytes. */
const MAX_NONCES = 150_000

export interface Nonces {
  /** seen: a request with this nonce was accepted before. full: no more can be remembered, so that no request is accepted. */
  accept(nonce: string): 'new' | 'seen' | 'full'
}

/** `now` is a monotonic clock. A nonce is never forgotten early: then a request could be repeated. */
export function createNonces(now = () => performance.now(), max = MAX_NONCES): Nonces {
  let current = new Set<string>()
  let previous = new Set<string>()
  let startedAt = now()
  function rotate(): void {
    const ageMs = now() - startedAt
    if (ageMs < GENERATION_MS) return
    previous = ageMs < 2 * GENERATION_MS ? current : new Set()
    current = new Set()
    startedAt = now()
  }
  return {
    accept(nonce) {
      rotate()
      if (current.has(nonce) || previous.has(nonce)) return 'seen'
      if (current.size >= max) return 'full'
      current.add(nonce)
      return 'new'
    },
  }
}
