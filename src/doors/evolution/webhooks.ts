// The webhook of an instance in the dialect: one webhook of this API, whose format is `evolution`.
import { z } from 'zod'
import type { Webhook } from '../../contract/webhooks.ts'
import { MASK } from '../../webhooks/rules.ts'
import {
  listWebhooks,
  type MakeOptions,
  saveWebhook,
  type WebhookFields,
  webhookOptions,
} from '../../webhooks/webhooks.ts'
import { type CallContext, call, looseFlag, optionalText, text } from './call.ts'
import { eventsOf, SUBSCRIPTION_NAMES } from './event-names.ts'
import { checkedEvents, checkedHeaders, type WebhookOptions } from './webhook-options.ts'

const FORMAT = 'evolution'

export const webhookFields = z.object({
  enabled: looseFlag,
  url: optionalText,
  headers: z.record(text, z.unknown()).nullish(),
  byEvents: looseFlag.nullish(),
  base64: looseFlag.nullish(),
  events: z.array(text).nullish(),
})
type Given = z.output<typeof webhookFields>
type Saved = z.output<typeof Webhook>

/** Undefined: the instance has none. */
async function findOwn({ parts, caller, instanceName }: CallContext): Promise<Saved | undefined> {
  const found = await listWebhooks(parts, caller, instanceName)
  return found.find(({ format }) => format === FORMAT)
}

const NO_OPTIONS: WebhookOptions = { byEvents: false, base64: false, headers: {}, events: null }

async function optionsOf(
  { parts, caller }: CallContext,
  webhook: Saved | undefined,
): Promise<WebhookOptions> {
  return webhook ? ((await webhookOptions(parts, caller, webhook.id)) as WebhookOptions) : NO_OPTIONS
}

/** From a row of the table `Webhook`, for an import. An event that this dialect does not know never comes. */
export function evolutionWebhook(row: Record<string, unknown>): Omit<WebhookFields, 'instanceName'> {
  const isOn = (value: unknown): boolean => value === true || value === 1
  const names = Array.isArray(row.events) ? row.events.map(String) : []
  const known = names.filter((name) => (SUBSCRIPTION_NAMES as string[]).includes(name))
  const headers = typeof row.headers === 'object' && row.headers !== null ? row.headers : {}
  const options: WebhookOptions = {
    byEvents: isOn(row.webhookByEvents),
    base64: isOn(row.webhookBase64),
    headers: checkedHeaders(headers as Record<string, unknown>, {}),
    events: checkedEvents(known),
  }
  return {
    url: String(row.url),
    name: 'Evolution',
    enabled: row.enabled === null || isOn(row.enabled),
    events: eventsOf(options.events ?? SUBSCRIPTION_NAMES),
    format: { name: FORMAT, options },
  }
}

/** Null: the webhook is off, and there was none. */
export async function storeWebhook(context: CallContext, given: Given) {
  const { parts, caller, instanceName } = context
  const before = await findOwn(context)
  const events = checkedEvents(given.events ?? [])
  let options: WebhookOptions = { ...NO_OPTIONS, events }
  const makeOptions: MakeOptions = (stored, isMoved) => {
    const earlier = (stored as WebhookOptions | undefined)?.headers ?? {}
    const headers = given.headers ? checkedHeaders(given.headers, isMoved ? null : earlier) : {}
    options = { byEvents: given.byEvents ?? false, base64: given.base64 ?? false, headers, events }
    return options
  }
  if (!given.enabled && !before) return null
  const saved = await saveWebhook(parts, caller, before?.id, {
    ...(given.url ? { url: given.url } : before ? {} : { url: '' }),
    instanceName,
    name: `Evolution: ${context.instance.name}`.slice(0, 128),
    enabled: given.enabled,
    events: eventsOf(events ?? SUBSCRIPTION_NAMES),
    format: { name: FORMAT, options: makeOptions },
  })
  // Deliveries that were queued while the webhook was disabled are due now.
  parts.wakeDeliveries()
  return shownWebhook(context, saved, options)
}

/** Values of headers are secrets of the client: they are not shown again. */
const shownWebhook = ({ instance }: CallContext, saved: Saved, options: WebhookOptions) => ({
  id: String(saved.id),
  url: saved.url,
  enabled: saved.enabled,
  headers: Object.fromEntries(Object.keys(options.headers).map((name) => [name, MASK])),
  events: options.events ?? SUBSCRIPTION_NAMES,
  webhookByEvents: options.byEvents,
  webhookBase64: options.base64,
  instanceId: String(instance.id),
  createdAt: saved.createdAt,
  updatedAt: saved.updatedAt,
})

const FIELDS = { url: 'webhook.url' }

export const setWebhook = call({
  admission: 'saveWebhook',
  status: 201,
  body: z.object({ webhook: webhookFields }),
  fields: FIELDS,
  handle: (context, { body }) => storeWebhook(context, body.webhook),
})

export const findWebhook = call({
  admission: 'listWebhooks',
  status: 200,
  async handle(context) {
    const found = await findOwn(context)
    return found ? shownWebhook(context, found, await optionsOf(context, found)) : null
  },
})
