// The fields of the form for a destination: what they show at first, what is missing in them, and what is sent.
import {
  DESTINATIONS,
  type DestinationType,
  type TypeField,
} from '../../../../src/contract/destination-types.ts'
import { type EventFields, eventFieldsOf, eventsAndScopeOf } from '../webhook-fields.ts'
import type { Destination } from './destination.ts'

export interface DestinationFormFields extends EventFields {
  type: DestinationType
  url: string
  name: string
  username: string
  password: string
  topic: string
  exchange: string
  region: string
  maxLength: string
  homeAssistant: boolean
  enabled: boolean
}

export const fieldsOf = (destination: Destination | undefined): DestinationFormFields => ({
  type: destination?.type ?? 'rabbitmq',
  url: destination?.url ?? '',
  name: destination?.name ?? '',
  username: destination?.username ?? '',
  password: '',
  topic: destination?.topic ?? '',
  exchange: destination?.exchange ?? '',
  region: destination?.region ?? '',
  maxLength: destination?.maxLength?.toString() ?? '',
  homeAssistant: destination?.homeAssistant ?? false,
  ...eventFieldsOf(destination),
  enabled: destination?.enabled ?? true,
})

export const hasField = (type: DestinationType, field: TypeField): boolean =>
  DESTINATIONS[type].fields.includes(field)

/** An empty field keeps what the API chooses; a login is removed when its name is emptied. */
export function changesOf(fields: DestinationFormFields, before: Destination | undefined) {
  const { type, username, password, topic, exchange, region, maxLength, homeAssistant } = fields
  const has = (field: TypeField) => hasField(type, field)
  const isLoginRemoved = username.trim() === '' && (before?.username ?? null) !== null && password === ''
  return {
    ...(before ? { id: before.id } : { type }),
    ...(fields.url === before?.url ? {} : { url: fields.url.trim() }),
    ...(fields.name.trim() === '' || fields.name === before?.name ? {} : { name: fields.name.trim() }),
    ...(isLoginRemoved ? { username: null, password: null } : {}),
    ...(username.trim() === '' || username === before?.username ? {} : { username: username.trim() }),
    ...(password === '' ? {} : { password }),
    ...(has('topic') && topic.trim() !== '' ? { topic: topic.trim() } : {}),
    ...(has('exchange') ? { exchange: exchange.trim() } : {}),
    ...(has('region') && region.trim() !== '' ? { region: region.trim() } : {}),
    ...(has('maxLength') ? { maxLength: maxLength.trim() === '' ? null : Number(maxLength) } : {}),
    ...(has('homeAssistant') ? { homeAssistant } : {}),
    ...eventsAndScopeOf(fields, before),
    ...(fields.enabled === before?.enabled ? {} : { enabled: fields.enabled }),
  }
}
