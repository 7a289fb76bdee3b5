// Who a number is at the network: asked once, kept in the store, and at hand for the chats that are talking.
import { findKnownNumber, keepKnownNumber } from '../store/queries/known-numbers.ts'
import type { Store } from '../store/store.ts'

/** A number that nobody had yesterday may have somebody today. */
const KNOWN_MS = 7 * 24 * 60 * 60 * 1000
const UNKNOWN_MS = 60 * 60 * 1000
const MAX_AT_HAND = 20_000

/** The network's own name for a recipient; null for nobody. */
export type AddressBook = (instanceId: number, chat: string) => Promise<string | null>

export interface AddressBookDeps {
  store: Pick<Store, 'db'>
  clock: () => number
  lookUp(instanceId: number, number: string): Promise<string | null>
}

interface Known {
  jid: string | null
  askedAt: number
}

export function createAddressBook({ store, clock, lookUp }: AddressBookDeps): AddressBook {
  const atHand = new Map<string, Known>()
  const isFresh = ({ jid, askedAt }: Known) => clock() - askedAt < (jid === null ? UNKNOWN_MS : KNOWN_MS)

  async function find(instanceId: number, number: string): Promise<Known> {
    const row = await findKnownNumber(store.db, instanceId, number)
    const kept = row && { jid: row.jid, askedAt: row.asked_at }
    if (kept && isFresh(kept)) return kept
    const asked = { jid: await lookUp(instanceId, number), askedAt: clock() }
    await keepKnownNumber(store.db, { instanceId, number, jid: asked.jid, now: asked.askedAt })
    return asked
  }

  return async (instanceId, chat) => {
    if (!chat.endsWith('@s.whatsapp.net')) return chat
    const name = `${instanceId}:${chat}`
    const known = atHand.get(name)
    if (known && isFresh(known)) return known.jid
    const found = await find(instanceId, chat.split('@')[0] ?? '')
    if (atHand.size >= MAX_AT_HAND) atHand.clear()
    atHand.set(name, found)
    return found.jid
  }
}
