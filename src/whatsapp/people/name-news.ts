// The library repeats the name of the sender with every message. Only the first repetition says something new, and storing each of them
// would cost a commit per message.
import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import type { Contact } from '../library/protocol.ts'

/** People of one connection whose names are remembered. */
const NAMES_KEPT = 500

/** For one connection: false for a contact that says the same as the one before it about that person. */
export function createNameNews(): (contact: Partial<Contact>) => boolean {
  const said = createBoundedMap<string, string>(NAMES_KEPT)
  return (contact) => {
    const key = contact.id ?? ''
    const text = JSON.stringify(contact)
    if (said.get(key) === text) return false
    said.set(key, text)
    return true
  }
}
