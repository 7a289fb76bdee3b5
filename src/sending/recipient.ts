// The network's identifier for each phone number: looked up once, then kept in the store.

import { currentChat } from '../contacts/merge-people.ts'
import {
  clearUnknownNumbers,
  deleteKnownNumber,
  findKnownNumber,
  upsertKnownNumber,
} from '../contacts/number-queries.ts'
import { allNumberForms } from '../contacts/rules-number-evidence.ts'
import { isFresh, type KnownNumber } from '../contacts/rules-numbers.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { isPersonJid, userOf } from '../network/jid.ts'
import type { NumberOnNetwork } from '../network/network.ts'
import type { Store } from '../store/store.ts'

const MAX_CACHED = 20_000

export interface AddressBook {
  /** The network's identifier for a recipient; null if the number is not registered. */
  addressOf(instanceId: number, chat: string): Promise<string | null>
  /** The next message to this chat causes a new lookup. */
  forget(instanceId: number, chat: string): Promise<void>
  /** These numbers are registered. A lookup under way may return an older answer, and is repeated. */
  recordEvidence(instanceId: number, numbers: readonly string[]): void
}

export interface AddressBookDeps {
  store: Pick<Store, 'db'>
  clock: () => number
  lookUp(instanceId: number, number: string): Promise<NumberOnNetwork>
}

export function createAddressBook({ store, clock, lookUp }: AddressBookDeps): AddressBook {
  /** Registered numbers only. An unregistered number is kept in the store alone, where evidence can remove it. */
  const cache = createBoundedMap<EntryName<'instance'>, KnownNumber>(MAX_CACHED)
  /** Lookups under way, by instance and number; true once there is evidence that the number is registered. */
  const lookups = new Map<EntryName<'instance'>, boolean>()

  async function lookUpAndStore(instanceId: number, number: string): Promise<KnownNumber> {
    const name = entryName('instance', instanceId, number)
    lookups.set(name, false)
    try {
      const askedAt = clock()
      const { exists, jid, isConfirmed } = await lookUp(instanceId, number)
      const known = { jid: exists ? jid : null, isConfirmed }
      await upsertKnownNumber(store.db, { instanceId, number, ...known, now: askedAt })
      if (exists || lookups.get(name) !== true) return { jid: known.jid, askedAt }
      await clearUnknownNumbers(store.db, instanceId, [number])
      const again = await lookUp(instanceId, number)
      return { jid: again.exists ? again.jid : null, askedAt }
    } finally {
      lookups.delete(name)
    }
  }

  async function find(instanceId: number, number: string): Promise<KnownNumber> {
    const row = await findKnownNumber(store.db, instanceId, number)
    const kept = row && { jid: row.jid, askedAt: row.asked_at }
    return kept && isFresh(kept, clock()) ? kept : lookUpAndStore(instanceId, number)
  }

  return {
    async addressOf(instanceId, chat) {
      if (!isPersonJid(chat)) return currentChat(store.db, instanceId, chat)
      const name = entryName('instance', instanceId, chat)
      const known = cache.get(name)
      if (known && isFresh(known, clock())) return known.jid
      const found = await find(instanceId, userOf(chat))
      if (found.jid === null) cache.delete(name)
      else cache.set(name, found)
      return found.jid
    },
    async forget(instanceId, chat) {
      cache.delete(entryName('instance', instanceId, chat))
      await deleteKnownNumber(store.db, instanceId, userOf(chat))
    },
    recordEvidence(instanceId, numbers) {
      if (lookups.size === 0) return
      for (const number of allNumberForms(numbers)) {
        const name = entryName('instance', instanceId, number)
        if (lookups.has(name)) lookups.set(name, true)
      }
    },
  }
}
