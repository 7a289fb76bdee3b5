// `webhooks`: the URLs that get your events, and their deliveries.
import type { z } from 'zod'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { CHOSEN_FORMATS, type Webhook } from '../../contract/webhooks.ts'
import { command, parseWholeNumber, SERVER_OPTIONS } from './command.ts'
import { record, table } from './print.ts'
import {
  deliveryCommands,
  FILTER_OPTIONS,
  filterOf,
  oneOf,
  requireEvent,
  scopeOf,
  shownFilter,
  switchOf,
} from './receivers.ts'
import { UsageError } from './usage-error.ts'

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
  ...deliveryCommands('webhooks', 'a webhook', {
    list: (account, input) => account.listDeliveries(input),
    replay: (account, input) => account.replayWebhook(input),
    replayDelivery: (account, input) => account.replayDelivery(input),
  }),
]
