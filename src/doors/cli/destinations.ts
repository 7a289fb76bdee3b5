// `destinations`: the brokers that get your events, and their deliveries.
import type { z } from 'zod'
import { DESTINATION_TYPES } from '../../contract/destination-types.ts'
import type { Destination } from '../../contract/destinations.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
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

const fieldsOf = (destination: z.output<typeof Destination>) => ({
  id: destination.id,
  type: destination.type,
  name: destination.name,
  url: destination.url,
  topic: destination.topic,
  exchange: destination.exchange,
  username: destination.username,
  events: destination.events,
  filter: shownFilter(destination.filter),
  history: destination.history,
  enabled: destination.enabled,
  instance: destination.instance?.apiInstanceName ?? 'all',
  failingSince: destination.failingSince,
  disabledReason: destination.disabledReason,
})

const COLUMNS = ['id', 'type', 'name', 'url', 'topic', 'enabled', 'instance', 'failingSince'] as const

/** Pausing and resuming are a change of one field. */
const switchCommand = (word: 'pause' | 'resume', summary: string) =>
  command({
    name: `destinations ${word}`,
    summary,
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const body = { id: parseWholeNumber('ID', id), enabled: word === 'resume' }
      const answer = await (await context.account()).saveDestination({ body })
      return { json: answer, text: `Destination ${answer.destination.id} ${word}d.` }
    },
  })

export const destinationCommands = [
  command({
    name: 'destinations list',
    summary: 'List the brokers that get your events',
    parameters: [],
    options: {
      ...SERVER_OPTIONS,
      instance: { type: 'string', value: 'API_NAME', help: 'Only destinations of this instance' },
    },
    async run(context, { instance }) {
      const answer = await (await context.account()).listDestinations({
        query: omitUndefined({ instanceName: instance }),
      })
      const rows = answer.destinations.map(fieldsOf).map((row) => COLUMNS.map((column) => row[column]))
      return { json: answer, text: table([...COLUMNS], rows) }
    },
  }),
  command({
    name: 'destinations save',
    summary: 'Create a destination, or update one with --id',
    description: 'On update, omitted options stay unchanged.',
    parameters: ['[URL]'],
    options: {
      ...SERVER_OPTIONS,
      id: { type: 'string', value: 'ID', help: 'Update this destination' },
      type: { type: 'string', value: 'TYPE', help: `One of ${DESTINATION_TYPES.join(', ')}` },
      name: { type: 'string', value: 'NAME', help: 'Default: the host of the URL' },
      username: { type: 'string', value: 'NAME', help: 'Login at the broker; with sqs the access key id' },
      'password-file': {
        type: 'string',
        value: 'FILE',
        help: 'File with the password; - reads standard input',
      },
      topic: { type: 'string', value: 'TOPIC', help: 'Routing key, subject, topic or name of the stream' },
      exchange: { type: 'string', value: 'NAME', help: 'With rabbitmq: the exchange' },
      'max-length': { type: 'string', value: 'N', help: 'With redis: about how many entries are kept' },
      region: { type: 'string', value: 'REGION', help: 'With sqs: if the URL does not contain it' },
      'home-assistant': { type: 'boolean', help: 'With mqtt: announce instances to Home Assistant' },
      ...FILTER_OPTIONS,
    },
    async run(context, values, [url]) {
      const file = values['password-file']
      const password = file === undefined ? undefined : await context.read(file)
      const maxLength = values['max-length']
      const body = omitUndefined({
        id: values.id === undefined ? undefined : parseWholeNumber('id', values.id),
        type: values.type === undefined ? undefined : oneOf('type', DESTINATION_TYPES, values.type),
        url,
        name: values.name,
        username: values.username,
        password: password?.replace(/\r?\n$/, ''),
        topic: values.topic,
        exchange: values.exchange,
        maxLength: maxLength === undefined ? undefined : parseWholeNumber('max-length', maxLength),
        region: values.region,
        homeAssistant: values['home-assistant'],
        events: values.event?.map(requireEvent),
        instanceName: scopeOf(values),
        filter: filterOf(values),
        history: switchOf(values, 'history', 'no-history'),
      })
      if (body.id === undefined && (body.url === undefined || body.type === undefined))
        throw new UsageError('give URL and --type, or --id')
      const answer = await (await context.account()).saveDestination({ body })
      return { json: answer, text: record(fieldsOf(answer.destination)) }
    },
  }),
  command({
    name: 'destinations show',
    summary: 'Show a destination',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const answer = await (await context.account()).getDestination({ params: { id } })
      return { json: answer, text: record(fieldsOf(answer.destination)) }
    },
  }),
  command({
    name: 'destinations delete',
    summary: 'Delete a destination',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const answer = await (await context.account()).deleteDestination({ params: { id } })
      return { json: answer, text: `Destination ${answer.id} deleted.` }
    },
  }),
  switchCommand('pause', 'Pause a destination: what is queued waits'),
  switchCommand('resume', 'Resume a destination'),
  command({
    name: 'destinations test',
    summary: 'Send a test message and show what the broker confirmed',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const answer = await (await context.account()).testDestination({ params: { id } })
      const { delivered, attempt } = answer
      return { json: answer, text: record({ delivered, ...attempt }) }
    },
  }),
  ...deliveryCommands('destinations', 'a destination', {
    list: (account, input) => account.listDestinationDeliveries(input),
    replay: (account, input) => account.replayDestination(input),
    replayDelivery: (account, input) => account.replayDestinationDelivery(input),
  }),
]
