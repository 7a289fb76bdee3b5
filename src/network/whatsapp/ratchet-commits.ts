// Every step of the ratchet is committed before what it encrypted can leave.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  isPnUser,
  type SignalDataSet,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
} from 'baileys'
import { putBackUntouched, untilNextMoment } from '../libsignal-sessions.ts'
import type { AddressTurns } from './address-turns.ts'

/**
 * The library sends a message inside one of its key transactions and commits the used keys after the frame has left: a
 * crash in between would encrypt the next message with a key that was used before, and the recipient could not read it. Its
 * transactions nest by async context, so each call runs in a context without one: it makes and commits its own.
 */
export function commitEachStep(
  repository: SignalRepositoryWithLIDStore,
  keys: SignalKeyStoreWithTransaction,
  turns: AddressTurns,
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
  const inTurn = <T>(jid: string, work: () => Promise<T>): Promise<T> =>
    turns.take(repository.jidToSignalProtocolAddress(jid), work)
  const alone = <T>(jid: string, work: () => Promise<T>): Promise<T> =>
    outside(async () => keys.transaction(() => inTurn(jid, work), await ratchetOf(repository, jid)))
  repository.decryptMessage = (options) =>
    inTurn(options.jid, async () => {
      if (options.type === 'pkmsg') return decryptMessage(options)
      const name = await ratchetOf(repository, options.jid)
      const read = async () => (await keys.get('session', [name]))[name]
      return keys.transaction(async () => {
        const before = await read()
        await untilNextMoment(before)
        const plain = await decryptMessage(options)
        const mended = putBackUntouched(before, await read())
        await keys.set({ session: { [name]: mended } } as SignalDataSet)
        return plain
      }, name)
    })
  repository.injectE2ESession = (options) => alone(options.jid, () => injectE2ESession(options))
  repository.encryptMessage = (options) => alone(options.jid, () => encryptMessage(options))
  repository.encryptGroupMessage = (options) => outside(() => encryptGroupMessage(options))
  repository.getSenderKeyDistributionMessage = (options) =>
    outside(() => getSenderKeyDistributionMessage(options))
  // Reads what the calls above have committed, not what an outer transaction remembers from before.
  repository.validateSession = (jid) => outside(() => validateSession(jid))
  return repository
}

/**
 * The name of the one ratchet behind a device, whichever of its two addresses is used. The library locks by the address as
 * given: it writes to a phone number and reads from a LID, and of two steps at the same time one would be forgotten.
 */
export async function ratchetOf(repository: SignalRepositoryWithLIDStore, jid: string): Promise<string> {
  const lid = isPnUser(jid) ? await repository.lidMapping.getLIDForPN(jid) : null
  return repository.jidToSignalProtocolAddress(lid ?? jid)
}
