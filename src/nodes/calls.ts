// The calls that nodes make to each other.
import { CHAT_CALLS } from '../network/chats.ts'
import { GROUP_CALLS } from '../network/groups.ts'
import type { LiveSessions } from '../network/network.ts'
import { PASSKEY_CALLS } from '../network/passkey.ts'
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
  ...PASSKEY_CALLS,
] as const satisfies readonly (keyof LiveSessions)[]
export type SessionCall = (typeof SESSION_CALLS)[number]

/**
 * What a caller does whose answer was lost. again: it repeats the call, because a second one finds or sets the same. once: people would
 * notice a second one, for example by a second group; the call carries an id, and its node carries it out once.
 */
export const REPETITION: Record<SessionCall, 'again' | 'once'> = {
  start: 'again',
  pair: 'once',
  qr: 'again',
  restart: 'again',
  applySettings: 'again',
  logOut: 'again',
  end: 'again',
  checkNumber: 'again',
  profilePicture: 'again',
  markRead: 'again',
  downloadMedia: 'again',
  rejectCall: 'again',
  refreshGroup: 'again',
  createGroup: 'once',
  changeGroup: 'once',
  setGroupPicture: 'once',
  changeMembers: 'once',
  groupInvite: 'again',
  resetGroupInvite: 'once',
  previewInvite: 'again',
  joinGroup: 'once',
  leaveGroup: 'once',
  listJoinRequests: 'again',
  answerJoinRequests: 'once',
  changeChat: 'once',
  clearChat: 'once',
  starMessage: 'once',
  saveLabel: 'once',
  labelChat: 'once',
  requestHistory: 'once',
  showPresence: 'again',
  personFacts: 'again',
  setBlocked: 'once',
  blocklist: 'again',
  followPresence: 'again',
  ownProfile: 'again',
  changeProfile: 'once',
  passkey: 'again',
  answerPasskey: 'once',
  confirmPasskey: 'once',
  cancelPasskey: 'once',
  openPasskeyLink: 'again',
  followPasskeyLink: 'again',
}

/** sends: a message was accepted. events: a commit has appended events. nodes: the cluster has changed. */
export const WAKE_UPS = ['sends', 'events', 'nodes'] as const
export type WakeUp = (typeof WAKE_UPS)[number]

export type NodeCall =
  /** `id`: of a call that is carried out once, however often it arrives. */
  | { call: 'session'; method: SessionCall; args: unknown[]; id?: string }
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
  /** The node that was called carries out as many calls as it can. This one was not carried out. */
  | { status: 'busy' }
