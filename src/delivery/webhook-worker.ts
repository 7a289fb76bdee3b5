// The worker that carries events to receivers: claims what is due, posts it, and records what came of it.
import type { Logger } from 'pino'
import type { EventAttempt, PostEvent } from '../domain/deps.ts'
import { eventId, toEventBody } from '../domain/events.ts'
import { openSecrets, type WebhookSecrets } from '../domain/webhook-secrets.ts'
import type { ClaimedWebhook, ClaimedWork, DeliveryResult, DueRow } from '../store/deliveries.ts'
import { freeDeliveryLocks, nextRetryAt } from '../store/queries/deliveries.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { nextTry } from './retry-schedule.ts'
import { startWakeLoop } from './wake-loop.ts'

/** Decisions 8. */
const PER_WEBHOOK = 4
/** First tries under one hold: one claim then serves many posts. A run that takes longer than a second ends early. */
const RUN_LENGTH = 16
const RUN_MS = 1000
/** Longer than a run and the longest exchange together. */
const LOCK_MS = 60_000
const CLAIM_SIZE = 100
/** Each has a socket. */
const MAX_IN_FLIGHT = 1000
/** What is under way when the server drains gets this long; then it is broken off and is for the next process. */
const GRACE_MS = 5000
const SECRETS_KEPT = 1000
/** Every event wakes the worker, wanted by a webhook or not. */
const REST_MS = 10

export interface WebhookWorker {
  wake(): void
  stop(): Promise<void>
}

export interface WebhookWorkerDeps {
  store: Store
  vault: Vault
  clock: () => number
  random?: () => number
  logger: Logger
  postEvent: PostEvent
  observe(outcome: DeliveryResult['outcome']['kind'], seconds: number): void
}

export function startWebhookWorker(deps: WebhookWorkerDeps): WebhookWorker {
  const inFlight = new Set<Promise<void>>()
  const stopping: Stopping = { isStopping: false, breakOff: new AbortController() }
  const secretsOf = createSecretSource(deps)
  let areLocksFree = false

  const loop = startWakeLoop({
    async look() {
      // What an earlier process held when it was killed need not wait until its locks run out.
      if (!areLocksFree) await freeDeliveryLocks(deps.store.db)
      areLocksFree = true
      const limit = Math.min(CLAIM_SIZE, MAX_IN_FLIGHT - inFlight.size)
      if (limit <= 0) return 'all'
      const request = { now: deps.clock(), lockMs: LOCK_MS, limit, perWebhook: PER_WEBHOOK }
      const claimed = await deps.store.claimDeliveries({ ...request, runLength: RUN_LENGTH })
      for (const work of claimed) {
        track(secretsOf(work.webhook).then((secrets) => carry(deps, work, secrets, stopping)))
      }
      if (claimed.length === 0) return 'nothing'
      return claimed.length === limit ? 'more' : 'all'
    },
    restMs: REST_MS,
    nextDueAt: () => nextRetryAt(deps.store.db, deps.clock()),
    clock: deps.clock,
    onError: (err) => deps.logger.warn({ err }, 'deliveries cannot be read'),
  })

  function track(running: Promise<void>): void {
    inFlight.add(running)
    void running
      .catch((err: unknown) =>
        deps.logger.error({ err }, 'a delivery was not recorded; it comes back by itself'),
      )
      .finally(() => {
        inFlight.delete(running)
        loop.wake()
      })
  }

  return {
    wake: loop.wake,
    async stop() {
      stopping.isStopping = true
      await loop.stop()
      const timer = setTimeout(() => stopping.breakOff.abort(), GRACE_MS)
      await Promise.allSettled(inFlight)
      clearTimeout(timer)
    },
  }
}

interface Stopping {
  /** No further try is begun. */
  isStopping: boolean
  /** What is under way ends. */
  breakOff: AbortController
}

/** One after the other. A result is on its way to the disk while the next is posted; the hold goes with the last. */
async function carry(
  deps: WebhookWorkerDeps,
  { webhook, hold, deliveries }: ClaimedWork,
  secrets: WebhookSecrets,
  stopping: Stopping,
): Promise<void> {
  const startedAt = deps.clock()
  let settled: Promise<boolean> = Promise.resolve(true)
  for (const [index, delivery] of deliveries.entries()) {
    const attempt = await attemptDelivery(deps, webhook, secrets, delivery, stopping.breakOff.signal)
    const result = attempt.isStopped ? null : resultOf(deps, delivery, attempt)
    const isLast = index === deliveries.length - 1 || deps.clock() - startedAt >= RUN_MS
    const release = isLast || result === null || result.isGone || stopping.isStopping
    // False: deleted, or another's by now.
    if (!(await settled)) return
    settled = deps.store.settleDelivery({ hold, now: deps.clock(), result, release })
    if (result) deps.observe(result.outcome.kind, attempt.durationMs / 1000)
    if (release) break
  }
  await settled
}

const attemptDelivery = (
  { postEvent }: WebhookWorkerDeps,
  webhook: ClaimedWebhook,
  secrets: WebhookSecrets,
  delivery: DueRow,
  signal: AbortSignal,
): Promise<EventAttempt> =>
  postEvent({
    url: webhook.url,
    webhookId: webhook.id,
    secrets,
    id: eventId(delivery.account_id, delivery.position),
    event: delivery.name,
    body: JSON.stringify(toEventBody(delivery)),
    signal,
  })

function resultOf(deps: WebhookWorkerDeps, delivery: DueRow, attempt: EventAttempt): DeliveryResult {
  const { at, durationMs, status, headers, answer, error, isGone, wishMs } = attempt
  return {
    deliveryId: delivery.id,
    attempt: { at, durationMs, statusCode: status, headers: JSON.stringify(headers), answer, error },
    outcome: error === null ? { kind: 'delivered' } : afterFailure(deps, delivery, wishMs),
    isGone,
  }
}

function afterFailure(
  { clock, random = Math.random }: WebhookWorkerDeps,
  { tries, asked }: DueRow,
  wishMs: number | undefined,
): DeliveryResult['outcome'] {
  const next = nextTry({ tries: tries + 1, asked }, wishMs, random)
  return next === 'never'
    ? { kind: 'dead' }
    : { kind: 'retry', at: clock() + next.pauseMs, asked: next.asked }
}

/** Opening a secret asks the store for its key; the same sealed bytes are the same secret. */
function createSecretSource({ store, vault, clock }: WebhookWorkerDeps) {
  const opened = new Map<number, { seals: string; secrets: WebhookSecrets }>()
  return async (webhook: ClaimedWebhook): Promise<WebhookSecrets> => {
    const { id, sealedSecret, previousSealedSecret, previousUntil } = webhook
    const isOverlap = previousUntil !== null && previousUntil > clock()
    const seals = [sealedSecret, isOverlap ? (previousSealedSecret ?? '') : '']
      .map((seal) => Buffer.from(seal).toString('base64'))
      .join()
    const known = opened.get(id)
    if (known?.seals === seals) return known.secrets
    const secrets = await openSecrets(vault, store.db, { ...webhook, webhookId: id }, clock())
    if (opened.size >= SECRETS_KEPT) opened.clear()
    opened.set(id, { seals, secrets })
    return secrets
  }
}
