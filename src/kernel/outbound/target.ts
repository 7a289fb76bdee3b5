// Checks the URL of a webhook receiver or media file before anything is resolved or sent.
import { type AddressGuard, type AllowList, withoutTrailingDot } from './address-guard.ts'
import { contains, parseAddress } from './ip-address.ts'
import type { OwnListeners } from './own-listeners.ts'

export type Purpose = 'webhook' | 'media'

export interface Target {
  url: URL
}

/** The message is for callers and contains no address. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TargetRefused'
  }
}

export type TargetCheck = (text: string, purpose: Purpose) => Target | TargetRefused

export const EXPECTED: Record<Purpose, string> = {
  webhook: 'expected an https URL without credentials, or http to a host in ALLOW_TARGETS',
  media: 'expected an http or https URL without credentials',
}
export const NOT_PUBLIC = 'expected a host with a public address'
export const NOT_OWN = 'expected a host other than this gateway'
/** The URL parser removes or encodes these characters, so the request would go to a different URL. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const BLANK_OR_CONTROL = /[\s\u0000-\u001f\u007f-\u009f]/

export interface TargetRules {
  guard: AddressGuard
  allow: AllowList
  /** Public URLs of this gateway. */
  ownUrls: readonly string[]
  own: OwnListeners
}

/**
 * A host name passes unless it can only mean this machine. Its addresses are checked at each connect, because DNS answers
 * can change.
 */
export function createTargetCheck({ guard, allow, ownUrls, own }: TargetRules): TargetCheck {
  const published = ownUrls.map((url) => new URL(url))
  return (text, purpose) => {
    if (BLANK_OR_CONTROL.test(text)) {
      return new TargetRefused('expected a URL without whitespace or control characters')
    }
    const url = URL.parse(text)
    if (!url || !isSchemeAllowed(url, purpose, allow) || url.username !== '' || url.password !== '') {
      return new TargetRefused(EXPECTED[purpose])
    }
    if (url.port === '0') return new TargetRefused('expected a port other than 0')
    if (published.some((mine) => isUnder(mine, url)) || own.includesHost(url.hostname, portOf(url)))
      return new TargetRefused(NOT_OWN)
    return isHostAllowed(url.hostname, guard, allow) ? { url } : new TargetRefused(NOT_PUBLIC)
  }
}

/** A webhook has messages in its body: only the operator can say that the way to a host needs no TLS (decision 0148). */
function isSchemeAllowed({ protocol, hostname }: URL, purpose: Purpose, allow: AllowList): boolean {
  if (protocol === 'https:') return true
  return protocol === 'http:' && (purpose === 'media' || isNamed(hostname, allow))
}

/** Whether the operator's list has the host itself. A name that only resolves to an allowed address is not named. */
function isNamed(hostname: string, { hosts, blocks }: AllowList): boolean {
  const name = withoutTrailingDot(hostname)
  const address = parseAddress(withoutBrackets(name))
  return hosts.has(name) || (address !== undefined && blocks.some((block) => contains(block, address)))
}

/** `hostname` as the URL parser returns it. Also true for a name that is not resolved yet. */
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
  withoutTrailingDot(mine.hostname) === withoutTrailingDot(url.hostname) &&
  isSameSite(portOf(mine), portOf(url)) &&
  plainPath(url).startsWith(plainPath(mine))

/** The same web server usually answers on both ports, or redirects from one to the other. */
const WEB_PORTS = new Set([80, 443])
const isSameSite = (mine: number, port: number): boolean =>
  mine === port || (WEB_PORTS.has(mine) && WEB_PORTS.has(port))

/** As a proxy may read it: percent-escapes decoded, slashes merged, dot segments resolved. */
function plainPath({ pathname, origin }: URL): string {
  try {
    return new URL(decodeURIComponent(pathname).replaceAll(/[/\\]+/g, '/'), origin).pathname
  } catch {
    return pathname
  }
}

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
