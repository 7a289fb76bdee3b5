// The rules for messages that are sent later: which times are accepted, and which message counts as late.

const MINUTE_MS = 60_000
const YEAR_MS = 366 * 24 * 60 * MINUTE_MS
/** The clock of the caller may be a little ahead or behind. */
const TOLERANCE_MS = MINUTE_MS
/** A process that runs sends a message within a second of its time. */
const LATE_MS = 5000

export interface Times {
  sendAt: number | null
  expiresAt: number | null
}

/** What is wrong with the times of a request; undefined: they are accepted. */
export function refusedTime(
  { sendAt, expiresAt }: Times,
  now: number,
): { path: 'sendAt' | 'expiresAt'; message: string } | undefined {
  if (sendAt !== null && sendAt < now - TOLERANCE_MS)
    return { path: 'sendAt', message: 'must be in the future' }
  if (sendAt !== null && sendAt > now + YEAR_MS)
    return { path: 'sendAt', message: 'must be at most one year ahead' }
  if (expiresAt !== null && expiresAt <= now) return { path: 'expiresAt', message: 'must be in the future' }
  return undefined
}

/** Null for a message that is sent at once, because its time is now or has just passed. */
export const scheduledFor = ({ sendAt }: Pick<Times, 'sendAt'>, now: number): number | null =>
  sendAt !== null && sendAt > now ? sendAt : null

/** The message was due while no process was running. */
export const isLate = (sendAt: number, now: number): boolean => now - sendAt > LATE_MS
