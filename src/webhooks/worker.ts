// The webhook worker: claims due deliveries, posts them to their receivers, and records each attempt.

import type { EventAttempt } from '../context.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { createKeyedMutex } from '../kernel/async/locks.ts'
import { realTimers } from '../kernel/async/timers.ts'
import { startWakeLoop } from '../kernel/async/wake-loop.ts'
import {
  attemptDelivery,
  countedAttempt,
  createSecretSource,
  type OpenedWebhook,
  postBatch,
  resultOf,
} from './attempt.ts'
import type { ClaimedDeliveries, DeliveryClaimRequest, DeliveryResult, DueRow } from './deliveries-store.ts'
import { firstAttempts, freeDeliveryLocks, nextRetryAt } from './delivery-queries.ts'
import { fitting, perLane } from './rules-batch-limits.ts'
import {
  type Claim,
  DELIVERY_LOCK_MS,
  MAX_CLAIM_AGE_MS,
  RUN_LENGTH,
  type Stopping,
  type WebhookWorkerDeps,
} from './worker-deps.ts'

/** Posts of one webhook at the same time. */
const PER_WEBHOOK = 4
/** A run that takes longer ends early. */
const RUN_MS = 1000
const CLAIM_SIZE = 100
/** Each delivery in flight has a socket. */
const MAX_IN_FLIGHT = 1000
/** How long the stop waits for exchanges under way; then they are aborted, and the next process repeats them. */
const GRACE_MS = 5000
/** Every event wakes the worker, also one that no webhook subscribes to: this limits how often it polls in vain. */
const IDLE_PAUSE_MS = 10
/** Retries are seconds away: a stream of events need not ask for the next one after each of them. */
const QUIET_MS = 100

const FAILURE = 'webhook worker: attempt not recorded; the delivery is repeated when its lock expires'

export interface WebhookWorker {
  wake(): void
  /** A node stopped responding: what it had locked is free. */
  freeLocks(): void
  stop(): Promise<void>
}

export function startWebhookWorker(deps: WebhookWorkerDeps): WebhookWorker {
  const stopping: Stopping = { isStopping: false, graceOver: new AbortController() }
  const runs = createRuns(deps, stopping, () => loop.wake())
  let areLocksFree = false

  const loop = startWakeLoop({
    async poll() {
      // Locks of a process that was killed are freed at once instead of when they expire.
      if (!areLocksFree) await freeDeliveryLocks(deps.store)
      areLocksFree = true
      const request = runs.nextRequest()
      if (!request) return 'all'
      const wakesBefore = runs.wakes()
      const claimed = await deps.store.claimDeliveries(request)
      runs.start(claimed, request, wakesBefore)
      if (claimed.length === 0) return 'nothing'
      return claimed.length === request.limit ? 'more' : 'all'
    },
    idlePauseMs: IDLE_PAUSE_MS,
    quietMs: QUIET_MS,
    nextDueAt: () => nextRetryAt(deps.store.db, deps.clock()),
    clock: deps.clock,
    ...(deps.timers && { timers: deps.timers }),
    onError: (err) => deps.logger.warn({ err }, 'webhook worker: could not claim deliveries; retrying'),
  })

  /** Commits that cause deliveries claim them at once, where the engine can. */
  const withdraw = deps.store.offerClaim?.('claimDeliveries', {
    wants: () => (areLocksFree && !stopping.isStopping ? runs.nextRequest() : undefined),
    take(claimed, request) {
      runs.noteCommit()
      runs.start(claimed, request, runs.wakes())
      if (claimed.length === request.limit) loop.wake()
    },
  })
  return {
    wake() {
      runs.noteWake()
      loop.wake()
    },
    freeLocks() {
      areLocksFree = false
      loop.wake()
    },
    async stop() {
      stopping.isStopping = true
      withdraw?.()
      await loop.stop()
      await endWithin(runs.inFlight, stopping.graceOver)
    },
  }
}

