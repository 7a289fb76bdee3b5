// The other identifier of a person: the hidden one (lid) of a phone number, or the number of a hidden one.
import {
  isLidUser,
  jidDecode,
  jidEncode,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
} from 'baileys'

type OtherName = (jid: string) => Promise<string | null>

export const otherNameOf =
  (lidMapping: Pick<SignalRepositoryWithLIDStore['lidMapping'], 'getPNForLID' | 'getLIDForPN'>): OtherName =>
  (jid) =>
    isLidUser(jid) ? lidMapping.getPNForLID(jid) : lidMapping.getLIDForPN(jid)

export const knownNameOf =
  (keys: Pick<SignalKeyStore, 'get'>): OtherName =>
  async (jid) => {
    const user = jidDecode(jid)?.user
    if (!user) return null
    const name = isLidUser(jid) ? `${user}_reverse` : user
    const { [name]: other } = await keys.get('lid-mapping', [name])
    return other ? jidEncode(other, isLidUser(jid) ? 's.whatsapp.net' : 'lid') : null
  }
