// The rule for settling a delivery: what the outcome of an attempt makes of its row.
import type { DeliveryStatus } from '../contract/deliveries.ts'
import type { DeliveryOutcome } from './rules-delivery-outcome.ts'

export interface SettledDelivery {
  status: DeliveryStatus
  dueAt: number | null
  /** Added to the count of early retries, which the schedule limits. */
  earlyRetries: 0 | 1
  deliveredAt: number | null
}

export function settledDelivery(outcome: DeliveryOutcome, now: number): SettledDelivery {
  const isRetry = outcome.kind === 'retry'
  return {
    status: isRetry ? 'retrying' : outcome.kind,
    dueAt: isRetry ? outcome.at : null,
    earlyRetries: isRetry && outcome.isEarly ? 1 : 0,
    deliveredAt: outcome.kind === 'delivered' ? now : null,
  }
}
