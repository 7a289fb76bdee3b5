// Registers accounts on the network, and assigns them to their owners, the accounts of a gateway.
import { randomInt } from 'node:crypto'
import { Curve, signedKeyPair } from 'baileys'
import { type Addressing, lidForNumber } from '../model/address.ts'
import { type Account, addToWorld, type Owner, type PhoneIdentity, type World } from '../model/world.ts'
import type { Database } from '../store/database.ts'
import { writeAccount, writeGroup, writeSetting } from '../store/documents.ts'

export function setAddressing(world: World, database: Database, addressing: Addressing): void {
  world.addressing = addressing
  writeSetting(database, 'addressing', addressing)
}

/** Accounts and groups from before owners are assigned to the first owner that makes a request. */
export function claimUnowned(world: World, database: Database, owner: string): void {
  if (!world.hasUnowned) return
  world.hasUnowned = false
  for (const account of world.accounts.values()) {
    if (account.owner !== undefined) continue
    account.owner = owner
    writeAccount(database, account)
  }
  for (const group of world.groups.values()) {
    if (group.owner !== undefined) continue
    group.owner = owner
    writeGroup(database, group)
  }
}

/** Assigns an account without an owner. */
export function claimAccount(database: Database, account: Account, owner: string): void {
  if (account.owner !== null) return
  account.owner = owner
  writeAccount(database, account)
}

/** Returns the account of a number, and creates it where it does not exist. */
export function registerAccount(
  world: World,
  database: Database,
  number: string,
  name: string | undefined,
  owner: Owner,
): Account {
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
    owner,
    lid: lidForNumber(number),
    name: name ?? number,
    about: '',
    aboutAt: 0,
    picture: null,
    preview: null,
    blocked: [],
    addressBook: {},
    privacy: {},
    disappearing: { seconds: 0, at: 0 },
    business: null,
    labels: {},
    passkey: null,
    nextDeviceId: 1,
    devices: new Map(),
    phone: createPhoneIdentity(),
  }
  addToWorld(world, account)
  writeAccount(database, account)
  return account
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
