// The webhook worker: claims due deliveries, posts them to their receivers, and records each attempt.
import type { Logger } from 'pino'
import { createBoundedMap } from '../../async/bounded-map.ts'
import type { Timers } from '../../async/timers.ts'
import { startWakeLoop } from '../../async/wake-loop.ts'
import type { DeliveryBridges, DeliveryFormats } from '../../domain/delivery-format.ts'
import type { EventAttempt, EventToPost, PostEvent } from '../../domain/deps.ts'
import type { Tracer } from '../../domain/tracer.ts'
import { openOptions, openSecrets, type WebhookSecrets } from '../../domain/webhook-secrets.ts'
import { deliveryOutcome } from '../../rules/delivery-outcome.ts'
import { eventId, toEventBody } from '../../rules/event-body.ts'
import type {
  ClaimedDeliveries,
  ClaimedWebhook,
  DeliveryClaimRequest,
  DeliveryResult,
  DueRow,
} from '../../store/operations/deliveries/types.ts'
import { freeDeliveryLocks, nextRetryAt } from '../../store/queries/deliveries.ts'
import type { Store } from '../../store/store.ts'
import type { Vault } from '../../store/vault.ts'

/** Posts of one webhook at the same time. */
const PER_WEBHOOK = 4
/** First attempts made under one claim. A run that takes longer than a second ends early. */
const RUN_LENGTH = 16
const RUN_MS = 1000
/** Longer than a run and the longest exchange together, so that a lock does not expire during the work. */
const LOCK_MS = 60_000
/** An older claim is not used: the process was suspended, and another one may have posted the deliveries since. */
const MAX_CLAIM_AGE_MS = LOCK_MS / 2
const CLAIM_SIZE = 100
/** Each delivery in flight has a socket. */
const MAX_IN_FLIGHT = 1000
/** How long the stop waits for exchanges under way; then they are aborted, and the next process repeats them. */
const GRACE_MS = 5000
const SECRETS_KEPT = 1000
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

export interface WebhookWorkerDeps {
  store: Store
  vault: Vault
  clock: () => number
  random?: () => number
  timers?: Timers
  logger: Logger
  /** This node, if several may use the database. */
  nodeId?: number | undefined
  postEvent: PostEvent
  /** Forms of deliveries beside that of this API; absent: none. */
  formats?: DeliveryFormats
  /** Formats that are calls of their own in place of a post; absent: none. */
  bridges?: DeliveryBridges
  observe(outcome: DeliveryResult['outcome']['kind'], seconds: number): void
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
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
  const withdraw = deps.store.offerClaim?.({
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
      return { now: clock(), lockMs: LOCK_MS, limit, perWebhook: PER_WEBHOOK, runLength: RUN_LENGTH, nodeId }
    },
    start(claimed: ClaimedDeliveries[], { now }: DeliveryClaimRequest, wakesBefore: number): void {
      const commitsBefore = commits
      const isQuiet = () => wakes === wakesBefore && inFlight.size < PER_WEBHOOK
      for (const run of claimed) {
        const claim = { ...run, claimedAt: now, mayWait: () => isQuiet() && commits === commitsBefore }
        const running = secretsOf(run.webhook)
          .then((opened) => deliverRun(deps, claim, opened, stopping))
          .catch((err: unknown) => logFailure(deps, err))
        track(running, (isDrained) => isDrained && isQuiet())
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

interface Stopping {
  /** No further attempt is started. */
  isStopping: boolean
  /** Aborts the exchanges under way. */
  graceOver: AbortController
}

interface Claim extends ClaimedDeliveries {
  claimedAt: number
  /** No event came since, so that no delivery can wait for this claim to end. */
  mayWait(): boolean
}

/**
 * Posts the deliveries of one claim in order. Results are saved while the next ones are posted; the last one releases the claim.
 * True if all that was due at the time of the claim is delivered.
 */
async function deliverRun(
  deps: WebhookWorkerDeps,
  { webhook, lock, deliveries, claimedAt, mayWait }: Claim,
  opened: Opened,
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
      deps.observe(result.outcome.kind, attempt.durationMs / 1000)
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

/** What a webhook has sealed in the store. */
interface Opened {
  secrets: WebhookSecrets
  /** Of its format. */
  options: unknown
}

async function attemptDelivery(
  deps: WebhookWorkerDeps,
  webhook: ClaimedWebhook,
  opened: Opened,
  delivery: DueRow,
  sending: { signal: AbortSignal; traceparent: string | undefined },
): Promise<EventAttempt> {
  const bridge = deps.bridges?.[webhook.format]
  const { id: webhookId, url } = webhook
  if (bridge) return bridge(delivery, { id: webhookId, url, options: opened.options }, sending.signal)
  const request = await requestOf(deps, webhook, opened, delivery)
  if (request === null) return notPosted(deps.clock())
  const id = eventId(delivery.account_id, delivery.position)
  const { secrets } = opened
  return deps.postEvent({ webhookId: webhook.id, secrets, id, event: delivery.name, ...request, ...sending })
}

type Request = Pick<EventToPost, 'url' | 'body' | 'headers' | 'secretHeaders'>

/** Null: nothing is posted. */
async function requestOf(
  { formats = {} }: WebhookWorkerDeps,
  { url, format }: ClaimedWebhook,
  opened: Opened,
  delivery: DueRow,
): Promise<Request | null> {
  const toFormat = formats[format]
  if (toFormat) return toFormat(delivery, { url, ...opened })
  return { url, body: JSON.stringify(toEventBody(delivery)) }
}

/** The event has no counterpart in the format of the webhook: the delivery is done, and says why nothing was posted. */
const notPosted = (at: number): EventAttempt => ({
  at,
  durationMs: 0,
  status: null,
  headers: {},
  answer: 'Not posted: the format of the webhook has no such event, or the webhook does not subscribe to it.',
  error: null,
  isStopped: false,
  isGone: false,
  retryAfterMs: undefined,
})

function resultOf(
  { clock, random = Math.random }: WebhookWorkerDeps,
  { id, tries, early_retries: earlyRetries }: DueRow,
  attempt: EventAttempt,
): DeliveryResult {
  const { at, durationMs, status, headers, answer, error, isGone } = attempt
  const outcome = deliveryOutcome(attempt, { tries: tries + 1, earlyRetries }, clock(), random)
  return {
    deliveryId: id,
    attempt: { at, durationMs, statusCode: status, headers: JSON.stringify(headers), answer, error },
    outcome,
    isGone,
  }
}

/** Caches what was opened by the sealed bytes: opening reads a key from the store. */
function createSecretSource({ store, vault, clock }: WebhookWorkerDeps) {
  const cached = createBoundedMap<number, { seals: string; opened: Opened }>(SECRETS_KEPT)
  return async (webhook: ClaimedWebhook): Promise<Opened> => {
    const { id, sealedSecret, previousSealedSecret, previousUntil, sealedOptions } = webhook
    const isOverlap = previousUntil !== null && previousUntil > clock()
    const seals = [sealedSecret, isOverlap ? (previousSealedSecret ?? '') : '', sealedOptions ?? '']
      .map((seal) => Buffer.from(seal).toString('base64'))
      .join()
    const known = cached.get(id)
    if (known?.seals === seals) return known.opened
    const owner = { ...webhook, webhookId: id }
    const secrets = await openSecrets(vault, store.db, owner, clock())
    const opened = { secrets, options: await openOptions(vault, store.db, owner, sealedOptions) }
    cached.set(id, { seals, opened })
    return opened
  }
}
