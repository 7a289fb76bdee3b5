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

/** In one read of the store, however many there are. People whose other identifier is not known are missing. */
export const knownNamesOf =
  (keys: Pick<SignalKeyStore, 'get'>) =>
  async (jids: readonly string[]): Promise<Map<string, string>> => {
    const names = new Map(
      jids.flatMap((jid) => (mappingName(jid) ? [[jid, mappingName(jid)]] : [])) as [string, string][],
    )
    if (names.size === 0) return new Map()
    const others = await keys.get('lid-mapping', [...new Set(names.values())])
    return new Map(
      [...names].flatMap(([jid, name]) => {
        const other = others[name]
        return other ? [[jid, jidEncode(other, isLidUser(jid) ? 's.whatsapp.net' : 'lid')] as const] : []
      }),
    )
  }

/** Under which the library stores the other identifier. */
function mappingName(jid: string): string | undefined {
  const user = jidDecode(jid)?.user
  return user && (isLidUser(jid) ? `${user}_reverse` : user)
}
