// Checks that the proxies of instances accept their credentials and reach the messaging network.
import type { Maintenance } from '../../../app/maintenance.ts'
import type { Settings } from '../../../config.ts'
import { readMasterKey } from '../../../data-dir/secrets.ts'
import { type Finding, ok, wrong } from './finding.ts'

const NETWORK = { host: 'web.whatsapp.com', port: 443 }

/** `serverUrl`: on the sandbox, a proxy has to reach this machine. */
export async function checkInstanceProxies(
  settings: Settings,
  maintenance: Pick<Maintenance, 'schema' | 'opensWith' | 'proxies'>,
  serverUrl: string,
): Promise<Finding[]> {
  // The check of the store reports what is wrong with it.
  const schema = await maintenance.schema().catch(() => undefined)
  const key = await readMasterKey(settings).catch(() => undefined)
  if (!schema || schema.pending.length > 0 || schema.applied.length === 0 || !key) return []
  if ((await maintenance.opensWith(key)) !== true) return []
  const proxies = await maintenance.proxies(key)
  if (proxies.length === 0) return []
  const { checkProxies } = await import('../../../app/maintenance.ts')
  const checked = await checkProxies(settings, proxies, targetOf(settings, serverUrl))
  return checked.map(({ instance, failure }) =>
    failure === null
      ? ok('proxies', `the proxy of ${instance} reaches the network`)
      : wrong(
          'proxies',
          `the proxy of ${instance} cannot be used: ${failure}`,
          'check the proxy, or change it with PATCH /instance/settings; a private address needs ALLOW_TARGETS',
        ),
  )
}

function targetOf({ NETWORK: network, SANDBOX_URL: sandbox }: Settings, serverUrl: string) {
  if (network !== 'sandbox') return NETWORK
  const { hostname, port, protocol } = new URL(sandbox ?? serverUrl)
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}
