// The two identifiers of a person: by phone number, and the hidden one (lid).
import type { KnownPerson } from '../../network/groups.ts'
import { type Contact, isLidUser, isPnUser, jidDecode, jidNormalizedUser } from '../library/protocol.ts'
import { namedBy } from './usernames.ts'

/** From the library's contact; undefined if it is not a person. */
export function toKnownPerson(contact: Partial<Contact>): KnownPerson | undefined {
  const forms = [contact.id, contact.lid, contact.phoneNumber]
    .filter((jid) => jid !== undefined)
    .map(jidNormalizedUser)
  const phoneJid = forms.find((jid) => isPnUser(jid))
  const lidJid = forms.find((jid) => isLidUser(jid))
  const jid = phoneJid ?? lidJid
  if (!jid) return undefined
  return {
    jid,
    lid: lidJid ?? null,
    phone: phoneJid ? (jidDecode(phoneJid)?.user ?? null) : null,
    pushName: contact.notify ?? contact.name ?? null,
    ...namedBy(contact.username),
  }
}