/** Starts what was claimed. Wakes the worker at the end of a run, unless nothing can have waited for it. */
function createRuns(deps: WebhookWorkerDeps, stopping: Stopping, wake: () => void) {
  const inFlight = new Set<Promise<unknown>>()
  const secretsOf = createSecretSource(deps)
  const batches = createBatches(deps, secretsOf, stopping)
  let wakes = 0
  /** Those that have claimed deliveries. They pass over a lane that is locked, and leave it to the commit that releases it. */
  let commits = 0

  /** `isDone`: no event came during the run, and no delivery can have waited for it to end. */
  function track(running: Promise<boolean>, isDone: (isDrained: boolean) => boolean): void {
    inFlight.add(running)
    void running.then((isDrained) => {
      const mayRest = isDone(isDrained)
      inFlight.delete(running)
      if (!mayRest) wake()
    })
  }
  /** Undefined: another run is under way that delivers it. A retry is posted alone: one event that is refused holds up no other. */
  function startRun(claim: Claim): Promise<boolean> | undefined {
    if (claim.webhook.isBatched && claim.lock.kind === 'lane') return batches.add(claim)
    return secretsOf(claim.webhook).then((opened) => deliverRun(deps, claim, opened, stopping))
  }
  return {
    inFlight,
    wakes: () => wakes,
    noteWake: () => void (wakes += 1),
    noteCommit: () => void (commits += 1),
    /** What can be claimed now; undefined: nothing. */
    nextRequest(): DeliveryClaimRequest | undefined {
      const limit = Math.min(CLAIM_SIZE, MAX_IN_FLIGHT - inFlight.size)
      if (limit <= 0) return undefined
      const { nodeId, clock } = deps
      return {
        now: clock(),
        lockMs: DELIVERY_LOCK_MS,
        limit,
        perWebhook: PER_WEBHOOK,
        runLength: RUN_LENGTH,
        nodeId,
      }
    },
    start(claimed: ClaimedDeliveries[], { now }: DeliveryClaimRequest, wakesBefore: number): void {
      const commitsBefore = commits
      const isQuiet = () => wakes === wakesBefore && inFlight.size < PER_WEBHOOK
      for (const run of claimed) {
        const claim = { ...run, claimedAt: now, mayWait: () => isQuiet() && commits === commitsBefore }
        const running = startRun(claim)?.catch((err: unknown) => logFailure(deps, err))
        if (running) track(running, (isDrained) => isDrained && isQuiet())
      }
    },
  }
}

function logFailure({ logger }: WebhookWorkerDeps, err: unknown): false {
  logger.error({ err }, FAILURE)
  return false
}

async function endWithin(inFlight: Iterable<Promise<unknown>>, graceOver: AbortController): Promise<void> {
  const timer = setTimeout(() => graceOver.abort(), GRACE_MS)
  await Promise.allSettled(inFlight)
  clearTimeout(timer)
}

/**
 * Posts the deliveries of one claim in order. Results are saved while the next ones are posted; the last one releases the claim.
 * True if all that was due at the time of the claim is delivered.
 */
async function deliverRun(
  deps: WebhookWorkerDeps,
  { webhook, lock, deliveries, claimedAt, mayWait }: Claim,
  opened: OpenedWebhook,
  stopping: Stopping,
): Promise<boolean> {
  const startedAt = deps.clock()
  const results = createResultSaver(deps, lock)
  let delivered = 0
  for (const [index, delivery] of deliveries.entries()) {
    if (deps.clock() - claimedAt > MAX_CLAIM_AGE_MS) break
    const traced = deps.trace?.delivery(webhook.id, delivery)
    const sending = { signal: stopping.graceOver.signal, traceparent: traced?.traceparent }
    const attempt = await attemptDelivery(deps, webhook, opened, delivery, sending)
    const result = attempt.isStopped ? null : resultOf(deps, delivery, attempt)
    if (result) {
      results.add(result)
      if (result.outcome.kind === 'delivered') delivered += 1
      deps.observe(countedAttempt(delivery, result, deps.clock()))
      traced?.end(attempt, result.outcome.kind)
    }
    const isLast = index === deliveries.length - 1 || deps.clock() - startedAt >= RUN_MS
    if (isLast || result === null || result.isGone || stopping.isStopping || results.isOver()) break
    results.save()
  }
  const isDrained = delivered === deliveries.length && delivered < RUN_LENGTH
  await results.release(isDrained && mayWait())
  return isDrained
}

/** Saves the results of a run. Those that come while others are being saved are saved together. */
function createResultSaver({ store, clock }: WebhookWorkerDeps, lock: ClaimedDeliveries['lock']) {
  const waiting: DeliveryResult[] = []
  let saving: Promise<void> | undefined
  /** False: the webhook was deleted, or another process has claimed it since. */
  let isLocked = true
  let failure: { error: unknown } | undefined

  const settle = (release: boolean, mayWait = false): Promise<boolean> =>
    store.settleDelivery({ lock, now: clock(), results: waiting.splice(0), release, mayWait })
  async function saveWaiting(): Promise<void> {
    try {
      while (isLocked && waiting.length > 0) isLocked = await settle(false)
    } catch (error) {
      failure = { error }
    }
  }
  return {
    add: (result: DeliveryResult) => void waiting.push(result),
    save(): void {
      saving ??= saveWaiting().finally(() => (saving = undefined))
    },
    /** Whether no further result can be saved. */
    isOver: (): boolean => !isLocked || failure !== undefined,
    /** Saves the last results and releases the claim. */
    async release(mayWait: boolean): Promise<void> {
      await saving
      if (failure) throw failure.error
      if (isLocked) await settle(true, mayWait)
    },
  }
}

// Webhooks with `batch`: lanes that are claimed within a short time share one request. Its result is settled for each delivery.

/** How long the first event waits for others. */
const WINDOW_MS = 50

interface Batches {
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

function createBatches(
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
