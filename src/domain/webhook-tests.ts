// Test deliveries: one event posted to a webhook at once, to show its owner the request and the response.
import { TEST_EVENT } from '../contract/deliveries.ts'
import { BATCH_EVENT } from '../contract/event-batch.ts'
import { GatewayError } from '../errors.ts'
import { toBatchBody } from '../rules/event-body.ts'
import { iso } from '../rules/time.ts'
import type { WebhookRow } from '../store/queries/webhooks.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { openSecrets } from './webhook-secrets.ts'
import { requireWebhook } from './webhooks.ts'

type TestDeps = Pick<Deps, 'store' | 'vault' | 'clock' | 'postEvent'>

export interface WebhookTests {
  /** One test per webhook at a time, so that it cannot be used to flood a receiver. */
  run(caller: Caller, webhookId: number): ReturnType<typeof postTestEvent>
}

export function createWebhookTests(deps: TestDeps): WebhookTests {
  const gate = createTestGate()
  return {
    async run(caller, webhookId) {
      const webhook = await requireWebhook(deps.store.db, caller, webhookId)
      return gate(webhookId, () => postTestEvent(deps, webhook))
    },
  }
}

/** Refuses a test while another one of the same receiver is in progress on this node. */
export function createTestGate() {
  const running = new Set<number>()
  return async <T>(id: number, test: () => Promise<T>): Promise<T> => {
    if (running.has(id)) throw new GatewayError('rate_limited', {}, { retryAfterSeconds: 1 })
    running.add(id)
    try {
      return await test()
    } finally {
      running.delete(id)
    }
  }
}

/** Signed and posted like every delivery, but not written to the event log. */
async function postTestEvent(deps: TestDeps, webhook: WebhookRow) {
  const now = deps.clock()
  const { id: webhookId, account_id: accountId, url, name } = webhook
  const seals = {
    sealedSecret: webhook.sealed_secret,
    previousSealedSecret: webhook.previous_sealed_secret,
    previousUntil: webhook.previous_until,
  }
  const secrets = await openSecrets(deps.vault, deps.store.db, { accountId, webhookId, ...seals }, now)
  const id = `test_${webhookId}_${now}`
  const data = { webhookId, name }
  const event = { id, event: TEST_EVENT, timestamp: iso(now), sequence: 0, instance: null, data }
  const isBatched = webhook.batch === 1
  const body = JSON.stringify(isBatched ? toBatchBody(id, [event]) : event)
  const posted = { url, webhookId, secrets, id, event: isBatched ? BATCH_EVENT : TEST_EVENT, body }
  const attempt = await deps.postEvent(posted)
  const { at, durationMs, status, answer, error, headers } = attempt
  return {
    delivered: error === null,
    attempt: { at: iso(at), durationMs, status, answer, error },
    request: { headers, body },
  }
}
