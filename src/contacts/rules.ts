// The rules of contacts: how long pictures are used, their URLs, and which presence is a change.
import { fullPath, type Route } from '../contract/route.ts'
import { routes } from '../contract/routes.ts'

// Decides whether a stored picture can be served, and how a new answer of the network changes it (decision 0074).

const HOUR_MS = 60 * 60 * 1000

/** How long the answer "no picture" is reused for requests. The network reports a new picture long before that. */
export const ABSENT_COUNTS_MS = HOUR_MS
/** When a picture is fetched again without a request, to find changes that happened while the instance was disconnected. */
export const REFRESH_MS = 7 * 24 * HOUR_MS
/** After a failed fetch. */
export const RETRY_MS = HOUR_MS

/** Columns of a picture's row. */
interface Known {
  status: string
  sealed: Uint8Array | null
  checked_at: number
}

/** Whether a request can be answered from the store. For the account itself, "no picture" is never reused. */
export function canServeStored(
  row: Known | undefined,
  { now, isOwn }: { now: number; isOwn: boolean },
): boolean {
  if (row?.status === 'present') return row.sealed !== null
  return row?.status === 'absent' && !isOwn && now - row.checked_at < ABSENT_COUNTS_MS
}

interface Before {
  status: string
  digest: string | null
  version: number
}

export interface NextPicture {
  status: 'absent' | 'present'
  version: number
  /** The picture differs from the stored one. The first answer is not a change. */
  isChange: boolean
}

/** `digest`: of the bytes that the network returned; null: no picture. */
export function nextPicture(before: Before | undefined, digest: string | null, now: number): NextPicture {
  const status = digest === null ? 'absent' : 'present'
  if (!before || before.status === 'unknown') return { status, version: now, isChange: false }
  const isSame =
    before.status === status && (digest === null || before.digest === null || before.digest === digest)
  return { status, version: isSame ? before.version : now, isChange: !isSame }
}

// The URLs of profile pictures. `v` changes with the picture, so that browsers load the new one.

type Version = number | null | undefined

const urlOf = (
  origin: string,
  route: Pick<Route, 'area' | 'path'>,
  query: Record<string, string>,
  version: Version,
) =>
  version === null || version === undefined
    ? null
    : `${origin}${fullPath(route)}?${new URLSearchParams({ ...query, v: version.toString(36) }).toString()}`

/** Null if no picture is known. */
export const ownPictureUrl = (origin: string, instanceName: string, version: Version): string | null =>
  urlOf(origin, routes.profilePicture, { instanceName }, version)

/** Of a person or a group. */
export const chatPictureUrl = (
  origin: string,
  instanceName: string,
  chat: string,
  version: Version,
): string | null => urlOf(origin, routes.chatPicture, { instanceName, chat }, version)
