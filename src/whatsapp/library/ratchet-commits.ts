// Commits every ratchet step before the message that it encrypted can be sent.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  isPnUser,
  jidDecode,
  jidNormalizedUser,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
} from 'baileys'

/**
 * The library sends a message inside one of its key transactions and commits the used keys after the frame is sent. After a crash
 * in between, the next message would be encrypted with a used key, and the recipient could not decrypt it. The library nests
 * transactions by async context, so each call here runs in a context without one and commits a transaction of its own.
 */
export function withCommittedSteps(
  inner: SignalRepositoryWithLIDStore,
  keys: SignalKeyStoreWithTransaction,
): SignalRepositoryWithLIDStore {
  const outside = AsyncLocalStorage.snapshot()
  const alone = <T>(jid: string, work: () => Promise<T>): Promise<T> =>
    outside(async () => keys.transaction(work, await ratchetOf(inner, jid)))
  return {
    ...inner,
    decryptMessage: async (options) =>
      keys.transaction(() => inner.decryptMessage(options), await ratchetOf(inner, options.jid)),
    injectE2ESession: (options) => alone(options.jid, () => inner.injectE2ESession(options)),
    encryptMessage: (options) => alone(options.jid, () => inner.encryptMessage(options)),
    encryptGroupMessage: (options) => outside(() => inner.encryptGroupMessage(options)),
    getSenderKeyDistributionMessage: (options) =>
      outside(() => inner.getSenderKeyDistributionMessage(options)),
    // Reads what the calls above have committed, not the older values of an outer transaction.
    validateSession: (jid) => outside(() => inner.validateSession(jid)),
    ...lockedMoves(inner, keys, outside),
  }
}

/**
 * Moving or deleting a session waits for the step in progress. Otherwise that step would write the session back to its old place, and
 * the next one at the new place would repeat its keys.
 */
function lockedMoves(
  inner: SignalRepositoryWithLIDStore,
  keys: SignalKeyStoreWithTransaction,
  outside: <T>(work: () => T) => T,
): Pick<SignalRepositoryWithLIDStore, 'deleteSession' | 'migrateSession'> {
  /** Takes the locks in the order of their names, so that two moves never wait for each other. The innermost transaction commits. */
  async function holding<T>([first, ...rest]: string[], work: () => Promise<T>): Promise<T> {
    if (first === undefined) return work()
    return outside(() => keys.transaction(() => (rest.length > 0 ? holding(rest, work) : work()), first))
  }
  const locked = <T>(names: string[], work: () => Promise<T>): Promise<T> =>
    holding([...new Set(names)].toSorted(), work)

  return {
    async deleteSession(jids) {
      const addresses = jids.map((jid) => inner.jidToSignalProtocolAddress(jid))
      const ratchets = await Promise.all(jids.map((jid) => ratchetOf(inner, jid)))
      return locked([...addresses, ...ratchets], () => inner.deleteSession(jids))
    },
    async migrateSession(from, to) {
      const devices = await outside(() => devicesOf(keys, from))
      const [before, after] = [from, to].map((jid) => addressesOf(inner, jid, devices))
      // The library calls this with every message, and nearly always there is nothing to move.
      const found = await outside(() => keys.get('session', before ?? []))
      if (Object.keys(found).length === 0) return inner.migrateSession(from, to)
      return locked([...(before ?? []), ...(after ?? [])], () => inner.migrateSession(from, to))
    },
  }
}

/** The devices that the library moves: those it knows of the person, and the one that is named. */
async function devicesOf(keys: SignalKeyStoreWithTransaction, jid: string): Promise<string[]> {
  const { user, device } = jidDecode(jid) ?? {}
  const known = user ? (await keys.get('device-list', [user]))[user] : undefined
  return [...new Set([...(known ?? []), String(device ?? 0)])]
}

/** The names under which the sessions of a person's devices are stored. */
function addressesOf(
  { jidToSignalProtocolAddress }: Pick<SignalRepositoryWithLIDStore, 'jidToSignalProtocolAddress'>,
  jid: string,
  devices: string[],
): string[] {
  if (!jidDecode(jid)?.user) return []
  const [name] = jidToSignalProtocolAddress(jidNormalizedUser(jid)).split('.')
  return devices.map((device) => `${name}.${device}`)
}

/**
 * The name of the ratchet of a device, for either of its two addresses. The library locks by the given address: it sends to a
 * phone number and receives from a LID, and one of two simultaneous steps would be lost.
 */
export async function ratchetOf(repository: SignalRepositoryWithLIDStore, jid: string): Promise<string> {
  const lid = isPnUser(jid) ? await repository.lidMapping.getLIDForPN(jid) : null
  return repository.jidToSignalProtocolAddress(lid ?? jid)
}
