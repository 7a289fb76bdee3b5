// The rule that disables a webhook: its receiver answers 410 Gone, or every attempt of 120 hours has failed (decisions 8).
import type { DISABLED_REASONS } from '../contract/webhooks.ts'

/** A webhook is disabled when its attempts have failed without a single success for this long. */
export const FAILING_LIMIT_MS = 120 * 60 * 60 * 1000

export type DisabledReason = (typeof DISABLED_REASONS)[number]

export interface WebhookHealth {
  enabled: boolean
  /** The first failure since the last success; null: the last attempt succeeded. */
  failingSince: number | null
  disabledReason: string | null
  disabledAt: number | null
}

export interface AttemptVerdict {
  isDelivered: boolean
  /** The receiver asked for no further events. */
  isGone: boolean
  /** False: nothing was posted, because the format of the webhook has no such event. Says nothing about the receiver. */
  isPosted: boolean
}

/** The health after one more attempt. The same object is returned when nothing changes. */
export function healthAfter(
  health: WebhookHealth,
  { isDelivered, isGone, isPosted }: AttemptVerdict,
  now: number,
): WebhookHealth {
  if (!isPosted) return health
  if (isDelivered) return health.failingSince === null ? health : { ...health, failingSince: null }
  const failingSince = health.failingSince ?? now
  const isFailingTooLong = now - failingSince >= FAILING_LIMIT_MS
  if (health.enabled && (isGone || isFailingTooLong)) {
    const disabledReason: DisabledReason = isGone ? 'gone' : 'failing'
    return { enabled: false, failingSince, disabledReason, disabledAt: now }
  }
  return health.failingSince === null ? { ...health, failingSince } : health
}
