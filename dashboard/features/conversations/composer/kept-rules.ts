// When a message is kept, when it is sent again, and when it is not.

/** What an error of the API client says about itself. */
interface Refusal {
  status: number
  reason: string
}
const refusalOf = (error: unknown): Refusal | undefined =>
  typeof error === 'object' && error !== null && 'status' in error && 'reason' in error
    ? (error as Refusal)
    : undefined

const PROXY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

/** The gateway was not reached, or its answer was lost, so whether it took the message is not known. */
export function isLost(error: unknown): boolean {
  const refusal = refusalOf(error)
  if (!refusal) return false
  return (
    refusal.status === 0 || (refusal.reason === 'unreadable_answer' && PROXY_STATUSES.has(refusal.status))
  )
}

/** Refusals that end by themselves: a message that is kept waits for that. */
const PASSING: ReadonlySet<string> = new Set([
  'unauthorized',
  'csrf_failed',
  'idempotency_in_flight',
  'instance_not_connected',
  'queue_full',
  'rate_limited',
  'gateway_held',
])

/** Whether the gateway will not take the message later either. */
export function isRefused(error: unknown): boolean {
  const refusal = refusalOf(error)
  if (!refusal || isLost(error)) return false
  return refusal.status < 500 && !PASSING.has(refusal.reason)
}

/** The gateway knows an idempotency key for a day (src/rules/accept-send.ts). Behind it, a message could be sent twice. */
const LONGEST_MS = 23 * 60 * 60 * 1000
export const isOld = ({ at }: { at: number }, now: number): boolean => now - at > LONGEST_MS
