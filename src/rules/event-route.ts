// What the filters of webhooks read of an event: the kind of its chat, its direction, its sender, and whether it is history.
import type { EventData, EventName } from '../contract/events.ts'
import type { Direction } from '../contract/messages.ts'
import { isGroupJid, isStatusJid, phoneOf } from '../network/jid.ts'

/** The words of the filter, and `status` for status posts, which belong to neither. */
export type ChatKind = 'people' | 'groups' | 'status'

export interface EventRoute {
  /** Null: the event belongs to no chat. */
  chatKind: ChatKind | null
  /** Null: the event is about no message and no call. */
  direction: Direction | null
  /** The number of the person who caused the event; null if it is not known, or if it is the instance itself. */
  sender: string | null
  /** A message from before the pairing, or one that was loaded later. */
  historical: boolean
}

/** Of an event without a chat. */
export const NO_ROUTE: EventRoute = { chatKind: null, direction: null, sender: null, historical: false }

export function chatKindOf(jid: string): ChatKind {
  if (isStatusJid(jid)) return 'status'
  return isGroupJid(jid) ? 'groups' : 'people'
}

interface Moved {
  chat: string
  direction: Direction
  from: { phone: string | null }
  historical?: boolean | undefined
}

const ofMessage = ({ chat, direction, from, historical }: Moved): EventRoute => ({
  chatKind: chatKindOf(chat),
  direction,
  sender: direction === 'outgoing' ? null : from.phone,
  historical: historical === true,
})

const ofGroup = ({ author }: { author: { phone: string | null } | null }): EventRoute => ({
  ...NO_ROUTE,
  chatKind: 'groups',
  sender: author?.phone ?? null,
})

const ROUTES: { readonly [N in EventName]: (data: EventData<N>) => EventRoute } = {
  'messages.upsert': ofMessage,
  // Of a sent message; `ofReceivedUpdate` is for the others.
  'messages.update': ({ chat }) => ({ ...NO_ROUTE, chatKind: chatKindOf(chat), direction: 'outgoing' }),
  'messages.edited': ofMessage,
  'messages.deleted': ofMessage,
  'messages.reaction': ofMessage,
  'messages.set_aside': ({ chat, what }) => ({
    ...NO_ROUTE,
    chatKind: chat === null ? null : chatKindOf(chat),
    direction: what === 'message' ? 'incoming' : null,
    sender: chat === null ? null : phoneOf(chat),
  }),
  'contacts.update': ({ person }) => ({
    ...NO_ROUTE,
    chatKind: chatKindOf(person.jid),
    sender: person.phone,
  }),
  'chats.update': ({ chat }) => ({ ...NO_ROUTE, chatKind: chatKindOf(chat), sender: phoneOf(chat) }),
  'presence.update': ({ person, chat }) => ({
    ...NO_ROUTE,
    chatKind: chatKindOf(chat),
    sender: person.phone,
  }),
  'qrcode.updated': () => NO_ROUTE,
  'connection.update': () => NO_ROUTE,
  'groups.upsert': ofGroup,
  'groups.update': ofGroup,
  'group-participants.update': ofGroup,
  call: ({ from, isGroup, groupJid }) => ({
    ...NO_ROUTE,
    chatKind: isGroup === true || groupJid !== null ? 'groups' : 'people',
    direction: 'incoming',
    sender: from.phone,
  }),
}

export const routeOf = <N extends EventName>(name: N, data: EventData<N>): EventRoute => ROUTES[name](data)

/** A received message was read: the person of the chat has written it. In a group the author is not looked up. */
export const ofReceivedUpdate = (chat: string): EventRoute => ({
  ...NO_ROUTE,
  chatKind: chatKindOf(chat),
  direction: 'incoming',
  sender: phoneOf(chat),
})
