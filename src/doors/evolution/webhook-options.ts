// The options of a webhook of the dialect, as they are sealed in the store. Pure.
import { invalidField } from '../../errors.ts'
import { GIVE_AGAIN, MASK } from '../../webhooks/rules.ts'
import { type EvolutionSubscription, SUBSCRIPTION_NAMES } from './event-names.ts'

export interface WebhookOptions {
  /** Append the name of the event to the URL. */
  byEvents: boolean
  /** Put files of received messages into the body. */
  base64: boolean
  headers: Record<string, string>
  /** Null: all of them. */
  events: EvolutionSubscription[] | null
}

const MAX_HEADERS = 20
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[\x20-\x7e]{0,4096}$/
/** They describe the connection or the body, which are not the owner's to choose. */
const REFUSED =
  /^(host|connection|content-length|content-type|transfer-encoding|expect|upgrade|te|trailer|keep-alive|proxy-.*)$/i

/** The mask as a value keeps the stored one; `before` is null if the stored ones were given for another origin. */
export function checkedHeaders(
  given: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, string>> | null,
): Record<string, string> {
  const entries = Object.entries(given)
  if (entries.length > MAX_HEADERS)
    throw invalidField('webhook.headers', `expected at most ${MAX_HEADERS} headers`)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const path = `webhook.headers.${name.slice(0, 100)}`
      if (!HEADER_NAME.test(name)) throw invalidField('webhook.headers', 'expected names of HTTP headers')
      if (REFUSED.test(name)) throw invalidField(path, 'the gateway sets this header')
      if (value === MASK && before === null) throw invalidField(path, GIVE_AGAIN)
      const text = value === MASK ? (before?.[name] ?? '') : value
      if (typeof text !== 'string' || !HEADER_VALUE.test(text))
        throw invalidField(path, 'expected up to 4096 printable ASCII characters')
      return [name, text]
    }),
  )
}

/** An empty list stands for all events. */
export function checkedEvents(names: readonly string[]): EvolutionSubscription[] | null {
  if (names.length === 0) return null
  const unknown = names.find((name) => !(SUBSCRIPTION_NAMES as string[]).includes(name))
  if (unknown !== undefined)
    throw invalidField('webhook.events', `expected some of ${SUBSCRIPTION_NAMES.join(', ')}`)
  return [...new Set(names)] as EvolutionSubscription[]
}
