// Webhooks and their deliveries.

import type { Deps } from '../context.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Handlers } from '../request-handler.ts'
import * as deliveries from './deliveries.ts'
import type { WebhookTests } from './webhook-tests.ts'
import * as webhooks from './webhooks.ts'

export interface WebhookDeps
  extends Pick<Deps, 'store' | 'vault' | 'clock' | 'checkUrl' | 'readReceiver' | 'wakeDeliveries'> {
  webhookTests: WebhookTests
}

export const webhookHandlers = (
  deps: WebhookDeps,
): Handlers<
  'saveWebhook' | 'listWebhooks' | 'getWebhook' | 'deleteWebhook' | 'rotateWebhookSecret' | 'testWebhook'
> => ({
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
})

export const deliveryHandlers = (
  deps: Pick<Deps, 'store' | 'clock' | 'wakeDeliveries'>,
): Handlers<'listDeliveries' | 'getDelivery' | 'replayDelivery' | 'replayWebhook'> => ({
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
})
