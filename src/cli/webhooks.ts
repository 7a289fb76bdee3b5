// `webhooks`: the receivers of your events, and their deliveries.
import type { z } from 'zod'
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from '../contract/deliveries.ts'
import { DIRECTIONS } from '../contract/messages.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { WEBHOOK_CHATS } from '../contract/webhook-filter.ts'
import { CHOSEN_FORMATS, WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../contract/webhooks.ts'
import { command, parseWholeNumber, SERVER_OPTIONS } from './command.ts'
import { record, table } from './print.ts'
import { UsageError } from './usage-error.ts'

export const shownFilter = ({ chats, from, directions }: z.output<typeof Webhook>['filter']): string =>
  [chats, ...(from ?? []), ...(directions.length === 1 ? directions : [])].join(' ')

const fieldsOf = (webhook: z.output<typeof Webhook>) => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  filter: shownFilter(webhook.filter),
  history: webhook.history,
  batch: webhook.batch,
  format: webhook.format,
  enabled: webhook.enabled,
  instance: webhook.instance?.apiInstanceName ?? 'all',
  secret: webhook.secret,
  failingSince: webhook.failingSince,
  disabledReason: webhook.disabledReason,
})

export function requireEvent(text: string): WebhookEvent {
  const event = WEBHOOK_EVENTS.find((known) => known === text)
  if (event === undefined) throw new UsageError(`--event: expected one of ${WEBHOOK_EVENTS.join(', ')}`)
  return event
}

export function requireStatus(text: string): DeliveryStatus {
  const status = DELIVERY_STATUSES.find((known) => known === text)
  if (status === undefined) throw new UsageError(`--status: expected one of ${DELIVERY_STATUSES.join(', ')}`)
  return status
}

/** The given options form the whole filter, as in the API. */
export function filterOf(values: {
  chats?: string | undefined
  from?: string[] | undefined
  direction?: string[] | undefined
  'no-filter'?: boolean | undefined
}) {
  const { chats, from, direction } = values
  const given = omitUndefined({
    chats: chats === undefined ? undefined : oneOf('chats', WEBHOOK_CHATS, chats),
    from,
    directions: direction?.map((text) => oneOf('direction', DIRECTIONS, text)),
  })
  const isGiven = Object.keys(given).length > 0
  if (values['no-filter'] !== true) return isGiven ? given : undefined
  if (isGiven) throw new UsageError('--no-filter cannot be used together with --chats, --from or --direction')
  return null
}

export function oneOf<T extends string>(name: string, known: readonly T[], text: string): T {
  const found = known.find((each) => each === text)
  if (found === undefined) throw new UsageError(`--${name}: expected one of ${known.join(', ')}`)
  return found
}

/** An option that turns something on, and one that turns it off; undefined: neither is given. */
export function switchOf<On extends string, Off extends string>(
  values: Partial<Record<On | Off, boolean | undefined>>,
  on: On,
  off: Off,
): boolean | undefined {
  if (values[on] === true && values[off] === true)
    throw new UsageError(`--${on} and --${off} cannot be used together`)
  return values[on] === true ? true : values[off] === true ? false : undefined
}

export function scopeOf(values: {
  instance?: string | undefined
  'all-instances'?: boolean | undefined
}): string | null | undefined {
  if (values['all-instances'] !== true) return values.instance
  if (values.instance !== undefined)
    throw new UsageError('--instance and --all-instances cannot be used together')
  return null
}

/** Which events a receiver gets. */
export const FILTER_OPTIONS = {
  event: {
    type: 'string',
    value: 'EVENT',
    multiple: true,
    help: `One of ${WEBHOOK_EVENTS.join(', ')}; default: *`,
  },
  instance: { type: 'string', value: 'API_NAME', help: 'Only events of this instance; default: all' },
  'all-instances': { type: 'boolean', help: 'With --id: deliver events of all instances' },
  chats: { type: 'string', value: 'KIND', help: 'Only chats of this kind: all, people or groups' },
  from: {
    type: 'string',
    value: 'NUMBER',
    multiple: true,
    help: 'Only events that this number has caused',
  },
  direction: {
    type: 'string',
    value: 'DIRECTION',
    multiple: true,
    help: 'Only incoming or outgoing messages',
  },
  'no-filter': { type: 'boolean', help: 'With --id: remove the filter' },
  history: { type: 'boolean', help: 'Deliver messages from the history' },
  'no-history': { type: 'boolean', help: 'With --id: deliver no messages from the history' },
} as const

export const deliveryTable = (deliveries: readonly z.output<typeof Delivery>[]): string =>
  table(
    ['id', 'event', 'eventId', 'status', 'tries', 'lastStatus', 'lastError'],
    deliveries.map((each) => {
      const last = each.attempts.at(-1)
      return [each.id, each.event, each.eventId, each.status, each.tries, last?.status, last?.error]
    }),
  )

