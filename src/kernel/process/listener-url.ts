// Addresses of listeners in URLs: IPv6 addresses get brackets, and the unspecified address stands for the loopback.
import { networkInterfaces } from 'node:os'

const LOOPBACKS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The host as a URL contains it. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Host and port under which this machine reaches a listener. */
export const listenerAddress = (host: string, port: number): string =>
  `${hostInUrl(LOOPBACKS[host] ?? host)}:${port}`

/** The loopback address of this machine: that of IPv4, if it has one. */
export function loopbackAddress(interfaces = networkInterfaces()): string {
  const all = Object.values(interfaces).flatMap((each) => each?.map(({ address }) => address) ?? [])
  const addresses = new Set(all)
  return addresses.has('127.0.0.1') || !addresses.has('::1') ? '127.0.0.1' : '::1'
}
