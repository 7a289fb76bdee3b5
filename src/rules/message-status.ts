// A status never goes backwards.
import { isLaterStatus, type MessageStatus } from '../contract/message-values.ts'

/** A scheduled message was not sent yet: no receipt can be genuine. */
export const isForward = (from: MessageStatus, to: MessageStatus): boolean =>
  from !== 'scheduled' && isLaterStatus(to, from)
