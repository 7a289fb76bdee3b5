// Keeps the hidden ids of phone numbers at hand. The library resolves a number several times for each message, each time through
// a queue, a sort and a cache with a timer per entry.
import type { SignalRepositoryWithLIDStore } from 'baileys'
import { createBoundedMap } from '../../kernel/async/bounded-map.ts'

type LidMapping = Pick<SignalRepositoryWithLIDStore['lidMapping'], 'getLIDForPN' | 'storeLIDPNMappings'>

/** Enough for active chats, and little memory for an idle session. */
const MAX_ENTRIES = 500

/** In place: the library's own methods look ids up in the same object. */
export function withCachedLids(inner: SignalRepositoryWithLIDStore): SignalRepositoryWithLIDStore {
  cacheLids(inner.lidMapping)
  return inner
}

/** Replaces the lookup. Only hits are kept: a number may get a hidden id at any time. */
export function cacheLids(mapping: LidMapping): void {
  let known = createBoundedMap<string, string>(MAX_ENTRIES)
  const lookUp = mapping.getLIDForPN.bind(mapping)
  const store = mapping.storeLIDPNMappings.bind(mapping)
  mapping.getLIDForPN = async (jid) => {
    const hit = known.get(jid)
    if (hit !== undefined) return hit
    // A lookup that began before a change writes into the abandoned map.
    const entries = known
    const lid = await lookUp(jid)
    if (lid === null) return null
    entries.set(jid, lid)
    return lid
  }
  mapping.storeLIDPNMappings = async (pairs) => {
    try {
      return await store(pairs)
    } finally {
      known = createBoundedMap(MAX_ENTRIES)
    }
  }
}
