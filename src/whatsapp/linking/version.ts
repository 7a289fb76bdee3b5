// The version of the client: the one of the network library, the page with the current one, and what follows a refusal.
import type { ClientVersion, ClientVersions } from '../../network/client-version.ts'
import type { ConnectOptions } from '../../network/network.ts'

/** The script that the network's own web client loads. The network answers only what looks like a browser. */
export const VERSION_PAGE = {
  url: 'https://web.whatsapp.com/sw.js',
  headers: {
    'user-agent':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'sec-fetch-site': 'none',
  },
}

/** Looks for a newer version before the refusal of this one is reported. */
export const withRenewal = (
  versions: ClientVersions | undefined,
  used: ClientVersion,
  options: ConnectOptions,
): ConnectOptions => ({
  ...options,
  async onEvent(event) {
    const isRefusal = event.kind === 'closed' && event.cause === 'client_outdated'
    if (!isRefusal || !(await versions?.renew(used))) return options.onEvent(event)
    return options.onEvent({ ...event, cause: 'version_renewed' })
  },
})
