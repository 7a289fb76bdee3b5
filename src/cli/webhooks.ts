// `webhooks`: where the account's events are delivered.
import type { z } from 'zod'
import { DELIVERY_STATUSES } from '../contract/deliveries.ts'
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../contract/webhooks.ts'
import { command, given, SERVER_OPTIONS, UsageError, wholeNumber } from './command.ts'
import { record, table } from './print.ts'

const fieldsOf = (webhook: z.output<typeof Webhook>) => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  enabled: webhook.enabled,
  instance: webhook.instance?.apiInstanceName ?? 'all',
  secret: webhook.secret,
  failingSince: webhook.failingSince,
  disabledReason: webhook.disabledReason,
})

function requireEvent(text: string): WebhookEvent {
  const event = WEBHOOK_EVENTS.find((known) => known === text)
  if (event === undefined) throw new UsageError(`--event: expected one of ${WEBHOOK_EVENTS.join(', ')}`)
  return event
}

function requireStatus(text: string): (typeof DELIVERY_STATUSES)[number] {
  const status = DELIVERY_STATUSES.find((known) => known === text)
  if (status === undefined) throw new UsageError(`--status: expected one of ${DELIVERY_STATUSES.join(', ')}`)
  return status
}

function enabledOf(values: {
  enable?: boolean | undefined
  disable?: boolean | undefined
}): boolean | undefined {
  if (values.enable === true && values.disable === true)
    throw new UsageError('--enable or --disable, not both')
  return values.enable === true ? true : values.disable === true ? false : undefined
}

export const webhookCommands = [
  command({
    name: 'webhooks list',
    summary: 'List webhooks, secrets masked',
    parameters: [],
    options: {
      ...SERVER_OPTIONS,
      instance: { type: 'string', value: 'API_NAME', help: 'Only those of this instance' },
    },
    async run(context, { instance }) {
      const answer = await (await context.account()).listWebhooks({
        query: given({ instanceName: instance }),
      })
      const columns = ['id', 'name', 'url', 'events', 'enabled', 'instance', 'secret', 'failing', 'disabled']
      return {
        json: answer,
        text: table(
          columns,
          answer.webhooks.map((row) => Object.values(fieldsOf(row))),
        ),
      }
    },
  }),
  command({
    name: 'webhooks save',
    summary: 'Create a webhook, or change one with --id, and show its secret',
    description: 'On a change, what is not named stays.',
    parameters: ['[HTTPS_URL]'],
    options: {
      ...SERVER_OPTIONS,
      id: { type: 'string', value: 'ID', help: 'Change this webhook' },
      name: { type: 'string', value: 'NAME', help: 'Default: the host of the URL' },
      event: {
        type: 'string',
        value: 'EVENT',
        multiple: true,
        help: `One of ${WEBHOOK_EVENTS.join(', ')}; default: *`,
      },
      instance: { type: 'string', value: 'API_NAME', help: 'Only events of this instance; default: all' },
      enable: { type: 'boolean', help: 'Deliver' },
      disable: { type: 'boolean', help: 'Do not deliver' },
      'secret-file': {
        type: 'string',
        value: 'FILE',
        help: 'Your own signing secret; - reads standard input',
      },
    },
    async run(context, values, [url]) {
      const secret =
        values['secret-file'] === undefined ? undefined : await context.read(values['secret-file'])
      const body = given({
        id: values.id === undefined ? undefined : wholeNumber('id', values.id),
        url,
        name: values.name,
        events: values.event?.map(requireEvent),
        instanceName: values.instance,
        enabled: enabledOf(values),
        secret: secret?.replace(/\r?\n$/, ''),
      })
      if (body.id === undefined && body.url === undefined)
        throw new UsageError('HTTPS_URL or --id is missing')
      const answer = await (await context.account()).saveWebhook({ body })
      return { json: answer, text: record(fieldsOf(answer.webhook)) }
    },
  }),
  command({
    name: 'webhooks show',
    summary: 'Show a webhook, its secret masked',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const answer = await (await context.account()).getWebhook({ params: { id } })
      return { json: answer, text: record(fieldsOf(answer.webhook)) }
    },
  }),
  command({
    name: 'webhooks delete',
    summary: 'Delete a webhook',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const answer = await (await context.account()).deleteWebhook({ params: { id } })
      return { json: answer, text: `Webhook ${answer.id} is deleted.` }
    },
  }),
  command({
    name: 'webhooks test',
    summary: 'Send a signed test event now, and show what the receiver answers',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const answer = await (await context.account()).testWebhook({ params: { id } })
      const { delivered, attempt } = answer
      return { json: answer, text: record({ delivered, ...attempt }) }
    },
  }),
  command({
    name: 'webhooks rotate-secret',
    summary: 'Replace the secret of a webhook, and show the new one',
    parameters: ['ID'],
    options: {
      ...SERVER_OPTIONS,
      'overlap-hours': {
        type: 'string',
        value: 'HOURS',
        help: 'How long the old one signs too; default: 24',
      },
    },
    async run(context, values, [id]) {
      const hours = values['overlap-hours']
      const body = hours === undefined ? undefined : { overlapHours: wholeNumber('overlap-hours', hours) }
      const answer = await (await context.account()).rotateWebhookSecret({ params: { id }, body })
      return { json: answer, text: record(fieldsOf(answer.webhook)) }
    },
  }),
  command({
    name: 'webhooks deliveries',
    summary: 'List the deliveries of a webhook, newest event first',
    parameters: ['ID'],
    options: {
      ...SERVER_OPTIONS,
      status: { type: 'string', value: 'STATUS', help: `One of ${DELIVERY_STATUSES.join(', ')}` },
      page: { type: 'string', value: 'PAGE', help: 'Default: 1' },
      limit: { type: 'string', value: 'COUNT', help: 'Items per page, 1 to 100; default: 50' },
    },
    async run(context, { status, page, limit }, [id]) {
      const query = given({ status: status === undefined ? undefined : requireStatus(status), page, limit })
      const answer = await (await context.account()).listDeliveries({ params: { id }, query })
      const rows = answer.deliveries.map((each) => {
        const last = each.attempts.at(-1)
        return [each.id, each.event, each.eventId, each.status, each.tries, last?.status, last?.error]
      })
      return {
        json: answer,
        text: table(['id', 'event', 'eventId', 'status', 'tries', 'lastStatus', 'lastError'], rows),
      }
    },
  }),
  command({
    name: 'webhooks replay',
    summary: 'Send a delivery again, or with --since every event since then',
    parameters: ['ID', '[DELIVERY_ID]'],
    options: {
      ...SERVER_OPTIONS,
      since: { type: 'string', value: 'TIME', help: 'ISO 8601, such as 2026-01-31T12:00:00Z' },
    },
    async run(context, { since }, [id, deliveryId]) {
      const account = await context.account()
      if (since !== undefined && deliveryId === undefined) {
        const answer = await account.replayWebhook({ params: { id }, body: { since } })
        return { json: answer, text: `${answer.queued} events are queued again.` }
      }
      if (since !== undefined || deliveryId === undefined)
        throw new UsageError('DELIVERY_ID or --since, one of them')
      const answer = await account.replayDelivery({ params: { id, deliveryId } })
      return { json: answer, text: `Delivery ${answer.delivery.id} is queued again.` }
    },
  }),
]
