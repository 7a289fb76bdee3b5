// A status never goes backwards.
import { isLaterStatus, type MessageStatus } from '../contract/message-values.ts'

/** A message that waits for its time or its approval was not sent yet: no receipt can be genuine. */
export const isForward = (from: MessageStatus, to: MessageStatus): boolean =>
  from !== 'scheduled' && from !== 'awaiting_approval' && isLaterStatus(to, from)
