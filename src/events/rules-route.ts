// What the filters of webhooks read of an event: the kind of its chat, its direction, its sender, and whether it is history.
import type { EventData, EventName } from '../contract/events.ts'
import type { Direction } from '../contract/messages.ts'
import { isGroupJid, isLid, isStatusJid, phoneOf } from '../network/jid.ts'

/** The words of the filter, and `status` for status posts, which belong to neither. */
export type ChatKind = 'people' | 'groups' | 'status'

export interface EventRoute {
  /** Null: the event belongs to no chat. */
  chatKind: ChatKind | null
  /** Null: the event is about no message and no call. */
  direction: Direction | null
  /** The number of the person who caused the event, or the lid if it is hidden; null if it is the instance itself, or unknown. */
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

interface Sender {
  lid: string | null
  phone: string | null
}

const senderOf = ({ lid, phone }: Sender): string | null => phone ?? lid

/** The person of a chat; null for a group. */
const peerOf = (chat: string): string | null => phoneOf(chat) ?? (isLid(chat) ? chat : null)

interface Moved {
  chat: string
  direction: Direction
  from: Sender
  historical?: boolean | undefined
}

const ofMessage = ({ chat, direction, from, historical }: Moved): EventRoute => ({
  chatKind: chatKindOf(chat),
  direction,
  sender: direction === 'outgoing' ? null : senderOf(from),
  historical: historical === true,
})

const ofGroup = ({ author }: { author: Sender | null }): EventRoute => ({
  ...NO_ROUTE,
  chatKind: 'groups',
  sender: author && senderOf(author),
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
    sender: chat === null ? null : peerOf(chat),
  }),
  'contacts.update': ({ person }) => ({
    ...NO_ROUTE,
    chatKind: chatKindOf(person.jid),
    sender: senderOf(person),
  }),
  'contacts.merged': ({ person, chat }) => ({
    ...NO_ROUTE,
    chatKind: chatKindOf(chat),
    sender: senderOf(person),
  }),
  'chats.update': ({ chat }) => ({ ...NO_ROUTE, chatKind: chatKindOf(chat), sender: peerOf(chat) }),
  'labels.update': () => NO_ROUTE,
  'labels.association': ({ chat }) => ({ ...NO_ROUTE, chatKind: chatKindOf(chat), sender: peerOf(chat) }),
  'presence.update': ({ person, chat }) => ({
    ...NO_ROUTE,
    chatKind: chatKindOf(chat),
    sender: senderOf(person),
  }),
  'qrcode.updated': () => NO_ROUTE,
  'passkey.updated': () => NO_ROUTE,
  'connection.update': () => NO_ROUTE,
  'groups.upsert': ofGroup,
  'groups.update': ofGroup,
  'group-participants.update': ofGroup,
  call: ({ from, isGroup, groupJid }) => ({
    ...NO_ROUTE,
    chatKind: isGroup === true || groupJid !== null ? 'groups' : 'people',
    direction: 'incoming',
    sender: senderOf(from),
  }),
}

export const routeOf = <N extends EventName>(name: N, data: EventData<N>): EventRoute => ROUTES[name](data)

/** A received message was read: the person of the chat has written it. In a group the author is not looked up. */
export const ofReceivedUpdate = (chat: string): EventRoute => ({
  ...NO_ROUTE,
  chatKind: chatKindOf(chat),
  direction: 'incoming',
  sender: peerOf(chat),
})
