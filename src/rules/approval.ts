// The rules for sends that a person has to approve: until when they wait, and on which day a send counts.

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a send waits for its approval, counted from the time at which it would have been sent. */
export const APPROVAL_MS = DAY_MS

export const APPROVAL_EXPIRED = 'The send was not approved in time.'

/** A scheduled send can be approved until a day after its time, and no send after its own end. */
export const approvalDeadline = (
  { sendAt, expiresAt }: { sendAt: number | null; expiresAt: number | null },
  now: number,
): number => Math.min(expiresAt ?? Infinity, (sendAt ?? now) + APPROVAL_MS)

/** The day that a send is counted in, by UTC. */
export const dayOf = (now: number): number => now - (now % DAY_MS)

/** Seconds until sends are counted from 0 again. */
export const secondsToNextDay = (now: number): number => Math.ceil((dayOf(now) + DAY_MS - now) / 1000)
