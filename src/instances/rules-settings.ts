// Settings of an instance: their defaults, what a connection needs of them, and which changes need a new connection.
import type { SyncHistory } from '../contract/instance-settings.ts'
import type { SessionOptions } from '../network/network.ts'
import { MASK } from '../webhooks/rules-stored-secrets.ts'

export interface InstanceSettings {
  rejectCalls: boolean
  rejectCallsText: string | null
  readOnReply: boolean
  viewWithoutReceipts: boolean
  alwaysOnline: boolean
  ignoreGroups: boolean
  syncHistory: SyncHistory
  deviceName: string | null
  /** A URL with its credentials. */
  proxy: string | null
}

export const DEFAULT_SETTINGS: InstanceSettings = {
  rejectCalls: false,
  rejectCallsText: null,
  readOnReply: false,
  viewWithoutReceipts: false,
  alwaysOnline: false,
  ignoreGroups: false,
  syncHistory: 'recent',
  deviceName: null,
  proxy: null,
}

/** The network reports presence only to accounts that are online. */
export const sessionOptionsOf = (
  { syncHistory, alwaysOnline, deviceName, proxy }: InstanceSettings,
  followsPresence: boolean,
): SessionOptions => ({ syncHistory, alwaysOnline: alwaysOnline || followsPresence, deviceName, proxy })

/** Device name and history are part of a pairing: they matter only while the code of one is shown. */
export function needsReconnect(before: SessionOptions, after: SessionOptions, isPairing: boolean): boolean {
  if (before.proxy !== after.proxy) return true
  return isPairing && (before.deviceName !== after.deviceName || before.syncHistory !== after.syncHistory)
}

/** The proxy without its credentials. */
export const maskProxy = (proxy: string | null): string | null =>
  proxy === null ? null : proxy.replace(/\/\/.*@/, `//${MASK}@`)

/** A masked proxy, as answers show it, stands for the stored one. Undefined: no proxy with this origin and credentials is stored. */
export function unmaskProxy(given: string, stored: string | null): string | undefined {
  const { username, password } = new URL(given)
  if (username !== MASK || password !== '') return given
  return stored !== null && maskProxy(stored) === given ? stored : undefined
}
