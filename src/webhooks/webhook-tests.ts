// Test deliveries: one event posted to a webhook at once, to show its owner the request and the response.
import type { Caller } from '../accounts/caller.ts'
import { payloadOf, withPersonIds } from '../chats/rules.ts'
import type { Deps, EventAttempt, PostEvent } from '../context.ts'
import { TEST_EVENT } from '../contract/deliveries.ts'
import { BATCH_EVENT } from '../contract/event-batch.ts'
import { GatewayError } from '../errors.ts'
import { messageUpdate } from '../events/append-store.ts'
import { toBatchBody } from '../events/rules.ts'
import { connectionUpdate, outgoingUpsert } from '../events/rules-payloads.ts'
import { type EvolutionInstanceRow, findFirstInstance } from '../instances/named-queries.ts'
import { ownPerson } from '../instances/rules.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { iso } from '../kernel/time.ts'
import { personJid } from '../network/jid.ts'
import type { BridgeTests, DeliveryFormats, EventToFormat, FormattedEvent } from './delivery-format.ts'
import { openOptions, openSecrets } from './secrets.ts'
import type { WebhookRow } from './webhook-queries.ts'
import { requireWebhook } from './webhooks.ts'

interface TestDeps extends Pick<Deps, 'store' | 'vault' | 'clock' | 'postEvent'> {
  formats: DeliveryFormats
  bridgeTests: BridgeTests
}

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
  const running = new Set<EntryName<'webhook'>>()
  return async <T>(id: number, test: () => Promise<T>): Promise<T> => {
    const name = entryName('webhook', id)
    if (running.has(name)) throw new GatewayError('rate_limited', {}, { retryAfterSeconds: 1 })
    running.add(name)
    try {
      return await test()
    } finally {
      running.delete(name)
    }
  }
}

/** Sent like every delivery, in the form of the webhook, but not written to the event log. */
async function postTestEvent(deps: TestDeps, webhook: WebhookRow) {
  const { id: webhookId, account_id: accountId, url, format } = webhook
  const { vault, store } = deps
  const now = deps.clock()
  const seals = {
    sealedSecret: webhook.sealed_secret,
    previousSealedSecret: webhook.previous_sealed_secret,
    previousUntil: webhook.previous_until,
  }
  const owner = { accountId, webhookId }
  const secrets = await openSecrets(vault, store.db, { ...owner, ...seals }, now)
  const options = await openOptions(vault, store.db, owner, webhook.sealed_options)
  const bridge = deps.bridgeTests[format]
  if (bridge) return shownTest(await bridge({ url, options }), '')
  const id = `test_${webhookId}_${now}`
  const toFormat = deps.formats[format]
  const request = toFormat
    ? await sampleRequest(deps, webhook, id, (event) => toFormat(event, { url, options, secrets }))
    : ownRequest(webhook, id, now)
  if (typeof request === 'string') return shownTest(notPosted(now, request), '')
  return shownTest(await deps.postEvent({ webhookId, secrets, id, ...request }), request.body)
}

type TestRequest = Omit<Parameters<PostEvent>[0], 'webhookId' | 'secrets' | 'id'>

function ownRequest({ id: webhookId, name, url, batch }: WebhookRow, id: string, now: number): TestRequest {
  const data = { webhookId, name }
  const event = { id, event: TEST_EVENT, timestamp: iso(now), sequence: 0, instance: null, data }
  return batch === 1
    ? { url, event: BATCH_EVENT, body: JSON.stringify(toBatchBody(id, [event])) }
    : { url, event: TEST_EVENT, body: JSON.stringify(event) }
}

/** A sentence: why nothing can be posted. */
async function sampleRequest(
  { store, clock }: TestDeps,
  { account_id: accountId, instance_id: instanceId }: WebhookRow,
  id: string,
  toFormat: (event: EventToFormat) => Promise<FormattedEvent | null>,
): Promise<TestRequest | string> {
  const instance = await findFirstInstance(store.db, accountId, instanceId)
  if (!instance) return 'Not posted: an event in this form needs an instance, and the account has none.'
  for (const event of testEvents(instance, id, clock())) {
    const request = await toFormat(event)
    if (request) return { ...request, event: TEST_EVENT }
  }
  return 'Not posted: the webhook subscribes to no event that a test can have.'
}

const notPosted = (at: number, error: string) => ({
  at,
  durationMs: 0,
  status: null,
  answer: null,
  error,
  headers: {},
})

/** What the caller sees of the attempt. */
const shownTest = (
  { at, durationMs, status, answer, error, headers }: ReturnType<typeof notPosted> | EventAttempt,
  body: string,
) => ({
  delivered: error === null,
  attempt: { at: iso(at), durationMs, status, answer, error },
  request: { headers, body },
})

// Events with which a webhook in the form of another API is tested. They are about a message that the account has sent to itself, and
// about the state of the connection: a bot answers neither of them.

/** The number of the network itself, for an instance that is not linked. */
const NO_NUMBER = '0'

/** The first one that the form has, and the webhook subscribes to, is posted. */
function testEvents(
  { row: instance, name: evolutionName }: EvolutionInstanceRow,
  messageId: string,
  now: number,
): EventToFormat[] {
  const { id: instanceId } = instance
  const chat = personJid(instance.number ?? NO_NUMBER)
  const status = 'sent'
  const sent = outgoingUpsert({
    messageId,
    chat,
    kind: 'text',
    content: { message: 'Test' },
    quoted: null,
    status,
    createdAt: now,
    sendAt: null,
  })
  const events = [
    messageUpdate({ instanceId, messageId, chat, status, failure: null, at: now }),
    {
      name: 'messages.upsert',
      ...payloadOf(chat, { ...sent, from: withPersonIds(ownPerson(instance)) }),
    },
    connectionUpdate(instance, now),
  ]
  return events.map(({ name, data }) => ({
    account_id: instance.account_id,
    position: 0,
    sequence: 0,
    name,
    data,
    created_at: now,
    instance_id: instanceId,
    display_name: instance.display_name,
    api_name: instance.api_name,
    own_number: instance.number,
    evolution_name: evolutionName,
    direction: 'outgoing',
  }))
}
