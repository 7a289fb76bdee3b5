/** The world: people with phones and linked devices, and groups. What is here exists whether or not it is online. */
import { randomInt } from 'node:crypto'
import { Curve, jidDecode, type KeyPair, type SignedKeyPair, signedKeyPair } from 'baileys'
import { type Addressing, lidForNumber, spellingsOf } from './address.ts'
import type { Database } from './store/database.ts'
import {
  readAccounts,
  readDevices,
  readGroups,
  readSetting,
  writeAccount,
  writeSetting,
} from './store/documents.ts'

/** The Signal identity of a phone; the sessions it has are in `store/phone-keys.ts`. */
type PhoneIdentity = {
  identityKey: KeyPair
  signedPreKey: SignedKeyPair
  registrationId: number
  /** Names the phone in the device identities it signs. */
  rawId: number
  nextPreKeyId: number
  /** Shared with linked devices so that they can read app state. */
  appStateKey: { id: Buffer; data: Buffer }
}

export type Account = {
  number: string
  lid: string
  name: string
  about: string
  /** File name in the media store. */
  picture: string | null
  blocked: string[]
  /** How this person calls others, by number. */
  addressBook: Record<string, string>
  privacy: Record<string, string>
  nextDeviceId: number
  devices: Map<number, Device>
  phone: PhoneIdentity
}

/** A linked companion, such as a gateway instance. */
export type Device = {
  number: string
  id: number
  keyIndex: number
  platform: string
  /** The key it proves itself with in every handshake. */
  noiseKey: Buffer
  identityKey: Buffer
  registrationId: number
  signedPreKey: { id: number; value: Buffer; signature: Buffer }
  /** Signed by the phone and by the device: proof to others that the two belong together. */
  signedIdentity: Buffer
  historyPushed: boolean
}

type GroupRole = 'superadmin' | 'admin' | 'member'
export type Group = {
  jid: string
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

export type World = {
  addressing: Addressing
  accounts: Map<string, Account>
  byLid: Map<string, Account>
  groups: Map<string, Group>
}

export function loadWorld(database: Database): World {
  const world: World = {
    addressing: (readSetting(database, 'addressing') as Addressing | undefined) ?? 'lid',
    accounts: new Map(),
    byLid: new Map(),
    groups: new Map(readGroups(database).map((group) => [group.jid, group])),
  }
  for (const account of readAccounts(database)) addToWorld(world, account)
  for (const device of readDevices(database))
    world.accounts.get(device.number)?.devices.set(device.id, device)
  return world
}

export function setAddressing(world: World, database: Database, addressing: Addressing): void {
  world.addressing = addressing
  writeSetting(database, 'addressing', addressing)
}

/** A person with a phone; the same number twice is the same person. */
export function registerAccount(world: World, database: Database, number: string, name?: string): Account {
  const known = world.accounts.get(number)
  if (known) {
    if (name !== undefined && name !== known.name) {
      known.name = name
      writeAccount(database, known)
    }
    return known
  }
  const account: Account = {
    number,
    lid: lidForNumber(number),
    name: name ?? number,
    about: '',
    picture: null,
    blocked: [],
    addressBook: {},
    privacy: {},
    nextDeviceId: 1,
    devices: new Map(),
    phone: createPhoneIdentity(),
  }
  addToWorld(world, account)
  writeAccount(database, account)
  return account
}

export function accountByJid(world: World, jid: string | undefined): Account | undefined {
  const decoded = jid === undefined ? undefined : jidDecode(jid)
  if (!decoded) return undefined
  return decoded.server === 'lid' ? world.byLid.get(decoded.user) : world.accounts.get(decoded.user)
}

/** Whom the network knows under a number as people spell it. */
export function accountBySpelling(world: World, number: string): Account | undefined {
  for (const spelling of spellingsOf(number)) {
    const account = world.accounts.get(spelling)
    if (account) return account
  }
  return undefined
}

/** All devices of a person, the phone first. */
export function deviceIds(account: Account): number[] {
  return [0, ...account.devices.keys()]
}

function addToWorld(world: World, account: Account): void {
  world.accounts.set(account.number, account)
  world.byLid.set(account.lid, account)
}

function createPhoneIdentity(): PhoneIdentity {
  const identityKey = Curve.generateKeyPair()
  return {
    identityKey,
    signedPreKey: signedKeyPair(identityKey, 1),
    registrationId: randomInt(1, 16_380),
    rawId: randomInt(1, 2 ** 31),
    nextPreKeyId: 1,
    appStateKey: { id: randomKeyId(), data: Buffer.from(Curve.generateKeyPair().private) },
  }
}

function randomKeyId(): Buffer {
  const id = Buffer.alloc(6)
  id.writeUInt32BE(randomInt(1, 2 ** 31), 2)
  return id
}
