// The two identifiers of a person: by phone number, and the hidden one (lid).
import { jidEncode, type SignalKeyStore, type WASocket } from 'baileys'
import type { KnownPerson } from '../../groups.ts'
import { type Contact, isLidUser, isPnUser, jidDecode, jidNormalizedUser } from '../library/protocol.ts'

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
  }
}

/** The other identifier of a person. The library asks the network for the hidden id of a number that it does not know. */
export const otherNameOf =
  ({ signalRepository: { lidMapping } }: Pick<WASocket, 'signalRepository'>) =>
  (jid: string): Promise<string | null> =>
    isLidUser(jid) ? lidMapping.getPNForLID(jid) : lidMapping.getLIDForPN(jid)

/**
 * As `otherNameOf`, from the stored identifiers only. For work that frames wait for: a question to the network would wait for that work
 * itself, and the session would never send again.
 */
export const knownNameOf =
  (keys: Pick<SignalKeyStore, 'get'>) =>
  async (jid: string): Promise<string | null> => {
    const user = jidDecode(jid)?.user
    if (!user) return null
    const name = isLidUser(jid) ? `${user}_reverse` : user
    const { [name]: other } = await keys.get('lid-mapping', [name])
    return other ? jidEncode(other, isLidUser(jid) ? 's.whatsapp.net' : 'lid') : null
  }
