// How far a message of ours has got, as its receipts tell: the step, and the events that go with it.
import type { MessageStatus } from '../contract/sending.ts'
import { messageUpdate, type NewEvent } from './event-log.ts'

export interface Progress {
  instanceId: number
  messageId: string
  /** The statuses that it may come from. */
  before: readonly MessageStatus[]
  status: MessageStatus
  timeColumn: 'delivered_at' | 'read_at'
  atMs: number
  now: number
}

/**
 * `waited` is the chat of a message that was not yet counted as sent: a receipt can overtake the network's own word that it
 * took the message. `moved` is its chat where the receipt was news.
 */
export function progressEvents(
  { instanceId, messageId, status, now }: Progress,
  { waited, moved }: { waited: string | undefined; moved: string | undefined },
): NewEvent[] {
  const step = (reached: MessageStatus, chat: string) =>
    messageUpdate({ instanceId, messageId, chat, status: reached, failure: null, at: now })
  return [
    ...(waited === undefined ? [] : [step('sent', waited)]),
    ...(moved === undefined ? [] : [step(status, moved)]),
  ]
}
