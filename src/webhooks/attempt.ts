// One attempt of a delivery: what is posted to its webhook, and what the answer means for the delivery.
import { createHash } from 'node:crypto'
import type { EventAttempt, EventToPost } from '../context.ts'
import { BATCH_EVENT } from '../contract/event-batch.ts'
import { eventId, toBatchBody, toEventBody } from '../events/rules.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import type { CountedAttempt } from '../statistics/rules-counted.ts'
import { type ClaimedWebhook, type DeliveryResult, type DueRow, verdictOf } from './deliveries-store.ts'
import { deliveryOutcome } from './rules.ts'
import { openOptions, openSecrets, type WebhookSecrets } from './secrets.ts'
import type { WebhookWorkerDeps } from './worker-deps.ts'

const SECRETS_KEPT = 1000

/** What a webhook has sealed in the store. */
export interface OpenedWebhook {
  secrets: WebhookSecrets
  /** Of its format. */
  options: unknown
}

export interface Posting {
  signal: AbortSignal
  traceparent: string | undefined
}

export async function attemptDelivery(
  deps: WebhookWorkerDeps,
  webhook: ClaimedWebhook,
  opened: OpenedWebhook,
  delivery: DueRow,
  sending: Posting,
): Promise<EventAttempt> {
  const bridge = deps.bridges?.[webhook.format]
  const { id: webhookId, url } = webhook
  if (bridge) return bridge(delivery, { id: webhookId, url, options: opened.options }, sending.signal)
  if (webhook.isBatched) return postBatch(deps, webhook, opened, [delivery], sending)
  const request = await requestOf(deps, webhook, opened, delivery)
  if (request === null) return notPosted(deps.clock())
  const id = eventId(delivery.account_id, delivery.position)
  const { secrets } = opened
  return deps.postEvent({ webhookId: webhook.id, secrets, id, event: delivery.name, ...request, ...sending })
}

/** One request for all of them, in the form of a batch, also if there is only one. */
export function postBatch(
  { postEvent }: WebhookWorkerDeps,
  { id: webhookId, url }: ClaimedWebhook,
  { secrets }: OpenedWebhook,
  deliveries: readonly DueRow[],
  sending: Posting,
): Promise<EventAttempt> {
  const events = deliveries.map(toEventBody)
  const id = batchId(events.map((event) => event.id))
  const body = JSON.stringify(toBatchBody(id, events))
  return postEvent({ webhookId, url, secrets, id, event: BATCH_EVENT, body, ...sending })
}

/** Receivers may drop an id that they know, so that only a request with the same events has the same. */
const batchId = (eventIds: string[]): string =>
  `batch_${createHash('sha256').update(eventIds.join()).digest('hex').slice(0, 32)}`

type Request = Pick<EventToPost, 'url' | 'body' | 'headers' | 'secretHeaders'>

/** Null: nothing is posted. */
async function requestOf(
  { formats = {} }: WebhookWorkerDeps,
  { url, format }: ClaimedWebhook,
  opened: OpenedWebhook,
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

export function resultOf(
  { clock, random = Math.random }: WebhookWorkerDeps,
  { id, tries, early_retries: earlyRetries }: DueRow,
  attempt: EventAttempt,
): DeliveryResult {
  const { at, durationMs, status, headers, answer, error, isGone, isConfirmed } = attempt
  const outcome = deliveryOutcome(attempt, { tries: tries + 1, earlyRetries }, clock(), random)
  return {
    deliveryId: id,
    attempt: { at, durationMs, statusCode: status, headers: JSON.stringify(headers), answer, error },
    outcome,
    isGone,
    isConfirmed,
  }
}

/** For metrics and statistics. */
export const countedAttempt = (
  { webhook_id: webhookId, instance_id: instanceId, created_at: eventAt }: DueRow,
  result: DeliveryResult,
  at: number,
): CountedAttempt => ({
  webhookId,
  instanceId,
  eventAt,
  at,
  durationMs: result.attempt.durationMs,
  status: result.attempt.statusCode,
  outcome: result.outcome.kind,
  isPosted: verdictOf(result).isPosted,
})

/** Caches what was opened by the sealed bytes: opening reads a key from the store. */
export function createSecretSource({ store, vault, clock }: WebhookWorkerDeps) {
  const cached = createBoundedMap<EntryName<'webhook'>, { seals: string; opened: OpenedWebhook }>(
    SECRETS_KEPT,
  )
  return async (webhook: ClaimedWebhook): Promise<OpenedWebhook> => {
    const { id, sealedSecret, previousSealedSecret, previousUntil, sealedOptions } = webhook
    const isOverlap = previousUntil !== null && previousUntil > clock()
    const seals = [sealedSecret, isOverlap ? (previousSealedSecret ?? '') : '', sealedOptions ?? '']
      .map((seal) => Buffer.from(seal).toString('base64'))
      .join()
    const name = entryName('webhook', id)
    const known = cached.get(name)
    if (known?.seals === seals) return known.opened
    const owner = { ...webhook, webhookId: id }
    const secrets = await openSecrets(vault, store.db, owner, clock())
    const opened = { secrets, options: await openOptions(vault, store.db, owner, sealedOptions) }
    cached.set(name, { seals, opened })
    return opened
  }
}