export const webhookCommands = [
  command({
    name: 'webhooks list',
    summary: 'List webhooks with masked secrets',
    parameters: [],
    options: {
      ...SERVER_OPTIONS,
      instance: { type: 'string', value: 'API_NAME', help: 'Only webhooks of this instance' },
    },
    async run(context, { instance }) {
      const answer = await (await context.account()).listWebhooks({
        query: omitUndefined({ instanceName: instance }),
      })
      const columns = [
        'id',
        'name',
        'url',
        'events',
        'filter',
        'history',
        'batch',
        'format',
        'enabled',
        'instance',
        'secret',
        'failing',
        'disabled',
      ]
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
    summary: 'Create a webhook, or update one with --id, and show its secret',
    description: 'On update, omitted options stay unchanged.',
    parameters: ['[HTTPS_URL]'],
    options: {
      ...SERVER_OPTIONS,
      id: { type: 'string', value: 'ID', help: 'Update this webhook' },
      name: { type: 'string', value: 'NAME', help: 'Default: the host of the URL' },
      ...FILTER_OPTIONS,
      enable: { type: 'boolean', help: 'Enable the webhook' },
      disable: { type: 'boolean', help: 'Disable the webhook' },
      batch: { type: 'boolean', help: 'Post several events in one request' },
      'no-batch': { type: 'boolean', help: 'With --id: post each event alone' },
      format: {
        type: 'string',
        value: 'FORMAT',
        help: `The form of its deliveries: ${CHOSEN_FORMATS.join(' or ')}`,
      },
      'verify-token-file': {
        type: 'string',
        value: 'FILE',
        help: 'With --format cloud: file with the verify token of the receiver; - reads standard input',
      },
      'secret-file': {
        type: 'string',
        value: 'FILE',
        help: 'File with your own signing secret; - reads standard input',
      },
    },
    async run(context, values, [url]) {
      const { format } = values
      const lineOf = async (file: string | undefined) =>
        file === undefined ? undefined : (await context.read(file)).replace(/\r?\n$/, '')
      const body = omitUndefined({
        id: values.id === undefined ? undefined : parseWholeNumber('id', values.id),
        url,
        name: values.name,
        events: values.event?.map(requireEvent),
        instanceName: scopeOf(values),
        filter: filterOf(values),
        history: switchOf(values, 'history', 'no-history'),
        batch: switchOf(values, 'batch', 'no-batch'),
        enabled: switchOf(values, 'enable', 'disable'),
        format: format === undefined ? undefined : oneOf('format', CHOSEN_FORMATS, format),
        verifyToken: await lineOf(values['verify-token-file']),
        secret: await lineOf(values['secret-file']),
      })
      if (body.id === undefined && body.url === undefined) throw new UsageError('give HTTPS_URL or --id')
      const answer = await (await context.account()).saveWebhook({ body })
      return { json: answer, text: record(fieldsOf(answer.webhook)) }
    },
  }),
  command({
    name: 'webhooks show',
    summary: 'Show a webhook with its secret masked',
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
      return { json: answer, text: `Webhook ${answer.id} deleted.` }
    },
  }),
  command({
    name: 'webhooks test',
    summary: 'Send a signed test event and show the response of the receiver',
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
    summary: 'Replace the secret of a webhook and show the new one',
    parameters: ['ID'],
    options: {
      ...SERVER_OPTIONS,
      'overlap-hours': {
        type: 'string',
        value: 'HOURS',
        help: 'Hours that deliveries are also signed with the old secret, 0 to 168; default: 24',
      },
    },
    async run(context, values, [id]) {
      const hours = values['overlap-hours']
      const body =
        hours === undefined ? undefined : { overlapHours: parseWholeNumber('overlap-hours', hours) }
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
      page: { type: 'string', value: 'N', help: 'Page number, starting at 1' },
      limit: { type: 'string', value: 'N', help: 'Items per page, 1 to 100' },
    },
    async run(context, { status, page, limit }, [id]) {
      const query = omitUndefined({
        status: status === undefined ? undefined : requireStatus(status),
        page,
        limit,
      })
      const answer = await (await context.account()).listDeliveries({ params: { id }, query })
      return { json: answer, text: deliveryTable(answer.deliveries) }
    },
  }),
  command({
    name: 'webhooks replay',
    summary: 'Send a delivery again, or with --since all events since then',
    parameters: ['ID', '[DELIVERY_ID]'],
    options: {
      ...SERVER_OPTIONS,
      since: {
        type: 'string',
        value: 'TIME',
        help: 'Send all events since this time, such as 2026-01-31T12:00:00Z',
      },
    },
    async run(context, { since }, [id, deliveryId]) {
      const account = await context.account()
      if (since !== undefined && deliveryId === undefined) {
        const answer = await account.replayWebhook({ params: { id }, body: { since } })
        return { json: answer, text: `${answer.queued} events queued again.` }
      }
      if (since !== undefined || deliveryId === undefined)
        throw new UsageError('give either DELIVERY_ID or --since')
      const answer = await account.replayDelivery({ params: { id, deliveryId } })
      return { json: answer, text: `Delivery ${answer.delivery.id} queued again.` }
    },
  }),
]
