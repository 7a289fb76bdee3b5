// What can be done with a message. The gateway decides; this leaves out what it would refuse, by the same rules.
import {
  type ChangedMessage,
  forwardedKind,
  isDeletable,
  isEditable,
} from '../../../../src/contract/message-changes.ts'
import { isStatus } from './chat-address.ts'
import { type Message, senderOf } from './message-fields.ts'
import type { ThreadMessage } from './shown-messages.ts'

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

const UNSENT: ReadonlySet<string> = new Set(['awaiting_approval', 'scheduled', 'failed'])
const isUnsent = ({ status }: Message): boolean => UNSENT.has(status)
/** Not on the phone yet. */
const isWaiting = ({ status }: Message): boolean => status === 'queued' || status === 'sending'

/** The message as the rules of the gateway take it. */
function storedMessage({ direction, type, content, chat, sendAt, createdAt }: Message): ChangedMessage {
  const isOurs = direction === 'outgoing'
  return {
    isOurs,
    isFromApi: isOurs && senderOf(content) === null,
    type,
    at: Date.parse(sendAt ?? createdAt),
    isViewOnce: content.viewOnce === true,
    isStatus: isStatus(chat),
  }
}

/** A pin ends by itself. */
export const isPinned = ({ pinnedUntil }: ThreadMessage, now = Date.now()): boolean =>
  pinnedUntil !== null && pinnedUntil > now

/** `isAdmin`: the instance is an admin of the group that the message is in. */
export function choicesFor(shown: ThreadMessage, isAdmin: boolean, now = Date.now()): MessageChoice[] {
  const { message, text, deletedBy } = shown
  // A timer is a setting of the chat: it is changed by another one.
  if (deletedBy !== null || message.type === 'disappearing') return []
  const isSent = !isUnsent(message)
  const stored = storedMessage(message)
  if (stored.isStatus) return choicesForStatus(shown, now)
  const offers: Offers = [
    ['react', isSent],
    ['reply', isSent],
    ['copy', text !== null && text !== ''],
    ['edit', isSent && isEditable(stored, now)],
    ['forward', isSent && forwardedKind(stored) !== undefined],
    ['pin', isSent && !isPinned(shown, now)],
    ['unpin', isSent && isPinned(shown, now)],
    ['star', isSent && !isWaiting(message) && !message.starred],
    ['unstar', isSent && !isWaiting(message) && message.starred],
    ['delete', isSent && isDeletable(stored, now, isAdmin)],
  ]
  return offered(offers)
}

type Offers = readonly (readonly [MessageChoice, boolean])[]
const offered = (offers: Offers): MessageChoice[] =>
  offers.flatMap(([choice, isOffered]) => (isOffered ? [choice] : []))

/** A status is not part of a chat: it has no replies, and the network takes no other changes of it. */
function choicesForStatus({ message, text }: ThreadMessage, now: number): MessageChoice[] {
  const isSent = !isUnsent(message)
  const stored = storedMessage(message)
  return offered([
    ['copy', text !== null && text !== ''],
    ['forward', isSent && forwardedKind(stored) !== undefined],
    ['delete', isSent && isDeletable(stored, now, false)],
  ])
}
