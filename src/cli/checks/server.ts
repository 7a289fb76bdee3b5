// Whether a server runs at the address, can work, and is of the same release as this program.
import { type Client, ClientError, UNREACHABLE } from '../../contract/client.ts'
import { API_VERSION } from '../../contract/version.ts'
import { type Finding, messageOf, ok, warning, wrong } from './finding.ts'

const LIMIT_MS = 5000

/** `account` speaks with the key that is at hand; absent where there is none. */
export async function checkServer(
  url: string,
  client: Client,
  account: Client | undefined,
): Promise<Finding[]> {
  const within = { signal: AbortSignal.timeout(LIMIT_MS) }
  try {
    const { version } = await client.healthz(undefined, within)
    const alive =
      version === API_VERSION
        ? ok('server', `runs at ${url}`)
        : warning(
            'server',
            `runs at ${url} as ${version}; this program is ${API_VERSION}`,
            'restart the server',
          )
    return [alive, await readiness(client, within), ...(account ? [await acquaintance(account, within)] : [])]
  } catch (error) {
    return [wrong('server', sentence(url, error), adviceOn(error))]
  }
}

async function readiness(client: Client, within: { signal: AbortSignal }): Promise<Finding> {
  try {
    const { checks } = await client.readyz(undefined, within)
    return ok('server', `is ready (${Object.keys(checks).join(', ')})`)
  } catch (error) {
    return wrong(
      'server',
      `is not ready: ${messageOf(error)}`,
      "read the server's log, and look at the store above",
    )
  }
}

/** Another server may run at the address, or the key may have been replaced. */
async function acquaintance(account: Client, within: { signal: AbortSignal }): Promise<Finding> {
  try {
    await account.accountLimits(undefined, within)
    return ok('server', 'takes the API key')
  } catch (error) {
    if (error instanceof ClientError && error.reason === 'scope_missing')
      return ok('server', 'takes the API key')
    return warning(
      'server',
      `does not take the API key: ${messageOf(error)}`,
      'set API_KEY to a key of this server; or another server runs there, then set --url or SWITCHBOARD_URL',
    )
  }
}

const sentence = (url: string, error: unknown): string =>
  error instanceof ClientError ? messageOf(error) : `no answer from ${url} within ${LIMIT_MS} ms`

const adviceOn = (error: unknown): string =>
  error instanceof ClientError && error.reason !== UNREACHABLE
    ? 'something else answers there: set --url or SWITCHBOARD_URL'
    : 'start it with npm start, or set --url or SWITCHBOARD_URL to where it runs; before a first start: --skip server'
