// Webhooks with `batch`: lanes that are claimed within a short time share one request. Its result is settled for each delivery.

import type { EventAttempt } from '../context.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { createKeyedMutex } from '../kernel/async/keyed-mutex.ts'
import { realTimers } from '../kernel/async/timers.ts'
import { countedAttempt, type OpenedWebhook, postBatch, resultOf } from './attempt.ts'
import type { DeliveryResult, DueRow } from './deliveries-store.ts'
import { firstAttempts } from './delivery-queries.ts'
import { fitting, perLane } from './rules-batch-limits.ts'
import {
  type Claim,
  MAX_CLAIM_AGE_MS,
  RUN_LENGTH,
  type Stopping,
  type WebhookWorkerDeps,
} from './worker-deps.ts'

/** How long the first event waits for others. */
const WINDOW_MS = 50

export interface Batches {
  /**
   * Adds a lane to the next request of its webhook. Returns that request if this is its first lane: true if all that was due is
   * delivered. Undefined: it is under way, and the lane goes with it.
   */
  add(lane: Claim): Promise<boolean> | undefined
}

interface Batch {
  lanes: Claim[]
  /** Ends the wait for others. */
  close(): void
}

export function createBatches(
  deps: WebhookWorkerDeps,
  secretsOf: (webhook: Claim['webhook']) => Promise<OpenedWebhook>,
  stopping: Stopping,
): Batches {
  const open = new Map<number, Batch>()
  /** One request of a webhook at a time. Lanes that are claimed meanwhile gather for the next one. */
  const requests = createKeyedMutex<EntryName<'webhook'>>()

  async function gather(lane: Claim): Promise<boolean> {
    const { id } = lane.webhook
    const wait = startWindow(deps)
    const batch = { lanes: [lane], close: wait.end }
    open.set(id, batch)
    closeIfFull(batch)
    await wait.ended
    return requests.runExclusive(entryName('webhook', id), async () => {
      open.delete(id)
      // The lane that was claimed last has the newest settings of the webhook.
      const { webhook } = batch.lanes.at(-1) ?? lane
      return deliverBatch(deps, batch.lanes, { webhook, ...(await secretsOf(webhook)) }, stopping)
    })
  }
  return {
    add(lane) {
      const batch = open.get(lane.webhook.id)
      if (!batch) return gather(lane)
      batch.lanes.push(lane)
      closeIfFull(batch)
      return undefined
    },
  }
}

/** A lane that has as much as one claim reads has a backlog: nothing is gained by waiting for more. */
function closeIfFull({ lanes, close }: Batch): void {
  if (lanes.some(({ deliveries }) => deliveries.length >= RUN_LENGTH)) close()
}

function startWindow({ timers = realTimers }: Pick<WebhookWorkerDeps, 'timers'>) {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const timer = timers.setTimeout(resolve, WINDOW_MS)
  const end = () => {
    timers.clearTimeout(timer)
    resolve()
  }
  return { ended, end }
}

type Target = OpenedWebhook & Pick<Claim, 'webhook'>

/** The lanes are read again, because events came since they were claimed. They stay locked until the result is saved. */
async function deliverBatch(
  deps: WebhookWorkerDeps,
  lanes: readonly Claim[],
  target: Target,
  stopping: Stopping,
): Promise<boolean> {
  const now = deps.clock()
  const fresh = lanes.filter(({ claimedAt }) => now - claimedAt <= MAX_CLAIM_AGE_MS)
  const due = stopping.isStopping || fresh.length === 0 ? [] : await readLanes(deps, fresh)
  const posted = fitting(due)
  const results = posted.length === 0 ? [] : await postAll(deps, target, posted, stopping)
  const delivered = results.filter(({ outcome }) => outcome.kind === 'delivered').length
  const isDrained =
    posted.length > 0 && delivered === due.length && fresh.length === lanes.length && !isCut(fresh, due)
  await settleLanes(deps, lanes, {
    posted,
    results,
    mayWait: isDrained && lanes.every((lane) => lane.mayWait()),
  })
  return isDrained
}

const readLanes = ({ store }: WebhookWorkerDeps, lanes: readonly Claim[]): Promise<DueRow[]> =>
  firstAttempts(store.db, {
    webhookId: lanes[0]?.webhook.id as number,
    instanceIds: lanes.map(instanceOf),
    perLane: perLane(lanes.length),
  })

const instanceOf = ({ lock }: Claim): number => (lock.kind === 'lane' ? lock.instanceId : 0)

/** Whether a lane may have more than was read. */
const isCut = (lanes: readonly Claim[], due: readonly DueRow[]): boolean =>
  lanes.some(
    (lane) => due.filter((row) => row.instance_id === instanceOf(lane)).length >= perLane(lanes.length),
  )

/** No result: the gateway is stopping, and the attempt does not count. */
async function postAll(
  deps: WebhookWorkerDeps,
  { webhook, ...opened }: Target,
  deliveries: readonly DueRow[],
  { graceOver }: Stopping,
): Promise<DeliveryResult[]> {
  const traces = deliveries.map((delivery) => deps.trace?.delivery(webhook.id, delivery))
  const sending = { signal: graceOver.signal, traceparent: traces[0]?.traceparent }
  const attempt: EventAttempt = await postBatch(deps, webhook, opened, deliveries, sending)
  if (attempt.isStopped) return []
  return deliveries.map((delivery, index) => {
    const result = resultOf(deps, delivery, attempt)
    deps.observe(countedAttempt(delivery, result, deps.clock()))
    traces[index]?.end(attempt, result.outcome.kind)
    return result
  })
}

interface Settled {
  posted: readonly DueRow[]
  /** Of `posted`, in the same order; empty: there was no attempt. */
  results: readonly DeliveryResult[]
  mayWait: boolean
}

/** In one commit: all calls are made at once. */
async function settleLanes(
  { store, clock }: WebhookWorkerDeps,
  lanes: readonly Claim[],
  { posted, results, mayWait }: Settled,
): Promise<void> {
  const now = clock()
  const ofLane = (lane: Claim) =>
    results.filter((_, index) => posted[index]?.instance_id === instanceOf(lane))
  await Promise.all(
    lanes.map((lane) =>
      store.settleDelivery({ lock: lane.lock, now, results: ofLane(lane), release: true, mayWait }),
    ),
  )
}
