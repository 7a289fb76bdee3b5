// The names of events in the dialect, and the events of this API that they are made from.
import type { EventName } from '../../contract/events.ts'

/** All names that a webhook of the dialect can subscribe to. Those without an event never come. */
export const SUBSCRIPTIONS = {
  APPLICATION_STARTUP: null,
  QRCODE_UPDATED: 'qrcode.updated',
  MESSAGES_SET: null,
  MESSAGES_UPSERT: 'messages.upsert',
  MESSAGES_EDITED: 'messages.edited',
  MESSAGES_UPDATE: 'messages.update',
  MESSAGES_DELETE: 'messages.deleted',
  SEND_MESSAGE: 'messages.upsert',
  SEND_MESSAGE_UPDATE: null,
  CONTACTS_SET: null,
  CONTACTS_UPSERT: 'contacts.update',
  CONTACTS_UPDATE: 'contacts.update',
  PRESENCE_UPDATE: 'presence.update',
  CHATS_SET: null,
  CHATS_UPSERT: 'chats.update',
  CHATS_UPDATE: 'chats.update',
  CHATS_DELETE: 'contacts.merged',
  GROUPS_UPSERT: 'groups.upsert',
  GROUP_UPDATE: 'groups.update',
  GROUP_PARTICIPANTS_UPDATE: 'group-participants.update',
  CONNECTION_UPDATE: 'connection.update',
  LABELS_EDIT: 'labels.update',
  LABELS_ASSOCIATION: 'labels.association',
  CALL: 'call',
  TYPEBOT_START: null,
  TYPEBOT_CHANGE_STATUS: null,
  REMOVE_INSTANCE: null,
  LOGOUT_INSTANCE: null,
} as const satisfies Record<string, EventName | null>

export type EvolutionSubscription = keyof typeof SUBSCRIPTIONS
export const SUBSCRIPTION_NAMES = Object.keys(SUBSCRIPTIONS) as EvolutionSubscription[]

/** `messages.upsert` is subscribed to as `MESSAGES_UPSERT`. */
export const subscriptionOf = (event: string): string => event.replaceAll(/[.-]/g, '_').toUpperCase()

/** The end of the URL of a webhook with `byEvents`. */
export const pathOfEvent = (event: string): string => subscriptionOf(event).replaceAll('_', '-').toLowerCase()

/** The events of this API that a webhook with these subscriptions needs. */
export const eventsOf = (names: readonly EvolutionSubscription[]): EventName[] => [
  ...new Set(names.flatMap((name) => SUBSCRIPTIONS[name] ?? [])),
]
