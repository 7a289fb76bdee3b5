// Loads the world from the database at start, and again after a transaction was rolled back.
import type { Addressing } from '../model/address.ts'
import { addToWorld, type Owner, type World } from '../model/world.ts'
import type { Database } from './database.ts'
import { readAccounts, readDevices, readGroups, readSetting } from './documents.ts'

export function loadWorld(database: Database): World {
  const world: World = {
    addressing: (readSetting(database, 'addressing') as Addressing | undefined) ?? 'lid',
    versions: (readSetting(database, 'versions') as World['versions'] | undefined) ?? {
      minimum: null,
      announced: null,
    },
    accounts: new Map(),
    byLid: new Map(),
    groups: new Map(readGroups(database).map((group) => [group.jid, group])),
    hasUnowned: false,
  }
  for (const account of readAccounts(database)) addToWorld(world, account)
  for (const device of readDevices(database))
    world.accounts.get(device.number)?.devices.set(device.id, device)
  const all: { owner?: Owner }[] = [...world.accounts.values(), ...world.groups.values()]
  world.hasUnowned = all.some(({ owner }) => owner === undefined)
  return world
}

/** Restores the world to what the database holds. Objects are updated in place, because connections and phones refer to them. */
export function reloadWorld(world: World, database: Database): void {
  const kept = loadWorld(database)
  world.addressing = kept.addressing
  world.versions = kept.versions
  world.hasUnowned = kept.hasUnowned
  updateInPlace(world.groups, kept.groups, Object.assign)
  updateInPlace(world.accounts, kept.accounts, (account, { devices, ...document }) => {
    Object.assign(account, document)
    updateInPlace(account.devices, devices, Object.assign)
  })
  world.byLid.clear()
  for (const account of world.accounts.values()) world.byLid.set(account.lid, account)
}

function updateInPlace<T>(
  known: Map<string, T>,
  kept: Map<string, T>,
  update: (known: T, kept: T) => void,
): void
function updateInPlace<T>(
  known: Map<number, T>,
  kept: Map<number, T>,
  update: (known: T, kept: T) => void,
): void
function updateInPlace<T>(
  known: Map<unknown, T>,
  kept: Map<unknown, T>,
  update: (known: T, kept: T) => void,
): void {
  for (const key of known.keys()) if (!kept.has(key)) known.delete(key)
  for (const [key, value] of kept) {
    const same = known.get(key)
    if (same) update(same, value)
    else known.set(key, value)
  }
}
