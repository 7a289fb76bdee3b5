// The webhook service: a worker that posts events to receivers through the outbound client, woken by every commit of events.
import type { Logger } from 'pino'
import type { PostEvent } from '../context.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import type { Metrics } from '../metrics.ts'
import type { CountLog } from '../statistics/count-log.ts'
import { attemptOccurrences } from '../statistics/rules-counted.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { Tracer } from '../tracer.ts'
import type { DeliveryBridges, DeliveryFormats } from '../webhooks/delivery-format.ts'
import { createPostEvent } from '../webhooks/post-event.ts'
import { startWebhookWorker, type WebhookWorker } from '../webhooks/worker.ts'

export interface WebhookService {
  postEvent: PostEvent
  wakeDeliveries(): void
  /** A node stopped responding: what it had locked is free. */
  freeLocks(): void
  /** `formats` are forms of deliveries beside that of this API, `bridges` those that are calls of their own. */
  start(formats: DeliveryFormats, bridges: DeliveryBridges): void
  stop(): Promise<void>
}

export interface WebhookServiceDeps {
  store: Store
  vault: Vault
  clock: () => number
  forSignatures: () => number
  logger: Logger
  outbound: Outbound
  metrics: Metrics
  counts: Pick<CountLog, 'count'>
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
  nodeId?: number | undefined
}

export function createWebhookService(parts: WebhookServiceDeps): WebhookService {
  const { store, vault, clock, logger, trace, nodeId, outbound, metrics, counts } = parts
  const postEvent = createPostEvent(outbound.post, clock, parts.forSignatures)
  let worker: WebhookWorker | undefined
  const wake = () => worker?.wake()
  const unsubscribe = store.onEvents(({ areDeliveriesDue }) => {
    if (areDeliveriesDue) wake()
  })
  return {
    postEvent,
    wakeDeliveries: wake,
    freeLocks: () => worker?.freeLocks(),
    start(formats, bridges) {
      worker ??= startWebhookWorker({
        store,
        vault,
        clock,
        logger,
        trace,
        nodeId,
        postEvent,
        formats,
        bridges,
        observe(attempt) {
          metrics.observeDelivery(attempt.outcome, attempt.durationMs / 1000)
          for (const occurrence of attemptOccurrences(attempt)) counts.count(occurrence)
        },
      })
    },
    async stop() {
      unsubscribe()
      await worker?.stop()
    },
  }
}
