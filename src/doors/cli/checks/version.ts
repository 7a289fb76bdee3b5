// Shows which version the server presents to the network, and where it comes from.
import type { Maintenance } from '../../../app/maintenance.ts'
import type { Settings } from '../../../config.ts'
import { type VersionSource, versionText } from '../../../instances/rules-client-version.ts'
import { type Finding, ok, warning } from './finding.ts'

const OLD_MS = 7 * 24 * 60 * 60_000

const SOURCES: Record<VersionSource, string> = {
  setting: 'set by WHATSAPP_VERSION',
  page: 'read from the page of the network',
  built_in: 'of the network library',
}

export async function checkVersion(
  settings: Settings,
  maintenance: Maintenance,
  now: number,
): Promise<Finding[]> {
  // The check of the store reports a database that does not open.
  const schema = await maintenance.schema().catch(() => undefined)
  if (!schema?.applied.length) return []
  const { findVersionInUse } = await import('../../../app/maintenance.ts')
  const { version, source, readAt } = await findVersionInUse(settings, maintenance)
  const read = readAt === undefined ? 'never' : new Date(readAt).toISOString()
  const found = `${versionText(version)}, ${SOURCES[source]}`
  if (source === 'setting') return [ok('version', `${found}; the page of the network is not read`)]
  const text = `${found}; the page was read last: ${read}`
  return settings.NETWORK === 'whatsapp' && (readAt === undefined || now - readAt > OLD_MS)
    ? [
        warning(
          'version',
          text,
          'start the server, and check that it reaches web.whatsapp.com; or set WHATSAPP_VERSION',
        ),
      ]
    : [ok('version', text)]
}
