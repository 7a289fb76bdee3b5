// The Signal repository of a connection: the library's, and around it one layer for each thing that it must do differently.
import {
  DEFAULT_CONNECTION_CONFIG,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  type SocketConfig,
} from 'baileys'
import { withGroupCiphers } from '../../network/group-ciphers.ts'
import { type KeepArrival, withStoredArrivals } from './arrival-commits.ts'
import { withCachedLids } from './lid-cache.ts'
import { withCommittedSteps } from './ratchet-commits.ts'
import { withNamedSignedPreKeys } from './signed-pre-key.ts'

type MakeSignalRepository = SocketConfig['makeSignalRepository']
/** A repository that does some calls differently, and passes the others on. */
type Layer = (inner: SignalRepositoryWithLIDStore) => SignalRepositoryWithLIDStore

/** `keepArrival` decrypts each ciphertext, and decides what is stored with the keys that it used up. */
export const signalRepositoryMaker =
  (keepArrival: KeepArrival): MakeSignalRepository =>
  (auth, logger, pnToLid) => {
    const make = (creds: typeof auth.creds) =>
      DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ ...auth, creds }, logger, pnToLid)
    // The library adds transactions to the keys before it makes the repository.
    const keys = auth.keys as SignalKeyStoreWithTransaction
    /** From the inside out: a call passes the last one first. */
    const layers: Layer[] = [
      (inner) => withNamedSignedPreKeys(inner, auth, make),
      (inner) => withCachedLids(inner),
      (inner) => withGroupCiphers(inner, keys),
      (inner) => withCommittedSteps(inner, keys),
      (inner) => withStoredArrivals(inner, keys, keepArrival),
    ]
    return layers.reduce((inner, layer) => layer(inner), make(auth.creds))
  }
