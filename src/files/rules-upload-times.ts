// How long uploaded files are kept.
import { UPLOAD_HOURS } from '../contract/media.ts'

const HOUR_MS = 60 * 60 * 1000
const UPLOAD_MS = UPLOAD_HOURS * HOUR_MS
/** Longer than an upload may take. */
const UNFINISHED_MS = HOUR_MS
/** A message is sent or has expired a day after its time; the hour covers the last try. */
const SENDABLE_MS = 25 * HOUR_MS

/** When an upload that was not completed is a leftover. */
export const unfinishedUntil = (now: number): number => now + UNFINISHED_MS

/** Until when new messages may use an upload. */
export const uploadExpiry = (now: number): number => now + UPLOAD_MS

/**
 * Until when the file must be kept for a message that is due at `dueAt`; undefined: it is kept long enough already. An hour more than
 * needed, so that the messages of a campaign do not each write the time again.
 */
export function keptFor(dueAt: number, keptUntil: number): number | undefined {
  const needed = dueAt + SENDABLE_MS
  return keptUntil >= needed ? undefined : needed + HOUR_MS
}
