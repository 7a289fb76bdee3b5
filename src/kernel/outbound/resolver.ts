// Resolves host names.

import { lookup, Resolver } from 'node:dns/promises'
import { monotonicClock } from '../async/clock.ts'
import { unlessAborted } from '../async/waiting.ts'

/** Returns all addresses of a name, or rejects. The signal stops waiting, not the query: other callers may share it. */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

const TRY_MS = 1500
const TRIES = 2
/** A resolver reads the system's name servers when it is created, and those can change while the server runs. */
const RENEW_MS = 10_000

/**
 * Queries DNS without the thread pool, where a few slow names would block all file and database access of the process.
 * `servers` replaces the system's name servers, as `address:port`.
 *
 * All lookups share one resolver, and lookups of the same name share one query. A resolver per lookup would keep a socket
 * open for as long as the name server does not answer: one for every running delivery to an unreachable receiver
 * (decision 0084).
 */
export function createDnsResolve(
  servers?: readonly string[],
  clock: () => number = monotonicClock,
): ResolveHost {
  const running = new Map<string, Promise<readonly string[]>>()
  let current: { resolver: Resolver; madeAt: number } | undefined

  function currentResolver(): Resolver {
    const now = clock()
    if (current && Math.abs(now - current.madeAt) < RENEW_MS) return current.resolver
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    current = { resolver, madeAt: now }
    return resolver
  }
  function query(hostname: string): Promise<readonly string[]> {
    const answer = addressesOf(currentResolver(), hostname).finally(() => running.delete(hostname))
    running.set(hostname, answer)
    return answer
  }
  return (hostname, signal) => unlessAborted(running.get(hostname) ?? query(hostname), signal)
}

async function addressesOf(resolver: Resolver, hostname: string): Promise<readonly string[]> {
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses
  throw found.find((result) => result.status === 'rejected')?.reason ?? new Error('no address')
}

/** Uses the operating system, including the hosts file and search domains. Only for names in the operator's allow list. */
export const resolveWithSystem: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}
