// People under their two names: the phone number and the network's hidden identifier.
import { type Contact, isLidUser, isPnUser, jidDecode, jidNormalizedUser } from 'baileys'
import type { KnownPerson } from '../network.ts'

/** From what the library knows of a contact; undefined for what is not a person. */
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
  }
}
