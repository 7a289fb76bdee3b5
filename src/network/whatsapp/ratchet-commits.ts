// Every step of the ratchet is committed before what it encrypted can leave.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { SignalRepositoryWithLIDStore } from 'baileys'

/**
 * The library sends a message inside one of its key transactions and commits the used keys after the frame has left: a
 * crash in between would encrypt the next message with a key that was used before, and the recipient could not read it. Its
 * transactions nest by async context, so each call runs in a context without one: it makes and commits its own.
 */
export function commitEachStep(repository: SignalRepositoryWithLIDStore): SignalRepositoryWithLIDStore {
  const outside = AsyncLocalStorage.snapshot()
  const {
    injectE2ESession,
    encryptMessage,
    encryptGroupMessage,
    validateSession,
    getSenderKeyDistributionMessage,
  } = repository
  repository.injectE2ESession = (options) => outside(() => injectE2ESession(options))
  repository.encryptMessage = (options) => outside(() => encryptMessage(options))
  repository.encryptGroupMessage = (options) => outside(() => encryptGroupMessage(options))
  repository.getSenderKeyDistributionMessage = (options) =>
    outside(() => getSenderKeyDistributionMessage(options))
  // Reads what the calls above have committed, not what an outer transaction remembers from before.
  repository.validateSession = (jid) => outside(() => validateSession(jid))
  return repository
}
