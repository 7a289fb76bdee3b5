// Where the version of the client comes from: the setting, the page of the network, or the network library.
import type { Settings } from '../config.ts'
import {
  type ClientVersionParts,
  createClientVersions,
  type VersionKeeper,
} from '../instances/client-versions.ts'
import { type ChosenVersion, chooseVersion, parseVersion } from '../instances/rules-client-version.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import type { SandboxLink } from '../network/sandbox-link.ts'
import type { Maintenance } from '../store/maintenance.ts'
import { builtInVersion } from '../whatsapp/library/versions.ts'
import { VERSION_PAGE } from '../whatsapp/linking/version.ts'

const PAGE_BYTES = 4 * 1024 * 1024
const PAGE_MS = 8000

type VersionSettings = Pick<Settings, 'NETWORK' | 'WHATSAPP_VERSION'>

const versionInSettings = ({ WHATSAPP_VERSION: text }: VersionSettings) =>
  text === undefined ? undefined : parseVersion(text)

/** The sandbox has a page of its own: with it, nothing is read from the real network. */
export const openClientVersions = (
  settings: VersionSettings,
  sandbox: Pick<SandboxLink, 'versionPage'> | undefined,
  outbound: Pick<Outbound, 'readPage'>,
  parts: Pick<ClientVersionParts, 'store' | 'clock' | 'logger' | 'isLead'>,
): VersionKeeper =>
  createClientVersions({
    ...parts,
    network: settings.NETWORK,
    setting: versionInSettings(settings),
    builtIn: builtInVersion(),
    readPage: (signal) =>
      sandbox
        ? sandbox.versionPage(signal)
        : outbound.readPage({ ...VERSION_PAGE, maxBytes: PAGE_BYTES, limitMs: PAGE_MS, signal }),
  })

export interface VersionInUse extends ChosenVersion {
  /** When the page was read last; undefined: never. */
  readAt: number | undefined
}

/** The version that a server with these settings uses, for the command line. */
export async function findVersionInUse(
  settings: VersionSettings,
  maintenance: Pick<Maintenance, 'clientVersion'>,
): Promise<VersionInUse> {
  const stored = await maintenance.clientVersion(settings.NETWORK)
  const page = stored && parseVersion(stored.version)
  const chosen = chooseVersion({ setting: versionInSettings(settings), page, builtIn: builtInVersion() })
  return { ...chosen, readAt: stored?.readAt }
}
