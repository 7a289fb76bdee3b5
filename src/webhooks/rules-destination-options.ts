// What a destination is set to beside its URL: which fields its type has, which values they take, and where a message goes.
import {
  DESTINATIONS,
  type DestinationType,
  TYPE_FIELDS,
  type TypeField,
} from '../contract/destination-types.ts'

/** Stored sealed, because it contains the password. */
export interface DestinationOptions {
  username: string | null
  password: string | null
  /** With placeholders; null: the type has none. */
  topic: string | null
  exchange: string | null
  maxLength: number | null
  region: string | null
  homeAssistant: boolean
}

/** What a request says; undefined: unchanged. */
export type DestinationChange = {
  [Field in keyof DestinationOptions]?: DestinationOptions[Field] | undefined
}

export interface FieldFault {
  field: TypeField | 'username' | 'password' | 'url'
  message: string
}

/** The options after a change, or what is wrong with them. The URL has passed the check of its scheme and host. */
export function changedOptions(
  type: DestinationType,
  url: string,
  known: DestinationOptions | undefined,
  change: DestinationChange,
): DestinationOptions | FieldFault {
  const { fields, usualTopic } = DESTINATIONS[type]
  const foreign = TYPE_FIELDS.find((field) => isSet(change[field]) && !fields.includes(field))
  if (foreign) return { field: foreign, message: `not with the type ${type}` }
  const pick = <Field extends keyof DestinationOptions>(
    field: Field,
    usual: DestinationOptions[Field],
  ): DestinationOptions[Field] => {
    const given = change[field]
    return given === undefined ? (known?.[field] ?? usual) : given
  }
  const options: DestinationOptions = {
    username: pick('username', null),
    password: pick('password', null),
    topic: pick('topic', usualTopic),
    exchange: type === 'rabbitmq' ? pick('exchange', '') : null,
    maxLength: pick('maxLength', null),
    region: type === 'sqs' ? (change.region ?? regionIn(url) ?? known?.region ?? null) : null,
    homeAssistant: pick('homeAssistant', false),
  }
  return faultOf(type, url, options) ?? options
}

export const isFieldFault = (value: DestinationOptions | FieldFault): value is FieldFault => 'field' in value

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false

const regionIn = (url: string): string | null =>
  /^sqs\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(new URL(url).hostname)?.[1] ?? null

function faultOf(type: DestinationType, url: string, options: DestinationOptions): FieldFault | undefined {
  const { username, password, topic, region, homeAssistant } = options
  if (type === 'sqs') {
    if (username === null) return { field: 'username', message: 'required: the access key id' }
    if (password === null) return { field: 'password', message: 'required: the secret access key' }
    if (region === null) return { field: 'region', message: 'required, because the URL does not contain it' }
  }
  if (username !== null && password === null)
    return { field: 'password', message: 'required with a username' }
  const path = pathFault(type, new URL(url).pathname)
  if (path) return { field: 'url', message: path }
  const wrong = topic === null ? undefined : topicFault(type, topic)
  if (wrong) return { field: 'topic', message: wrong }
  const isPerEvent = topic?.includes('{instance}') === true && topic.includes('{event}')
  if (homeAssistant && !isPerEvent)
    return { field: 'topic', message: 'must contain {instance} and {event} for Home Assistant' }
  return undefined
}

/** What the path of the URL names, by type. */
const PATHS: Record<DestinationType, { form: RegExp; expected: string }> = {
  rabbitmq: { form: /^(\/[^/]*)?$/, expected: 'expected a virtual host as the path, or no path' },
  nats: { form: /^\/?$/, expected: 'expected no path' },
  mqtt: { form: /^\/?$/, expected: 'expected no path' },
  redis: { form: /^(\/\d{0,3})?$/, expected: 'expected the number of a database as the path, or no path' },
  sqs: { form: /^\/.+/, expected: 'expected the URL of a queue' },
}

const pathFault = (type: DestinationType, path: string): string | undefined =>
  PATHS[type].form.test(path) ? undefined : PATHS[type].expected

const PLACEHOLDER = /\{(?:instance|event)\}/g
/** What the broker allows in a topic; placeholders stand for a name there. */
const TOPICS: Record<DestinationType, { form: RegExp; expected: string }> = {
  rabbitmq: { form: /^[\x21-\x7e]+$/, expected: 'expected printable ASCII characters without spaces' },
  nats: {
    form: /^[!"#%-)+-\-/-=?-~][!-)+-\-/-=?-~]*(?:\.[!-)+-\-/-=?-~]+)*$/,
    expected: 'expected a subject without wildcards and empty parts, which does not begin with $',
  },
  mqtt: {
    form: /^[!"%-*,-~][!"$-*,-~]*$/,
    expected: 'expected a topic without wildcards, which does not begin with $',
  },
  redis: { form: /^[\x21-\x7e]+$/, expected: 'expected printable ASCII characters without spaces' },
  sqs: { form: /^$/, expected: 'not with the type sqs' },
}

function topicFault(type: DestinationType, topic: string): string | undefined {
  const plain = topic.replaceAll(PLACEHOLDER, 'x')
  if (/[{}]/.test(plain)) return 'expected no braces except {instance} and {event}'
  return TOPICS[type].form.test(plain) ? undefined : TOPICS[type].expected
}

/** Names of instances and events have no character that a broker would read as a wildcard. */
export const topicOf = (template: string, { instance, event }: { instance: string; event: string }): string =>
  template.replaceAll('{instance}', instance).replaceAll('{event}', event)

/** Tells destinations with one URL apart. */
export const targetOf = ({ exchange, topic }: DestinationOptions): string =>
  [exchange ?? '', topic ?? ''].join(' ')
