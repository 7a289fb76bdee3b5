// The fields of the form for a webhook: what they show at first, what is missing in them, and what is sent.
import type { EventName } from '../../../src/contract/events.ts'
import type { CHOSEN_FORMATS } from '../../../src/contract/webhooks.ts'
import type { Webhook } from './webhook.ts'

type Filter = Webhook['filter']

/** The fields as they are typed. */
export interface FilterFields {
  chats: Filter['chats']
  from: string
  directions: readonly Filter['directions'][number][]
  history: boolean
}

type Scoped = Pick<Webhook, 'events' | 'filter' | 'history' | 'instance'>

const filterFieldsOf = (webhook: Scoped | undefined): FilterFields => ({
  chats: webhook?.filter.chats ?? 'all',
  from: webhook?.filter.from?.join(', ') ?? '',
  directions: webhook?.filter.directions ?? ['incoming', 'outgoing'],
  history: webhook?.history ?? false,
})

/** Numbers are separated by commas or line breaks; the API ignores the punctuation inside them. */
function filterOf({ chats, from, directions }: FilterFields) {
  const numbers = from
    .split(/[,;\n]/)
    .map((number) => number.trim())
    .filter((number) => number !== '')
  return { chats, from: numbers.length === 0 ? null : numbers, directions: [...directions] }
}

/** Which events a receiver gets. */
export interface EventFields extends FilterFields {
  isAll: boolean
  events: readonly EventName[]
  instanceName: string
}

export interface WebhookFormFields extends EventFields {
  url: string
  name: string
  /** Several events in one request. */
  batch: boolean
  enabled: boolean
  secret: string
  format: Webhook['format']
  /** Of a receiver of the Cloud API. */
  verifyToken: string
}

export type FormatChoice = (typeof CHOSEN_FORMATS)[number]

/** What the choice of a format changes: only that of this API has batches, and programs for the Cloud API do not expect groups. */
export const chooseFormat = (format: FormatChoice): Partial<WebhookFormFields> =>
  format === 'cloud' ? { format, batch: false, chats: 'people' } : { format, verifyToken: '' }

export const eventFieldsOf = (known: Scoped | undefined): EventFields => ({
  isAll: known?.events.includes('*') ?? true,
  events: known?.events.filter((event) => event !== '*') ?? [],
  instanceName: known?.instance?.apiInstanceName ?? '',
  ...filterFieldsOf(known),
})

export const fieldsOf = (webhook: Webhook | undefined): WebhookFormFields => ({
  url: webhook?.url ?? '',
  name: webhook?.name ?? '',
  ...eventFieldsOf(webhook),
  batch: webhook?.batch ?? false,
  enabled: webhook?.enabled ?? true,
  secret: '',
  format: webhook?.format ?? 'switchboard',
  verifyToken: '',
})

/** The events, the filter and, if it has changed, the instance. */
export function eventsAndScopeOf(fields: EventFields, before: Scoped | undefined) {
  const events = fields.isAll ? (['*'] as const) : fields.events
  return {
    events: [...events],
    filter: filterOf(fields),
    history: fields.history,
    ...(fields.instanceName === (before?.instance?.apiInstanceName ?? '')
      ? {}
      : { instanceName: fields.instanceName === '' ? null : fields.instanceName }),
  }
}

/** An update sends only changed fields; the API keeps the others. */
export function changesOf(fields: WebhookFormFields, before: Webhook | undefined) {
  return {
    ...(before ? { id: before.id } : {}),
    ...(fields.url === before?.url ? {} : { url: fields.url.trim() }),
    ...(fields.name.trim() === '' || fields.name === before?.name ? {} : { name: fields.name.trim() }),
    ...eventsAndScopeOf(fields, before),
    ...formatOf(fields, before),
    ...(fields.batch === (before?.batch ?? false) ? {} : { batch: fields.batch }),
    ...(fields.enabled === before?.enabled ? {} : { enabled: fields.enabled }),
    ...(fields.secret === '' ? {} : { secret: fields.secret }),
  }
}

function formatOf({ format, verifyToken, isAll }: WebhookFormFields, before: Webhook | undefined) {
  const isChanged = format !== (before?.format ?? 'switchboard')
  return {
    ...(isChanged ? { format: format as FormatChoice } : {}),
    ...(verifyToken === '' ? {} : { verifyToken }),
    // The gateway knows which events the form of the Cloud API has.
    ...(format === 'cloud' && isAll && !before ? { events: undefined } : {}),
  }
}

/** What a reader must fill in before the form is sent. */
export const missingIn = (
  { url, isAll, events, directions, format, verifyToken }: WebhookFormFields,
  before?: Webhook,
) => ({
  url: url.trim() === '',
  verifyToken: format === 'cloud' && before?.format !== 'cloud' && verifyToken === '',
  events: !isAll && events.length === 0,
  directions: directions.length === 0,
})
