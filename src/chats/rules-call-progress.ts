// The status of a phone call: which changes are news, and when a call can still be rejected.
import type { CallStatus } from '../contract/calls.ts'

const OPEN: ReadonlySet<CallStatus> = new Set(['offer', 'ringing'])

/** Whether the call rings: later it can no longer be rejected. */
export const isOpenCall = (status: CallStatus): boolean => OPEN.has(status)

/**
 * Whether a reported status is news. The network repeats notices that were not acknowledged, and may deliver those of an offer
 * and its end in the wrong order. An accepted call may still end.
 */
export function isCallNews(before: CallStatus | undefined, reported: CallStatus): boolean {
  if (before === undefined || OPEN.has(before))
    return reported !== before && !(before === 'ringing' && reported === 'offer')
  return before === 'accepted' && reported === 'ended'
}
