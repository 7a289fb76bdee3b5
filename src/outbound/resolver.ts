// From a host name to its addresses.
import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name, or an error. The signal ends a search that nobody waits for any more. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

const TRY_MS = 1500
const TRIES = 2

/**
 * Asks the name servers without the thread pool, where a handful of slow names would hold up every file and database
 * access of the process. `servers` replaces the system's own, as `address:port`.
 */
export const createDnsResolve =
  (servers?: readonly string[]): Resolve =>
  async (hostname, signal) => {
    // A resolver each time: it reads the system's name servers when it is made, and they change under a running server.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      if (addresses.length > 0) return addresses
      throw found.find((result) => result.status === 'rejected')?.reason ?? new Error('no address')
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

/** The system's way, hosts file and search domains included. For names that the operator has named himself. */
export const resolveBySystem: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}
