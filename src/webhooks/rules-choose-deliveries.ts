// The rule for claiming deliveries: every webhook gets a fair share, and first attempts and retries share its slots evenly.

/** A lane (first attempts of a webhook and instance, in order) or a single retry that is due and not locked. */
export type DueDelivery = { webhookId: number; dueAt: number } & (
  | { kind: 'lane'; instanceId: number }
  | { kind: 'retry'; deliveryId: number }
)

/** One webhook: what is due and not locked, longest due first, and how much of each kind is locked now. */
export interface WebhookCandidates extends WebhookLocks {
  lanes: DueDelivery[]
  retries: DueDelivery[]
}

export interface WebhookLocks {
  /** Its lanes share requests, so that they take no slots from each other. */
  isBatched: boolean
  lockedLanes: number
  lockedRetries: number
}

export interface DeliveryLimits {
  /** Lanes and retries of one claim. */
  limit: number
  /** Lanes and retries of one webhook that may be locked at the same time; of a batched one only the retries. */
  perWebhook: number
}

/** Lanes of a batched webhook that may be locked at the same time. */
const BATCH_LANES = 32

/** The most lanes and retries of a webhook, and the most of both together. */
export const slotsOf = (isBatched: boolean, perWebhook: number) =>
  isBatched
    ? { lanes: BATCH_LANES, retries: perWebhook, total: BATCH_LANES + perWebhook }
    : { lanes: perWebhook, retries: perWebhook, total: perWebhook }

export const freeSlots = (
  { isBatched, lockedLanes, lockedRetries }: WebhookLocks,
  perWebhook: number,
): number => slotsOf(isBatched, perWebhook).total - lockedLanes - lockedRetries

/** Round by round, one of each webhook: none gets a second slot before every other one got its first. */
export function chooseDeliveries(
  candidates: WebhookCandidates[],
  { limit, perWebhook }: DeliveryLimits,
): DueDelivery[] {
  const queues = candidates.map((webhook) => alternate(webhook, perWebhook))
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  const rounds = Array.from({ length: longest }, (_, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)).sort((a, b) => a.dueAt - b.dueAt),
  )
  return rounds.flat().slice(0, limit)
}

/** The next slot goes to the kind that has fewer locked, so that neither kind blocks the other. */
function alternate(
  { isBatched, lanes, retries, lockedLanes, lockedRetries }: WebhookCandidates,
  perWebhook: number,
): DueDelivery[] {
  const slots = slotsOf(isBatched, perWebhook)
  const waiting = {
    lanes: lanes.slice(0, Math.max(0, slots.lanes - lockedLanes)),
    retries: retries.slice(0, Math.max(0, slots.retries - lockedRetries)),
  }
  const locked = { lanes: lockedLanes, retries: lockedRetries }
  const chosen: DueDelivery[] = []
  while (locked.lanes + locked.retries < slots.total) {
    const fewer = locked.lanes <= locked.retries ? 'lanes' : 'retries'
    const kind = waiting[fewer].length > 0 ? fewer : fewer === 'lanes' ? 'retries' : 'lanes'
    const next = waiting[kind].shift()
    if (!next) break
    locked[kind] += 1
    chosen.push(next)
  }
  return chosen
}
