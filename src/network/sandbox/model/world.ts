// The simulated world: accounts with their phones and linked devices, and groups. It exists whether or not a device is online.
import { jidDecode, type KeyPair, type SignedKeyPair } from 'baileys'
import { type Addressing, spellingsOf } from './address.ts'

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
  about: string
  /** File name in the media store. */
  picture: string | null
  blocked: string[]
  /** The names under which this person saved others, by number. */
  addressBook: Record<string, string>
  privacy: Record<string, string>
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
}

/** One device of an account, as sender or recipient. */
export interface AccountDevice {
  account: Account
  device: number
}

type GroupRole = 'superadmin' | 'admin' | 'member'
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
  announcement: boolean
  locked: boolean
  ephemeralSeconds: number
  inviteCode: string
  picture: string | null
}

export interface World {
  addressing: Addressing
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
