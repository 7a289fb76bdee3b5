// The simulated world: accounts with their phones and linked devices, and groups. It exists whether or not a device is online.
import { jidDecode, type KeyPair, type SignedKeyPair } from 'baileys'
import type { PrivacyCategory } from '../../src/contract/sandbox-world.ts'
import { type Addressing, spellingsOf } from './address.ts'
import type { Passkey } from './passkey.ts'

/** The Signal identity of a phone. Its sessions are stored by `store/phone-keys.ts`. */
export interface PhoneIdentity {
  identityKey: KeyPair
  signedPreKey: SignedKeyPair
  registrationId: number
  /** Identifies the phone in the device identities that it signs. */
  rawId: number
  nextPreKeyId: number
  /** Shared with linked devices, which need it to decrypt app state. */
  appStateKey: { id: Buffer; data: Buffer }
}

export type Owner = string | null

export interface Account {
  number: string
  /**
   * The gateway account that created this phone. Null: created with the sandbox's own key. Absent: created before phones
   * had owners.
   */
  owner?: Owner
  lid: string
  name: string
  /** Other people see the hidden id only. Absent: they see the number. */
  hidesNumber?: boolean
  /** Absent or null: none. */
  username?: string | null
  about: string
  /** When the about text was set, in seconds. */
  aboutAt: number
  /** File name in the media store. */
  picture: string | null
  /** File name of a small copy of the picture, which lists show. */
  preview: string | null
  blocked: string[]
  /** The names under which this person saved others, by number. */
  addressBook: Record<string, string>
  privacy: Partial<Record<PrivacyCategory, string>>
  /** The timer that new chats of this person start with. */
  disappearing: { seconds: number; at: number }
  business: BusinessProfile | null
  /** By id. */
  labels: Record<string, PhoneLabel>
  passkey: Passkey | null
  nextDeviceId: number
  devices: Map<number, Device>
  phone: PhoneIdentity
}

/** A linked device, such as a gateway instance. */
export interface Device {
  number: string
  id: number
  keyIndex: number
  platform: string
  /** Authenticates the device in every handshake. */
  noiseKey: Buffer
  identityKey: Buffer
  registrationId: number
  signedPreKey: { id: number; value: Buffer; signature: Buffer }
  /** Signed by the phone and by the device, which proves to others that the device belongs to the account. */
  signedIdentity: Buffer
  historyPushed: boolean
  /** Asked for all messages at pairing, not only for the latest. Absent in devices from before. */
  wantsFullHistory?: boolean
}

/** One device of an account, as sender or recipient. */
export interface AccountDevice {
  account: Account
  device: number
}

/** The public profile of a business account. */
export interface BusinessProfile {
  description?: string | undefined
  category?: string | undefined
  address?: string | undefined
  email?: string | undefined
  website?: string | undefined
}

/** A label that a person gives to chats. */
export interface PhoneLabel {
  name: string
  color: number
}

export type GroupRole = 'superadmin' | 'admin' | 'member'
export type JoinMethod = 'invite_link' | 'non_admin_add'

/** A request to join a group whose admins approve new members. */
export interface PendingRequest {
  method: JoinMethod
  /** The number of the person who made the request: the applicant, or the member who added them. */
  by: string
  at: number
}

/** An invitation for one person, which works once. */
export interface PersonalInvitation {
  code: string
  /** In seconds. */
  expiresAt: number
  by: string
}

export interface Group {
  jid: string
  /** The owner of the phone that created the group. */
  owner?: Owner
  subject: string
  subjectBy: string
  subjectAt: number
  description: { id: string; text: string; by: string; at: number } | null
  creator: string
  createdAt: number
  addressing: Addressing
  members: Record<string, GroupRole>
  /** Only admins send messages. */
  announcement: boolean
  /** The id of the latest change of `announcement`. Groups of earlier versions have none. */
  announcementVersion?: string
  /** Only admins change subject, description, picture and timer. */
  locked: boolean
  memberAddMode: MemberAddMode
  /** Admins approve new members. */
  joinApproval: boolean
  ephemeralSeconds: number
  inviteCode: string
  /** Earlier codes, which the network distinguishes from codes that never existed. */
  revokedCodes: string[]
  /** By the number of the person who wants to join. */
  requests: Record<string, PendingRequest>
  /** By the number of the invited person. */
  invitations: Record<string, PersonalInvitation>
  picture: string | null
  /** File name of a small copy of the picture. */
  preview: string | null
}

export type MemberAddMode = 'admin_add' | 'all_member_add'

export interface World {
  addressing: Addressing
  /** As `2.3000.1023456789`. Null: every client may log in; the usual version is announced. */
  versions: { minimum: string | null; announced: string | null }
  accounts: Map<string, Account>
  byLid: Map<string, Account>
  groups: Map<string, Group>
  /** Whether an account or a group from before owners is left. */
  hasUnowned: boolean
}

export function accountByJid(world: World, jid: string | undefined): Account | undefined {
  const decoded = jid === undefined ? undefined : jidDecode(jid)
  if (!decoded) return undefined
  return decoded.server === 'lid' ? world.byLid.get(decoded.user) : world.accounts.get(decoded.user)
}

/** Finds the account of a number in any of its spellings. */
export function accountBySpelling(world: World, number: string): Account | undefined {
  for (const spelling of spellingsOf(number)) {
    const account = world.accounts.get(spelling)
    if (account) return account
  }
  return undefined
}

/** All devices of an account; the phone comes first. */
export function deviceIds(account: Account): number[] {
  return [0, ...account.devices.keys()]
}

/** Adds an account to the lookups by number and by hidden id. */
export function addToWorld(world: World, account: Account): void {
  world.accounts.set(account.number, account)
  world.byLid.set(account.lid, account)
}
