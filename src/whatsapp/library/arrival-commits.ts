// Lets a received message be stored in the transaction that decrypts it: together with the keys that it used up, or not at all.
import type { SignalDataSet, SignalKeyStoreWithTransaction, SignalRepositoryWithLIDStore } from 'baileys'
import { ARRIVAL_KIND, type ArrivalToStore } from './auth-state.ts'
import { ratchetOf } from './ratchet-commits.ts'

/** The decryption of one ciphertext, to be run by the receiver of the message. */
export interface Decryption {
  /** Writes everything that is changed and stored in `work` at once. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  decrypt(): Promise<Uint8Array>
  /** Stores the arrival with the transaction that is running. */
  store(name: string, arrival: ArrivalToStore): Promise<void>
}

/** Returns the decrypted bytes. The ciphertext is the same object as in the stanza. */
export type KeepArrival = (ciphertext: Uint8Array, decryption: Decryption) => Promise<Uint8Array>

export function withStoredArrivals(
  inner: SignalRepositoryWithLIDStore,
  keys: SignalKeyStoreWithTransaction,
  keepArrival: KeepArrival,
): SignalRepositoryWithLIDStore {
  const decryption = (transactionKey: string, decrypt: () => Promise<Uint8Array>): Decryption => ({
    transaction: (work) => keys.transaction(work, transactionKey),
    decrypt,
    store: async (name, arrival) => keys.set(arrivalData(name, arrival)),
  })
  return {
    ...inner,
    decryptMessage: async (options) =>
      keepArrival(
        options.ciphertext,
        decryption(await ratchetOf(inner, options.jid), () => inner.decryptMessage(options)),
      ),
    decryptGroupMessage: (options) =>
      keepArrival(
        options.msg,
        decryption(options.group, () => inner.decryptGroupMessage(options)),
      ),
  }
}

/** In the form of a key: so it passes through the library's transaction. */
const arrivalData = (name: string, arrival: ArrivalToStore): SignalDataSet =>
  ({ [ARRIVAL_KIND]: { [name]: arrival } }) as unknown as SignalDataSet
