// When the file of a received message is fetched from the network, and how long it is kept.
import type { NetworkErrorKind } from '../network/network.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Longer than the attempts of a webhook delivery can last, so that a receiver of a late delivery finds the file. */
export const MEDIA_KEPT_MS = 14 * DAY_MS
/** How long nothing is fetched after a file could not be stored: every attempt downloads a file again. */
export const STORE_PAUSE_MS = 30_000
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 60 * 60 * 1000
const MAX_TRIES = 12

/** lost: the file is given up. wanted: it is fetched again at `dueAt`. */
export type FetchOutcome = { status: 'lost' } | { status: 'wanted'; dueAt: number; tries: number }

/** The instance is not connected here: the network was not queried, so the attempt does not count. */
const UNCOUNTED: ReadonlySet<NetworkErrorKind | undefined> = new Set(['unavailable', 'no_longer_owner'])

/** `tries` counts the failed fetches before this one; `kind` is undefined for an error that is not the network's. */
export function afterFailedFetch(
  kind: NetworkErrorKind | undefined,
  tries: number,
  now: number,
): FetchOutcome {
  const counted = UNCOUNTED.has(kind) ? tries : tries + 1
  if (kind === 'refused' || counted >= MAX_TRIES) return { status: 'lost' }
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** counted)
  return { status: 'wanted', dueAt: now + pauseMs, tries: counted }
}

/** The file was fetched and could not be stored. The network is not the cause, so the try does not count. */
export const afterFailedWrite = (tries: number, now: number): FetchOutcome => ({
  status: 'wanted',
  dueAt: now + STORE_PAUSE_MS,
  tries,
})
