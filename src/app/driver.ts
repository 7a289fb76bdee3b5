// The driver of the network that the settings select: the real one, or the sandbox, which is started or joined here.
import type { Logger } from 'pino'
import { allowsPasskeys, type Settings } from '../config.ts'
import { versionText } from '../instances/rules-client-version.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import type { NetworkInfo } from '../metrics.ts'
import type { ClientVersions } from '../network/client-version.ts'
import type { FrameGate, Network } from '../network/network.ts'
import { joinSandbox, type NameOwner, type SandboxLink } from '../network/sandbox-link.ts'
import { startSandboxProcess } from '../network/sandbox-process.ts'
import type { Store } from '../store/store.ts'
import { type ProxiedRoutes, throughProxies } from '../whatsapp/library/proxied.ts'
import { driverVersions } from '../whatsapp/library/versions.ts'
import { createWhatsAppNetwork } from '../whatsapp/network.ts'
import { RESTRICTED_CODE } from '../whatsapp/sending/refusals.ts'
import type { DriverTimes } from '../whatsapp/settings.ts'
import { openClientVersions } from './client-versions.ts'

interface DriverDeps {
  store: Pick<Store, 'db'>
  clock: () => number
  logger: Logger
  outbound: Pick<Outbound, 'own' | 'openTunnel' | 'proxies' | 'readPage'>
  times: DriverTimes
  gate: FrameGate
  nameOwner: NameOwner
  isLead(): boolean
  /** The network closed a connection, or the connection was lost, with this code. */
  onNetworkClose?: ((code: number | null) => void) | undefined
  /** Shows what the driver presents to the network. */
  describeNetwork?: ((read: () => NetworkInfo) => void) | undefined
}

export interface Driver {
  network: Network
  /** The network's code for an account that may not start new chats. */
  restrictedCode: number
  /** Only with `NETWORK=sandbox`. */
  sandbox: SandboxLink | undefined
  /** Loads the version of the client, before the first session connects. */
  start(): Promise<void>
  /** Stops the sandbox network, if this process started it. */
  stop(): Promise<void>
}

export async function openDriver(settings: Settings, deps: DriverDeps): Promise<Driver> {
  const sandbox = settings.NETWORK === 'sandbox' ? await openSandbox(settings, deps) : undefined
  for (const { hostname, port, protocol } of sandbox?.urls.map((url) => new URL(url)) ?? [])
    deps.outbound.own.add(hostname, Number(port) || (protocol.endsWith('s:') ? 443 : 80))
  const versions = openClientVersions(settings, sandbox, deps.outbound, deps)
  const { library } = driverVersions()
  deps.describeNetwork?.(() => ({
    network: settings.NETWORK,
    library,
    client: versionText(versions.current()),
  }))
  const routes = proxiedRoutes(sandbox, deps.outbound)
  return {
    network: createDriver(sandbox, { versions, routes, passkeys: allowsPasskeys(settings) }, deps),
    restrictedCode: RESTRICTED_CODE,
    sandbox,
    start: versions.start,
    async stop() {
      await versions.stop()
      routes?.close()
      await sandbox?.stop()
    },
  }
}

async function openSandbox(
  settings: Settings,
  { logger, nameOwner }: Pick<DriverDeps, 'logger' | 'nameOwner'>,
): Promise<SandboxLink> {
  const { DATA_DIR, SANDBOX_URL: url, SANDBOX_KEY: key } = settings
  if (url !== undefined && key !== undefined)
    return joinSandbox(url, key, nameOwner, () => logger.warn('waiting for the sandbox at SANDBOX_URL'))
  return startSandboxProcess({
    dataDirectory: DATA_DIR,
    tls: sandboxTls(settings),
    nameOwner,
    onTrouble: (text) => logger.error(text),
  })
}

/** The connections of instances without a proxy of their own. Undefined: the server has no proxy. */
const proxiedRoutes = (
  sandbox: SandboxLink | undefined,
  { proxies }: Pick<Outbound, 'proxies'>,
): ProxiedRoutes | undefined =>
  proxies && throughProxies({ wsUrl: sandbox?.wsUrl, hosts: sandbox?.hosts }, proxies)

interface DriverChoices {
  versions: ClientVersions
  routes: ProxiedRoutes | undefined
  passkeys: boolean
}

const createDriver = (
  sandbox: SandboxLink | undefined,
  { versions, routes, passkeys }: DriverChoices,
  { logger, times, gate, clock, outbound, onNetworkClose }: DriverDeps,
): Network =>
  createWhatsAppNetwork({
    wsUrl: sandbox?.wsUrl,
    rootPublicKey: sandbox?.rootPublicKey,
    socketAgent: sandbox?.socketAgent,
    uploadAgent: sandbox?.uploadAgent,
    downloadDispatcher: sandbox?.downloadDispatcher,
    ...routes,
    hosts: sandbox?.hosts,
    openTunnel: outbound.openTunnel,
    times,
    versions,
    passkeys,
    gate,
    clock,
    onClose: onNetworkClose,
    log: { debug: (text) => logger.debug(text), warn: (text) => logger.warn(text) },
  })

const sandboxTls = ({ SANDBOX_CERT_FILE: certFile, SANDBOX_KEY_FILE: keyFile }: Settings) =>
  certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined
