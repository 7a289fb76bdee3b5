// Judges the URL of a receiver or of a media file by its form, before anything is resolved or sent (attack list 4, 7).
import type { AddressGuard } from './address-guard.ts'
import { type AllowList, withoutTrailingDot } from './allow-list.ts'
import { parseAddress } from './ip-address.ts'

export type Purpose = 'webhook' | 'media'

export interface Target {
  url: URL
}

/** The message is for callers, so it says what is wrong without naming an address. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TargetRefused'
  }
}

export type TargetCheck = (text: string, purpose: Purpose) => Target | TargetRefused

const SCHEMES: Record<Purpose, readonly string[]> = { webhook: ['https:'], media: ['http:', 'https:'] }
const EXPECTED: Record<Purpose, string> = {
  webhook: 'expected an https URL without credentials',
  media: 'expected an http or https URL without credentials',
}
export const NOT_PUBLIC = 'expected a host with a public address'

export interface TargetRules {
  guard: AddressGuard
  allow: AllowList
  /** Addresses under which this gateway itself is reached. */
  ownUrls: readonly string[]
}

/**
 * A host name passes here unless it can only mean this machine: what it resolves to is judged at each connect, because
 * it may be another by then.
 */
export function createTargetCheck({ guard, allow, ownUrls }: TargetRules): TargetCheck {
  const own = ownUrls.map((url) => new URL(url))
  return (text, purpose) => {
    const url = URL.parse(text)
    if (!url || !SCHEMES[purpose].includes(url.protocol) || url.username !== '' || url.password !== '') {
      return new TargetRefused(EXPECTED[purpose])
    }
    if (url.port === '0') return new TargetRefused('expected a port other than 0')
    if (own.some((mine) => isUnder(mine, url)))
      return new TargetRefused('expected a host other than this gateway')
    return isHostAllowed(url.hostname, guard, allow) ? { url } : new TargetRefused(NOT_PUBLIC)
  }
}

/** Judges a host as the URL parser gives it; also true for a name whose addresses are not known yet. */
export function isHostAllowed(hostname: string, guard: AddressGuard, allow: AllowList): boolean {
  const name = withoutTrailingDot(hostname)
  if (name === '') return false
  if (allow.hosts.has(name)) return true
  const address = parseAddress(withoutBrackets(name))
  if (address) return guard(address) === undefined
  return name !== 'localhost' && !name.endsWith('.localhost')
}

export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const isUnder = (mine: URL, url: URL): boolean =>
  mine.hostname === withoutTrailingDot(url.hostname) &&
  effectivePort(mine) === effectivePort(url) &&
  url.pathname.startsWith(mine.pathname)

const effectivePort = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')
