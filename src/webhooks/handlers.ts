// Webhooks, destinations, and their deliveries.
import type { Deps } from '../context.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Handlers } from '../request-handler.ts'
import * as deliveries from './deliveries.ts'
import type { DestinationTests } from './destination-tests.ts'
import * as destinations from './destinations.ts'
import type { WebhookTests } from './webhook-tests.ts'
import * as webhooks from './webhooks.ts'
import { deleteWebhook } from './webhooks.ts'

// Webhooks and their deliveries.

export interface WebhookDeps
  extends Pick<Deps, 'store' | 'vault' | 'clock' | 'checkUrl' | 'readReceiver' | 'wakeDeliveries'> {
  webhookTests: WebhookTests
}

export const webhookHandlers = (deps: WebhookDeps) =>
  ({
    async saveWebhook({ caller }, { body: { id, ...fields } }) {
      const webhook = await webhooks.saveChosenWebhook(deps, caller, id, fields)
      // Deliveries that were queued while the webhook was disabled are due now.
      deps.wakeDeliveries()
      return { webhook }
    },
    async listWebhooks({ caller }, { query }) {
      const list = await webhooks.listWebhooks(deps, caller, query.instanceName)
      return { count: list.length, webhooks: list }
    },
    async getWebhook({ caller }, { params }) {
      return { webhook: await webhooks.getWebhook(deps, caller, params.id) }
    },
    async deleteWebhook({ caller }, { params }) {
      await webhooks.deleteOwnWebhook(deps, caller, params.id)
      return { id: params.id }
    },
    async rotateWebhookSecret({ caller }, { params, body }) {
      return { webhook: await webhooks.rotateSecret(deps, caller, params.id, body.overlapHours) }
    },
    testWebhook: ({ caller }, { params }) => deps.webhookTests.run(caller, params.id),
  }) satisfies Partial<Handlers>

export const deliveryHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'wakeDeliveries'>) =>
  ({
    async listDeliveries({ caller }, { params, query }) {
      return pagedAnswer(
        'deliveries',
        query,
        await deliveries.listDeliveries(deps, caller, params.id, query, 'webhook'),
      )
    },
    async getDelivery({ caller }, { params: { id, deliveryId } }) {
      return { delivery: await deliveries.getDelivery(deps, caller, id, deliveryId, 'webhook') }
    },
    async replayDelivery({ caller }, { params: { id, deliveryId } }) {
      return { delivery: await deliveries.replayDelivery(deps, caller, id, deliveryId, 'webhook') }
    },
    replayWebhook: ({ caller }, { params, body }) =>
      deliveries.replayWebhook(deps, caller, params.id, body.since, 'webhook'),
  }) satisfies Partial<Handlers>

// Destinations and their deliveries.

export interface DestinationDeps
  extends Pick<Deps, 'store' | 'vault' | 'clock' | 'checkUrl' | 'wakeDeliveries'> {
  destinationTests: DestinationTests
  /** Closes the connections of destinations that were deleted or disabled. */
  reviewConnections: () => Promise<void>
}

const KIND = 'destination'

export const destinationHandlers = (deps: DestinationDeps) =>
  ({
    async saveDestination({ caller }, { body: { id, ...fields } }) {
      const destination = await destinations.saveDestination(deps, caller, id, fields)
      // Deliveries that were queued while the destination was disabled are due now.
      deps.wakeDeliveries()
      if (!destination.enabled) void deps.reviewConnections().catch(() => undefined)
      return { destination }
    },
    async listDestinations({ caller }, { query }) {
      const list = await destinations.listDestinations(deps, caller, query.instanceName)
      return { count: list.length, destinations: list }
    },
    async getDestination({ caller }, { params }) {
      return { destination: await destinations.getDestination(deps, caller, params.id) }
    },
    async deleteDestination({ caller }, { params }) {
      await deleteWebhook(deps, caller, params.id, KIND)
      // Reviewed again later, also if the store does not answer now.
      void deps.reviewConnections().catch(() => undefined)
      return { id: params.id }
    },
    testDestination: ({ caller }, { params }) => deps.destinationTests.run(caller, params.id),
  }) satisfies Partial<Handlers>

export const destinationDeliveryHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'wakeDeliveries'>) =>
  ({
    async listDestinationDeliveries({ caller }, { params, query }) {
      const found = await deliveries.listDeliveries(deps, caller, params.id, query, KIND)
      return pagedAnswer('deliveries', query, found)
    },
    async getDestinationDelivery({ caller }, { params: { id, deliveryId } }) {
      return { delivery: await deliveries.getDelivery(deps, caller, id, deliveryId, KIND) }
    },
    async replayDestinationDelivery({ caller }, { params: { id, deliveryId } }) {
      return { delivery: await deliveries.replayDelivery(deps, caller, id, deliveryId, KIND) }
    },
    replayDestination: ({ caller }, { params, body }) =>
      deliveries.replayWebhook(deps, caller, params.id, body.since, KIND),
  }) satisfies Partial<Handlers>
