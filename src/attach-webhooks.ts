// Builds what carries events to receivers: the worker, told of every event that is committed, on the guarded client.
import type { Logger } from 'pino'
import { createPostEvent } from './delivery/post-event.ts'
import { startWebhookWorker } from './delivery/webhook-worker.ts'
import type { PostEvent } from './domain/deps.ts'
import type { Metrics } from './metrics.ts'
import type { Outbound } from './outbound/client.ts'
import type { Store } from './store/store.ts'
import type { Vault } from './store/vault.ts'

export interface AttachedWebhooks {
  postEvent: PostEvent
  wakeDeliveries(): void
  stop(): Promise<void>
}

export interface WebhookParts {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  outbound: Outbound
  metrics: Metrics
}

export function attachWebhooks({ outbound, metrics, ...parts }: WebhookParts): AttachedWebhooks {
  const postEvent = createPostEvent(outbound.post, parts.clock)
  const worker = startWebhookWorker({ ...parts, postEvent, observe: metrics.observeDelivery })
  const endListening = parts.store.onEvents(worker.wake)
  return {
    postEvent,
    wakeDeliveries: worker.wake,
    async stop() {
      endListening()
      await worker.stop()
    },
  }
}
