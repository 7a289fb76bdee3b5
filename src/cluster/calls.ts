// The calls that nodes make to each other.
import { CHAT_CALLS } from '../network/chats.ts'
import { GROUP_CALLS } from '../network/groups.ts'
import type { LiveSessions } from '../network/network.ts'
import { PEOPLE_CALLS } from '../network/people.ts'
import type { KeyUses } from './shared-uses.ts'
import type { WireError } from './wire.ts'

/** Calls that need the node that serves the instance. Each has the instance as its first argument. */
export const SESSION_CALLS = [
  'start',
  'pair',
  'qr',
  'restart',
  'applySettings',
  'logOut',
  'end',
  'checkNumber',
  'profilePicture',
  'markRead',
  'downloadMedia',
  'rejectCall',
  ...GROUP_CALLS,
  ...CHAT_CALLS,
  ...PEOPLE_CALLS,
] as const satisfies readonly (keyof LiveSessions)[]
export type SessionCall = (typeof SESSION_CALLS)[number]

/** sends: a message was accepted. events: a commit has appended events. nodes: the cluster has changed. */
export const WAKE_UPS = ['sends', 'events', 'nodes'] as const
export type WakeUp = (typeof WAKE_UPS)[number]

export type NodeCall =
  | { call: 'session'; method: SessionCall; args: unknown[] }
  | { call: 'wake'; what: WakeUp[] }
  /** How often keys were used on the calling node. */
  | { call: 'uses'; uses: KeyUses[] }
  /** Whose address this is. */
  | { call: 'hello' }

export type NodeAnswer =
  | { status: 'done'; result: unknown }
  | { status: 'failed'; error: WireError }
  /** The node that was called does not serve the instance, or is not the one that the caller means. */
  | { status: 'misdirected'; nodeId: number }
