// Webhooks and their deliveries (spec 4.5).
import * as deliveries from '../../domain/deliveries.ts'
import type { Deps } from '../../domain/deps.ts'
import * as webhooks from '../../domain/webhooks.ts'
import type { Handlers } from '../handler.ts'

export const webhookHandlers = (
  deps: Deps,
): Handlers<'saveWebhook' | 'listWebhooks' | 'getWebhook' | 'deleteWebhook' | 'rotateWebhookSecret'> => ({
  async saveWebhook({ caller }, { body: { id, ...fields } }) {
    const webhook = await webhooks.saveWebhook(deps, caller, id, fields)
    // What waited while it was disabled may go.
    deps.wakeDeliveries()
    return { success: true, webhook }
  },
  async listWebhooks({ caller }, { query }) {
    const list = await webhooks.listWebhooks(deps, caller, query.instanceName)
    return { success: true, count: list.length, webhooks: list }
  },
  async getWebhook({ caller }, { params }) {
    return { success: true, webhook: await webhooks.getWebhook(deps, caller, params.id) }
  },
  async deleteWebhook({ caller }, { params }) {
    await webhooks.deleteWebhook(deps, caller, params.id)
    return { success: true, id: params.id }
  },
  async rotateWebhookSecret({ caller }, { params, body }) {
    const webhook = await webhooks.rotateSecret(deps, caller, params.id, body.overlapHours)
    return { success: true, webhook }
  },
})

export function deliveryHandlers(
  deps: Deps,
): Handlers<'testWebhook' | 'listDeliveries' | 'getDelivery' | 'replayDelivery' | 'replayWebhook'> {
  const runningTests: deliveries.RunningTests = new Set()
  return {
    async testWebhook({ caller }, { params }) {
      return { success: true, ...(await deliveries.testWebhook(deps, runningTests, caller, params.id)) }
    },
    async listDeliveries({ caller }, { params, query }) {
      const { deliveries: list, hasMore } = await deliveries.listDeliveries(deps, caller, params.id, query)
      const { page, limit } = query
      return { success: true, count: list.length, page, limit, hasMore, deliveries: list }
    },
    async getDelivery({ caller }, { params: { id, deliveryId } }) {
      return { success: true, delivery: await deliveries.getDelivery(deps, caller, id, deliveryId) }
    },
    async replayDelivery({ caller }, { params: { id, deliveryId } }) {
      return { success: true, delivery: await deliveries.replayDelivery(deps, caller, id, deliveryId) }
    },
    async replayWebhook({ caller }, { params, body }) {
      return { success: true, ...(await deliveries.replayWebhook(deps, caller, params.id, body.since)) }
    },
  }
}
