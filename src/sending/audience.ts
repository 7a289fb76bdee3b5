// The audience of a status: the listed people, or all saved contacts of the instance that the network knows.
import { jidOfPerson } from '../rules/chat-address.ts'
import { listContactJids } from '../store/queries/contacts.ts'
import type { Db } from '../store/tables.ts'
import type { AddressBook } from './recipient.ts'

/** Lookups at a time: an unknown number costs a request to the network. */
const LOOKUPS = 20

export async function audienceOf(
  { store, addresses }: { store: { db: Db }; addresses: Pick<AddressBook, 'addressOf'> },
  instanceId: number,
  { to }: { to?: string[] },
): Promise<string[]> {
  const chats = to ? to.map(jidOfPerson) : await listContactJids(store.db, instanceId)
  const found = new Set<string>()
  for (let start = 0; start < chats.length; start += LOOKUPS) {
    const some = chats.slice(start, start + LOOKUPS)
    const jids = await Promise.all(some.map((chat) => addresses.addressOf(instanceId, chat)))
    for (const jid of jids) if (jid !== null) found.add(jid)
  }
  return [...found]
}
