// How the messages of a conversation stand together: groups of one sender, and where the unread ones begin.
import { keyOf, placedAt, senderOf } from './message-fields.ts'
import type { ThreadMessage } from './shown-messages.ts'

const TOGETHER_MS = 5 * 60_000

export const isOtherSender = (before: ThreadMessage, one: ThreadMessage): boolean =>
  before.message.direction !== one.message.direction ||
  senderOf(before.message.content)?.jid !== senderOf(one.message.content)?.jid

/** The message follows one of the same sender within a few minutes. */
export const isJoined = (before: ThreadMessage | undefined, one: ThreadMessage): boolean =>
  before !== undefined &&
  !isOtherSender(before, one) &&
  Date.parse(placedAt(one.message)) - Date.parse(placedAt(before.message)) < TOGETHER_MS

/** The first of the unread messages at the end of the conversation; undefined: all are read. */
export function firstUnread(shown: readonly ThreadMessage[]): string | undefined {
  const isUnread = ({ message }: ThreadMessage) =>
    message.direction === 'incoming' && message.status === 'delivered'
  const last = shown.findLastIndex((one) => !isUnread(one))
  const first = shown[last + 1]
  return first && keyOf(first.message)
}
