// Commits every ratchet step before the message that it encrypted can be sent.
import { AsyncLocalStorage } from 'node:async_hooks'
import { isPnUser, type SignalKeyStoreWithTransaction, type SignalRepositoryWithLIDStore } from 'baileys'

/**
 * The library sends a message inside one of its key transactions and commits the used keys after the frame is sent. After a crash
 * in between, the next message would be encrypted with a used key, and the recipient could not decrypt it. The library nests
 * transactions by async context, so each call here runs in a context without one and commits a transaction of its own.
 */
export function commitEachStep(
  repository: SignalRepositoryWithLIDStore,
  keys: SignalKeyStoreWithTransaction,
): SignalRepositoryWithLIDStore {
  const outside = AsyncLocalStorage.snapshot()
  const {
    injectE2ESession,
    encryptMessage,
    decryptMessage,
    encryptGroupMessage,
    validateSession,
    getSenderKeyDistributionMessage,
  } = repository
  const alone = <T>(jid: string, work: () => Promise<T>): Promise<T> =>
    outside(async () => keys.transaction(work, await ratchetOf(repository, jid)))
  repository.decryptMessage = async (options) =>
    keys.transaction(() => decryptMessage(options), await ratchetOf(repository, options.jid))
  repository.injectE2ESession = (options) => alone(options.jid, () => injectE2ESession(options))
  repository.encryptMessage = (options) => alone(options.jid, () => encryptMessage(options))
  repository.encryptGroupMessage = (options) => outside(() => encryptGroupMessage(options))
  repository.getSenderKeyDistributionMessage = (options) =>
    outside(() => getSenderKeyDistributionMessage(options))
  // Reads what the calls above have committed, not the older values of an outer transaction.
  repository.validateSession = (jid) => outside(() => validateSession(jid))
  return repository
}

/**
 * The name of the ratchet of a device, for either of its two addresses. The library locks by the given address: it sends to a
 * phone number and receives from a LID, and one of two simultaneous steps would be lost.
 */
export async function ratchetOf(repository: SignalRepositoryWithLIDStore, jid: string): Promise<string> {
  const lid = isPnUser(jid) ? await repository.lidMapping.getLIDForPN(jid) : null
  return repository.jidToSignalProtocolAddress(lid ?? jid)
}
