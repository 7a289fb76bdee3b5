// Checks that the server runs, is ready, and has the same version as this program.
import { type Client, ClientError, UNREACHABLE } from '../../../contract/client.ts'
import type { HeldBy } from '../../../contract/system.ts'
import { PRODUCT_VERSION } from '../../../contract/version.ts'
import { commandLine } from '../../../kernel/process/command-line.ts'
import { type Finding, messageOf, ok, warning, wrong } from './finding.ts'

const TIMEOUT_MS = 5000

const HELD: Record<HeldBy, { found: string; todo: () => string }> = {
  restored: {
    found: 'is ready, but held: its database was restored',
    todo: () => `to take over from the original, stop the original and run: ${commandLine('resume --yes')}`,
  },
  sessions_off: {
    found: 'is ready, but held by SESSIONS=off',
    todo: () => 'restart the server without SESSIONS=off',
  },
}

/** `account` is undefined if no account key is available. */
export async function checkServer(
  url: string,
  client: Client,
  account: Client | undefined,
): Promise<Finding[]> {
  const within = { signal: AbortSignal.timeout(TIMEOUT_MS) }
  try {
    const { version } = await client.healthz(undefined, within)
    const alive =
      version === PRODUCT_VERSION
        ? ok('server', `runs at ${url}`)
        : warning(
            'server',
            `runs at ${url} with version ${version}; this program has version ${PRODUCT_VERSION}`,
            'restart the server',
          )
    return [alive, await checkReady(client, within), ...(account ? [await checkApiKey(account, within)] : [])]
  } catch (error) {
    return [wrong('server', sentence(url, error), adviceOn(error))]
  }
}

async function checkReady(client: Client, within: { signal: AbortSignal }): Promise<Finding> {
  try {
    const { checks, held, clock } = await client.readyz(undefined, within)
    if (clock.state !== 'steady') return warning('server', clockText(clock), CLOCK_TODO)
    if (held !== null) return warning('server', HELD[held].found, HELD[held].todo())
    return ok('server', `is ready (${Object.keys(checks).join(', ')})`)
  } catch (error) {
    return wrong(
      'server',
      `is not ready: ${messageOf(error)}`,
      "check the server's log and the store finding",
    )
  }
}

const clockText = ({ state, differenceMs }: { state: string; differenceMs: number }): string =>
  `is ready, but a clock was set while it runs: it is ${Math.abs(Math.round(differenceMs / 1000))} s ${
    differenceMs > 0 ? 'ahead of' : 'behind'
  } the server's time, which ${state === 'following' ? 'follows it' : 'goes on as before'}`

const CLOCK_TODO =
  'correct the clock with NTP; if it is right now, restart the server to adopt its time at once'

/** Another server may run at the address, or the key may have been replaced. */
async function checkApiKey(account: Client, within: { signal: AbortSignal }): Promise<Finding> {
  try {
    await account.accountLimits(undefined, within)
    return ok('server', 'accepts the API key')
  } catch (error) {
    if (error instanceof ClientError && error.reason === 'scope_missing')
      return ok('server', 'accepts the API key')
    return warning(
      'server',
      `does not accept the API key: ${messageOf(error)}`,
      'set API_KEY to a key of this server; if it is another server, set --url or SWITCHBOARD_URL',
    )
  }
}

const sentence = (url: string, error: unknown): string =>
  error instanceof ClientError ? messageOf(error) : `no answer from ${url} within ${TIMEOUT_MS} ms`

const adviceOn = (error: unknown): string =>
  error instanceof ClientError && error.reason !== UNREACHABLE
    ? 'another program answers at this URL: set --url or SWITCHBOARD_URL'
    : 'start the server, or set --url or SWITCHBOARD_URL; before the first start use --skip server'
