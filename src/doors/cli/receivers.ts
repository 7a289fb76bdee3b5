// What `webhooks` and `destinations` have in common: the options that choose events, and the commands about deliveries.
import type { z } from 'zod'
import type { Client } from '../../contract/client.ts'
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from '../../contract/deliveries.ts'
import { DIRECTIONS } from '../../contract/messages.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { WEBHOOK_CHATS } from '../../contract/webhook-filter.ts'
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../../contract/webhooks.ts'
import { command, SERVER_OPTIONS } from './command.ts'
import { table } from './print.ts'
import { UsageError } from './usage-error.ts'

export const shownFilter = ({ chats, from, directions }: z.output<typeof Webhook>['filter']): string =>
  [chats, ...(from ?? []), ...(directions.length === 1 ? directions : [])].join(' ')

export function requireEvent(text: string): WebhookEvent {
  const event = WEBHOOK_EVENTS.find((known) => known === text)
  if (event === undefined) throw new UsageError(`--event: expected one of ${WEBHOOK_EVENTS.join(', ')}`)
  return event
}

function requireStatus(text: string): DeliveryStatus {
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

const deliveryTable = (deliveries: readonly z.output<typeof Delivery>[]): string =>
  table(
    ['id', 'event', 'eventId', 'status', 'tries', 'lastStatus', 'lastError'],
    deliveries.map((each) => {
      const last = each.attempts.at(-1)
      return [each.id, each.event, each.eventId, each.status, each.tries, last?.status, last?.error]
    }),
  )

/** The calls of the API about the deliveries of one kind of receiver. */
export interface DeliveryCalls {
  list(account: Client, input: Parameters<Client['listDeliveries']>[0]): ReturnType<Client['listDeliveries']>
  replay(account: Client, input: Parameters<Client['replayWebhook']>[0]): ReturnType<Client['replayWebhook']>
  replayDelivery(
    account: Client,
    input: Parameters<Client['replayDelivery']>[0],
  ): ReturnType<Client['replayDelivery']>
}

/** `receiver` is the noun of the help, with its article. */
export const deliveryCommands = (group: string, receiver: string, calls: DeliveryCalls) => [
  command({
    name: `${group} deliveries`,
    summary: `List the deliveries of ${receiver}, newest event first`,
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
      const answer = await calls.list(await context.account(), { params: { id }, query })
      return { json: answer, text: deliveryTable(answer.deliveries) }
    },
  }),
  command({
    name: `${group} replay`,
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
        const answer = await calls.replay(account, { params: { id }, body: { since } })
        return { json: answer, text: `${answer.queued} events queued again.` }
      }
      if (since !== undefined || deliveryId === undefined)
        throw new UsageError('give either DELIVERY_ID or --since')
      const answer = await calls.replayDelivery(account, { params: { id, deliveryId } })
      return { json: answer, text: `Delivery ${answer.delivery.id} queued again.` }
    },
  }),
]
