// The versions that decide how the real network sees the driver.
import { DEFAULT_CONNECTION_CONFIG } from 'baileys'
import library from 'baileys/package.json' with { type: 'json' }
import type { ClientVersion } from '../../network/client-version.ts'

/** The version of the web client that the library was written for. */
export const builtInVersion = (): ClientVersion => DEFAULT_CONNECTION_CONFIG.version

/** `client` is the version of the web client that a login names. The network refuses outdated ones with 405. */
export const driverVersions = (): { library: string; client: string } => ({
  library: library.version,
  client: builtInVersion().join('.'),
})
