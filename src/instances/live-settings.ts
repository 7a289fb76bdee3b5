// The settings of one instance as its session uses them: read with each connection, and again when they change.

import { hasSubscriptions } from '../contacts/presence-queries.ts'
import type { SessionOptions } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { readLiveSettings } from './instance-settings.ts'
import { DEFAULT_SETTINGS, type InstanceSettings, sessionOptionsOf } from './rules.ts'

export interface LiveSettings {
  /** As read last; the defaults before the first time. */
  current(): InstanceSettings
  /** Of the settings that were read last; it changes with every change. */
  version(): number
  /** Reads them from the store. Rejects if the proxy cannot be read: a connection without it would show the address of the gateway. */
  read(): Promise<SessionOptions>
}

export function createLiveSettings(deps: { store: Store; vault: Vault }, instanceId: number): LiveSettings {
  let last = { settings: DEFAULT_SETTINGS, version: 0 }
  return {
    current: () => last.settings,
    version: () => last.version,
    async read() {
      const read = await readLiveSettings(deps, instanceId)
      const followsPresence = await hasSubscriptions(deps.store.db, instanceId)
      last = read
      return sessionOptionsOf(read.settings, followsPresence)
    },
  }
}
