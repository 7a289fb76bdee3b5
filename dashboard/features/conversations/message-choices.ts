// What can be done with a message. The gateway decides; this leaves out what it would refuse.
import { isStatus } from './chat-address.ts'
import { type Message, senderOf } from './message-fields.ts'
import type { ShownMessage } from './shown-messages.ts'

const MINUTE_MS = 60_000
/** As phones have it: they ignore a later edit or deletion. */
const EDIT_MS = 15 * MINUTE_MS
const DELETE_MS = 60 * 60 * MINUTE_MS
const STATUS_MS = 24 * 60 * MINUTE_MS

export type MessageChoice =
  | 'react'
  | 'reply'
  | 'copy'
  | 'edit'
  | 'forward'
  | 'pin'
  | 'unpin'
  | 'star'
  | 'unstar'
  | 'delete'

/** A caption is edited together with its file, which is known only of messages that were sent through the API. */
const CAPTIONED: ReadonlySet<string> = new Set(['image', 'video', 'document'])
/** Messages that were not sent through the API can be forwarded only if they are of these types. */
const REBUILDABLE: ReadonlySet<string> = new Set([
  'text',
  'image',
  'video',
  'document',
  'audio',
  'sticker',
  'location',
])

const isUnsent = ({ status }: Message): boolean => status === 'scheduled' || status === 'failed'
/** Not on the phone yet. */
const isWaiting = ({ status }: Message): boolean => status === 'queued' || status === 'sending'
const isOurs = ({ direction }: Message): boolean => direction === 'outgoing'
const isFromApi = (message: Message): boolean => isOurs(message) && senderOf(message.content) === null
const age = ({ sendAt, createdAt }: Message, now: number): number => now - Date.parse(sendAt ?? createdAt)

const isEditable = (message: Message, now: number): boolean =>
  isOurs(message) &&
  age(message, now) <= EDIT_MS &&
  (message.type === 'text' || (isFromApi(message) && CAPTIONED.has(message.type)))

const isForwardable = (message: Message): boolean =>
  message.content.viewOnce !== true && (isFromApi(message) || REBUILDABLE.has(message.type))

const isDeletable = (message: Message, now: number, isAdmin: boolean): boolean =>
  isOurs(message) ? age(message, now) <= DELETE_MS : isAdmin

/** The gateway knows the audience only of posts that were sent through the API, and phones show a post for 24 hours. */
const isDeletableStatus = (message: Message, now: number): boolean =>
  isFromApi(message) && age(message, now) <= STATUS_MS

/** A pin ends by itself. */
export const isPinned = ({ pinnedUntil }: ShownMessage, now = Date.now()): boolean =>
  pinnedUntil !== null && pinnedUntil > now

/** `isAdmin`: the instance is an admin of the group that the message is in. */
export function choicesFor(shown: ShownMessage, isAdmin: boolean, now = Date.now()): MessageChoice[] {
  const { message, text, deletedBy } = shown
  // A timer is a setting of the chat: it is changed by another one.
  if (deletedBy !== null || message.type === 'disappearing') return []
  const isSent = !isUnsent(message)
  if (isStatus(message.chat)) return choicesForStatus(shown, now)
  const offers: Offers = [
    ['react', isSent],
    ['reply', isSent],
    ['copy', text !== null && text !== ''],
    ['edit', isSent && isEditable(message, now)],
    ['forward', isSent && isForwardable(message)],
    ['pin', isSent && !isPinned(shown, now)],
    ['unpin', isSent && isPinned(shown, now)],
    ['star', isSent && !isWaiting(message) && !message.starred],
    ['unstar', isSent && !isWaiting(message) && message.starred],
    ['delete', isSent && isDeletable(message, now, isAdmin)],
  ]
  return offered(offers)
}

type Offers = readonly (readonly [MessageChoice, boolean])[]
const offered = (offers: Offers): MessageChoice[] =>
  offers.flatMap(([choice, isOffered]) => (isOffered ? [choice] : []))

/** A status is not part of a chat: it has no replies, and the network takes no other changes of it. */
function choicesForStatus({ message, text }: ShownMessage, now: number): MessageChoice[] {
  const isSent = !isUnsent(message)
  return offered([
    ['copy', text !== null && text !== ''],
    ['forward', isSent && isForwardable(message)],
    ['delete', isSent && isDeletableStatus(message, now)],
  ])
}
