// The rules of instances: states, names, settings, and commits that the database has lost.

import type { SyncHistory } from '../contract/instance-settings.ts'
import type { ConnectionState, StateReason } from '../contract/instances.ts'
import { lidJid, personJid } from '../network/jid.ts'
import type { SessionOptions } from '../network/network.ts'
import { MASK } from '../webhooks/rules.ts'

// The states of an instance as a table: each event, and the state it leads to.

export interface StateNow {
  state: ConnectionState
  reason: StateReason | null
}

/** The new state depends on the event alone, not on the previous state: the network decides. */
export const TRANSITIONS = {
  started: { state: 'connecting', reason: null },
  code_shown: { state: 'connecting', reason: 'awaiting_scan' },
  code_expired: { state: 'close', reason: 'qr_expired' },
  passkey_needed: { state: 'connecting', reason: 'awaiting_passkey' },
  passkey_sent: { state: 'connecting', reason: 'passkey_sent' },
  passkey_code_shown: { state: 'connecting', reason: 'awaiting_passkey_confirmation' },
  passkey_disabled: { state: 'close', reason: 'passkey_disabled' },
  passkey_expired: { state: 'close', reason: 'passkey_expired' },
  passkey_refused: { state: 'close', reason: 'passkey_refused' },
  passkey_unanswered: { state: 'close', reason: 'passkey_unanswered' },
  passkey_lost: { state: 'close', reason: 'passkey_lost' },
  passkey_cancelled: { state: 'close', reason: 'passkey_cancelled' },
  opened: { state: 'open', reason: null },
  connection_lost: { state: 'connecting', reason: 'network_lost' },
  proxy_unreachable: { state: 'connecting', reason: 'proxy_unreachable' },
  proxy_refused: { state: 'connecting', reason: 'proxy_refused' },
  unreachable: { state: 'close', reason: 'network_lost' },
  restricted: { state: 'open', reason: 'restricted' },
  unrestricted: { state: 'open', reason: null },
  logged_out: { state: 'close', reason: 'logged_out' },
  replaced: { state: 'close', reason: 'replaced' },
  refused: { state: 'close', reason: 'bad_session' },
  banned: { state: 'close', reason: 'temporarily_banned' },
  outdated: { state: 'close', reason: 'client_outdated' },
  stopped: { state: 'close', reason: 'stopped' },
  held: { state: 'close', reason: 'held' },
} as const satisfies Record<string, StateNow>

export type StateEvent = keyof typeof TRANSITIONS

/** The columns that an event changes. `until` is when the reason ends, where that is known. */
export const stateAfter = (
  event: StateEvent,
  until: number | null = null,
): { state: ConnectionState; state_reason: StateReason | null; state_until: number | null } => ({
  state: TRANSITIONS[event].state,
  state_reason: TRANSITIONS[event].reason,
  state_until: until,
})

// The names of an instance in answers and events.

interface InstanceRow {
  display_name: string
  api_name: string
}

/** Each name appears under two fields: the older fields stay for callers that use them. */
export const instanceNames = (row: InstanceRow) => ({
  instanceName: row.display_name,
  displayName: row.display_name,
  apiInstanceName: row.api_name,
  internalName: row.api_name,
})

// The account of an instance as a person of events. The row of the instance has identifiers without their server.

/** As the row of the instance has it. */
export interface OwnAccountRow {
  number: string | null
  lid: string | null
  profile_name: string | null
}

export const ownPerson = ({ number, lid, profile_name }: OwnAccountRow) => ({
  jid: number === null && lid !== null ? lidJid(lid) : personJid(number ?? ''),
  lid: lid === null ? null : lidJid(lid),
  phone: number,
  pushName: profile_name,
})

// Settings of an instance: their defaults, what a connection needs of them, and which changes need a new connection.

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

// Whether the database has lost commits: a replica was promoted that did not have all of them, or an older copy took its place.

/** What a node knows about the server from its last renewal, or from the database itself when it starts. */
export interface KnownServer {
  /** Until when its lease lasts, a value that only this node changes. Undefined: it has just started. */
  leaseUntil?: number
  /** Changes when a replica is promoted. Null: the server does not say. */
  timeline: string | null
  /** Whether each commit waited for a replica. */
  isSynchronous: boolean
  /** When this was so, on the clock of the database. */
  at: number
}

/** The server as a renewal finds it. */
export interface FoundServer {
  /** What the row of this node said before the renewal. Null: the row is missing. */
  leaseUntil: number | null
  timeline: string | null
  now: number
}

/** `possible`: a replica was promoted, and commits did not wait for it. */
export type CommitLoss = 'none' | 'possible' | 'certain'

/** Rows of nodes are removed a day after their lease has ended. */
const ROW_LASTS_MS = 86_400_000

export function commitLoss(known: KnownServer, found: FoundServer): CommitLoss {
  if (hasGoneBack(known, found)) return 'certain'
  const isPromoted = known.timeline !== null && found.timeline !== null && known.timeline !== found.timeline
  return isPromoted && !known.isSynchronous ? 'possible' : 'none'
}

function hasGoneBack({ leaseUntil, at }: KnownServer, found: FoundServer): boolean {
  if (leaseUntil === undefined) return false
  if (found.leaseUntil === null) return found.now - at < ROW_LASTS_MS
  return found.leaseUntil < leaseUntil
}
