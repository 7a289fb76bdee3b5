// Which version the gateway presents to the network, and which versions on the network's page are believed (decision 0106).
import type { ClientVersion } from '../network/client-version.ts'

/** setting: `WHATSAPP_VERSION`. page: read from the page of the network. built_in: of the network library. */
export type VersionSource = 'setting' | 'page' | 'built_in'

export interface ChosenVersion {
  version: ClientVersion
  source: VersionSource
}

/** unreadable: the page has no revision. absurd: the revision cannot be one. older: the library already has a newer one. */
export type PageFault = 'unreadable' | 'absurd' | 'older'

/** The protocol has 32 bits for each part. */
const MAX_PART = 2 ** 32 - 1
/** Revisions grow by some ten million a year. */
const MAX_AHEAD = 500_000_000
const VERSION = /^(\d{1,10})\.(\d{1,10})\.(\d{1,10})$/
/** The page is a script, and the quotes of the object in it may be escaped. */
const REVISION = /\bclient_revision\\*"\s*:\s*(\d{1,20})(?!\d)/

export const versionText = (version: ClientVersion): string => version.join('.')

export function parseVersion(text: string): ClientVersion | undefined {
  const [, ...parts] = VERSION.exec(text) ?? []
  const [primary, secondary, revision] = parts.map(Number)
  if (primary === undefined || secondary === undefined || revision === undefined) return undefined
  return Math.max(primary, secondary, revision) > MAX_PART ? undefined : [primary, secondary, revision]
}

export function isNewer(one: ClientVersion, other: ClientVersion): boolean {
  const difference = one.map((part, index) => part - (other[index] ?? 0)).find((each) => each !== 0)
  return (difference ?? 0) > 0
}

/** A version that was read before an update of the library may be older than the one of the library. */
export function chooseVersion({
  setting,
  page,
  builtIn,
}: {
  setting: ClientVersion | undefined
  page: ClientVersion | undefined
  builtIn: ClientVersion
}): ChosenVersion {
  if (setting) return { version: setting, source: 'setting' }
  if (page && !isNewer(builtIn, page)) return { version: page, source: 'page' }
  return { version: builtIn, source: 'built_in' }
}

/** The page contains only the last part of the version. The others belong to the protocol that the library speaks. */
export function versionOnPage(page: string, builtIn: ClientVersion): ClientVersion | PageFault {
  const revision = Number(REVISION.exec(page)?.[1] ?? Number.NaN)
  if (Number.isNaN(revision)) return 'unreadable'
  const [primary, secondary, known] = builtIn
  if (revision > Math.min(MAX_PART, known + MAX_AHEAD)) return 'absurd'
  return revision < known ? 'older' : [primary, secondary, revision]
}

const DAY_MS = 24 * 60 * 60_000

/** `readAt`: when the page was read last; in the future if the clock was wrong. */
export const isReadDue = (readAt: number | undefined, now: number): boolean =>
  readAt === undefined || readAt > now || now - readAt >= DAY_MS
